meta: {id: mo_file, title: Translated words, file-extension: mo, license: MIT, endian: le, encoding: UTF-8}
seq:
  - {id: magic, contents: [0xde, 0x12, 0x04, 0x95]}
  - {id: version, type: u4, valid: 0}
  - {id: num_words, type: u4}
  - {id: ofs_words, type: u4}
  - {id: ofs_translations, type: u4}
  - {id: num_hashes, type: u4}
  - {id: ofs_hashes, type: u4}
instances:
  words: {pos: ofs_words, type: word, repeat: expr, repeat-expr: num_words}
  translations: {pos: ofs_translations, type: word, repeat: expr, repeat-expr: num_words}
  hashes: {pos: ofs_hashes, type: u4, repeat: expr, repeat-expr: num_hashes}
types:
  word:
    seq: [{id: len, type: u4}, {id: ofs, type: u4}]
    instances:
      text: {pos: ofs, type: strz, size: len + 1}
