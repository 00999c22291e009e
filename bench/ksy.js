// What the reference, Kaitai Struct's own compiler and runtime for JavaScript, takes to read a file and go over all of it.
//
//     node ksy.js DESCRIPTION FILE [debug]
//
// Prints seconds of processor time, KiB of memory at the most, and the records: a line of JSON.
const fs = require('fs');
const compiler = require('kaitai-struct-compiler');
const KaitaiStream = require('kaitai-struct/KaitaiStream');
const yaml = require('js-yaml');

const [description, file, debug] = process.argv.slice(2);

const known = new Map();

// instances are the names of a record's instances, by its class.
function instances(v) {
  const type = Object.getPrototypeOf(v);
  let names = known.get(type);
  if (names === undefined) {
    const all = Object.getOwnPropertyDescriptors(type);
    names = Object.keys(all).filter(name => all[name].get);
    known.set(type, names);
  }
  return names;
}

function walk(v) {
  if (v === null || typeof v !== 'object' || ArrayBuffer.isView(v)) return 0;
  if (Array.isArray(v)) {
    let n = 0;
    for (const one of v) n += walk(one);
    return n;
  }
  if (!('_io' in v)) return 0;
  let n = 1;
  for (const name of instances(v)) n += walk(v[name]);
  for (const name in v) if (name[0] !== '_') n += walk(v[name]);
  return n;
}

async function main() {
  const texts = await compiler.compile('javascript', yaml.load(fs.readFileSync(description, 'utf8')), null, debug === 'debug');
  const m = { exports: {} };
  new Function('module', 'exports', 'require', Object.values(texts)[0])(m, m.exports, require);
  const Top = Object.values(m.exports)[0];
  const before = process.cpuUsage();
  const top = new Top(new KaitaiStream(fs.readFileSync(file)));
  if (debug === 'debug') top._read();
  const records = walk(top);
  const took = process.cpuUsage(before);
  console.log(JSON.stringify({ seconds: (took.user + took.system) / 1e6, kib: process.resourceUsage().maxRSS, records }));
}

main();
