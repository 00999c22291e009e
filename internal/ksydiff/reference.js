// What the reference, Kaitai Struct's own compiler and runtime for JavaScript in debug mode, reads of files.
//
//     node reference.js GALLERY OUT < LIST
//
// LIST has a line for each file: description, tab, file, tab, name. OUT/NAME gets a line of JSON for each field: its path, where it
// starts and ends in the bytes that its stream is part of, and its value or why it has none.
const crypto = require('crypto');
const fs = require('fs');
const path = require('path');
const compiler = require('kaitai-struct-compiler');
const KaitaiStream = require('kaitai-struct/KaitaiStream');
const yaml = require('js-yaml');

const [gallery, out] = process.argv.slice(2);
const maxDepth = 200, maxFields = 300000;

async function compile(file) {
  const read = f => yaml.load(fs.readFileSync(f, 'utf8'));
  const importer = {
    importYaml(name, mode) {
      const at = path.join(mode === 'abs' ? gallery : path.dirname(file), name + '.ksy');
      return Promise.resolve(read(fs.existsSync(at) ? at : path.join(gallery, name + '.ksy')));
    },
  };
  const texts = await compiler.compile('javascript', read(file), importer, true);
  const loaded = {};
  const load = name => {
    if (loaded[name]) return loaded[name];
    const m = { exports: {} };
    loaded[name] = m.exports;
    const need = id => {
      const local = id.replace(/^\.\//, '');
      return texts[local + '.js'] ? load(local) : require(id);
    };
    new Function('module', 'exports', 'require', texts[name + '.js'])(m, m.exports, need);
    return m.exports;
  };
  const id = read(file).meta.id;
  const top = id.split('_').map(p => p[0].toUpperCase() + p.slice(1)).join('');
  return load(top)[top];
}

function dump(Top, data, write) {
  const seen = new Set();
  let count = 0;
  const isRecord = v => v && typeof v === 'object' && v._debug && typeof v._read === 'function';
  // around are the records around what is read. A record that is read elsewhere by an instance, of the type and at the place of one
  // around it, is that one again.
  const around = [];
  const params = v => JSON.stringify(Object.keys(v).filter(k => k[0] !== '_' && !v._debug[k]).map(k => typeof v[k] === 'object' ? 0 : v[k]));
  const isAround = (v, start) => around.some(a =>
    a.v.constructor === v.constructor && a.start === start && a.v._io._buffer === v._io._buffer && params(a.v) === params(v));
  function value(v, at, where, computed, elsewhere, depth) {
    const line = { path: at };
    if (++count > maxFields) throw new Error('more fields than ' + maxFields);
    if (where && where.end !== undefined) {
      line.start = where.start + where.ioOffset;
      line.end = where.end + where.ioOffset;
    }
    if (v === undefined || v === null) line.value = null;
    else if (v instanceof KaitaiStream) line.stream = true;
    else if (v instanceof Uint8Array) line.sha256 = crypto.createHash('sha256').update(v).digest('hex');
    else if (Array.isArray(v)) line.count = v.length;
    else if (isRecord(v)) {
      line.record = true;
      line.same = computed || seen.has(v) || elsewhere && isAround(v, line.start);
    } else if (typeof v === 'number' && !Number.isFinite(v)) line.value = String(v);
    else if (typeof v === 'bigint') line.value = Number(v);
    else line.value = v;
    write(line);
    if (Array.isArray(v)) v.forEach((e, i) => value(e, `${at}/[${i}]`, where && where.arr && where.arr[i], computed, elsewhere, depth));
    if (isRecord(v) && !line.same) record(v, at, line.start, depth + 1);
  }
  function record(o, at, start, depth) {
    if (depth > maxDepth) throw new Error('more records in each other than ' + maxDepth);
    seen.add(o);
    around.push({ v: o, start });
    for (const name of Object.keys(o)) {
      if (name[0] !== '_' && o._debug[name]) value(o[name], at + '/' + name, o._debug[name], false, false, depth);
    }
    const all = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(o));
    for (const name of Object.keys(all)) {
      if (!all[name].get) continue;
      let v;
      try {
        v = o[name];
      } catch (e) {
        write({ path: at + '/' + name, error: String(e.message || e) });
        continue;
      }
      const where = o._debug['_m_' + name];
      if (v !== undefined && v !== null) value(v, at + '/' + name, where, !where || where.start === undefined, true, depth);
    }
    around.pop();
  }
  const o = new Top(new KaitaiStream(data));
  let failed = null;
  try {
    o._read();
  } catch (e) {
    failed = e;
  }
  try {
    record(o, 'fields', 0, 0);
  } catch (e) {
    failed = failed || e;
  }
  if (failed) write({ failed: String(failed.message || failed) });
}

(async () => {
  const tops = {};
  for (const line of fs.readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
    const [description, file, name] = line.split('\t');
    const to = fs.openSync(path.join(out, name), 'w');
    let lines = [];
    const write = l => {
      if (lines.push(JSON.stringify(l)) % 1000 === 0) flush();
    };
    const flush = () => {
      fs.writeSync(to, lines.join('\n') + (lines.length ? '\n' : ''));
      lines = [];
    };
    try {
      tops[description] = tops[description] || await compile(description);
      const b = fs.readFileSync(file);
      dump(tops[description], b.buffer.slice(b.byteOffset, b.byteOffset + b.length), write);
    } catch (e) {
      write({ failed: 'not compiled: ' + String(e.message || e) });
    }
    flush();
    fs.closeSync(to);
  }
})();
