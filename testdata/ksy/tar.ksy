meta: {id: tar_file, title: Tape archive, file-extension: tar, license: MIT, encoding: UTF-8}
seq:
  - {id: members, type: member, repeat: eos}
types:
  member:
    seq:
      - {id: name, type: strz, size: 100}
      - {id: mode, type: strz, size: 8}
      - {id: owner, type: strz, size: 8}
      - {id: group, type: strz, size: 8}
      - {id: size_octal, type: strz, size: 12}
      - {id: time, type: strz, size: 12}
      - {id: checksum, size: 8}
      - {id: kind, type: u1, enum: kinds}
      - {id: target, type: strz, size: 100}
      - {id: magic, size: 8}
      - {id: names, type: strz, size: 32, repeat: expr, repeat-expr: 2}
      - {id: devices, size: 16}
      - {id: prefix, type: strz, size: 155}
      - {id: filler, size: 12}
      - {id: body, size: len_body}
      - {id: pad, size: '(512 - len_body % 512) % 512'}
    instances:
      len_body: {value: 'size_octal == "" ? 0 : size_octal.to_i(8)'}
enums:
  kinds: {0: old, 0x30: file, 0x35: folder}
