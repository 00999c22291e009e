meta: {id: zip_file, title: ZIP archive, file-extension: zip, license: MIT, endian: le}
seq:
  - {id: sections, type: section, repeat: until, repeat-until: _.kind == 0x0605}
types:
  section:
    seq:
      - {id: magic, contents: PK}
      - {id: kind, type: u2}
      - id: body
        type:
          switch-on: kind
          cases: {0x0403: local_file, 0x0201: entry, 0x0605: end}
  local_file:
    seq:
      - {id: version, type: u2}
      - {id: flags, type: u2}
      - {id: method, type: u2, enum: methods}
      - {id: time, type: u4}
      - {id: crc, type: u4}
      - {id: len_packed, type: u4}
      - {id: len, type: u4}
      - {id: len_name, type: u2}
      - {id: len_extra, type: u2}
      - {id: name, type: str, size: len_name, encoding: UTF-8}
      - {id: extra, size: len_extra}
      - {id: packed, size: len_packed}
  entry:
    seq:
      - {id: versions, type: u2, repeat: expr, repeat-expr: 2}
      - {id: flags, type: u2}
      - {id: method, type: u2, enum: methods}
      - {id: time, type: u4}
      - {id: crc, type: u4}
      - {id: len_packed, type: u4}
      - {id: len, type: u4}
      - {id: len_name, type: u2}
      - {id: len_extra, type: u2}
      - {id: len_comment, type: u2}
      - {id: disk, type: u2}
      - {id: attributes, size: 6}
      - {id: ofs_file, type: s4}
      - {id: name, type: str, size: len_name, encoding: UTF-8}
      - {id: extra, size: len_extra}
      - {id: comment, type: str, size: len_comment, encoding: UTF-8}
    instances:
      file: {pos: ofs_file, type: section}
  end:
    seq:
      - {id: disks, size: 4}
      - {id: counts, type: u2, repeat: expr, repeat-expr: 2}
      - {id: len_entries, type: u4}
      - {id: ofs_entries, type: u4}
      - {id: len_comment, type: u2}
      - {id: comment, type: str, size: len_comment, encoding: UTF-8}
enums:
  methods: {0: stored, 8: deflated}
