meta:
  id: zip_members
  title: ZIP archive, by its central directory
  license: CC0-1.0
  file-extension: zip
  endian: le
doc: |
  What an archive says at its end, and from there each member with its bytes inflated. The sizes are in the directory, so that
  members whose own header leaves them out are read too.
seq:
  - id: magic
    contents: [PK, 3, 4]
instances:
  end:
    pos: _io.size - sizeof<end_of_directory>
    type: end_of_directory
    doc: An archive with a comment has its end before that, which is not looked for.
  members:
    pos: end.ofs_directory
    type: member
    repeat: expr
    repeat-expr: end.num_members
types:
  end_of_directory:
    seq:
      - id: magic
        contents: [PK, 5, 6]
      - id: disk
        type: u2
        valid: 0
      - id: disk_of_directory
        type: u2
        valid: 0
      - id: num_members_here
        type: u2
      - id: num_members
        type: u2
      - id: len_directory
        type: u4
      - id: ofs_directory
        type: u4
      - id: len_comment
        type: u2
        valid: 0
  member:
    seq:
      - id: magic
        contents: [PK, 1, 2]
      - id: made_by
        type: u2
      - id: needs
        type: u2
      - id: flags
        type: u2
      - id: method
        type: u2
        enum: methods
      - id: time
        type: u2
      - id: date
        type: u2
      - id: crc32
        type: u4
      - id: len_stored
        type: u4
      - id: len_plain
        type: u4
      - id: len_name
        type: u2
      - id: len_extra
        type: u2
      - id: len_comment
        type: u2
      - id: disk
        type: u2
      - id: attributes
        type: u2
      - id: attributes_outside
        type: u4
      - id: ofs_header
        type: u4
      - id: name
        type: str
        size: len_name
        encoding: UTF-8
      - id: extra
        size: len_extra
      - id: comment
        type: str
        size: len_comment
        encoding: UTF-8
    instances:
      header:
        io: _root._io
        pos: ofs_header
        type: header
      ofs_body:
        value: ofs_header + 30 + header.len_name + header.len_extra
      stored:
        io: _root._io
        pos: ofs_body
        size: len_stored
        if: method == methods::stored
      inflated:
        io: _root._io
        pos: ofs_body
        size: len_stored
        process: kaitai.compress.zlib(-1)
        if: method == methods::deflated
        doc: Deflated without a header of zlib around it.
  header:
    seq:
      - id: magic
        contents: [PK, 3, 4]
      - id: needs
        type: u2
      - id: flags
        type: u2
      - id: method
        type: u2
        enum: methods
      - id: time
        type: u2
      - id: date
        type: u2
      - id: crc32
        type: u4
      - id: len_stored
        type: u4
      - id: len_plain
        type: u4
      - id: len_name
        type: u2
      - id: len_extra
        type: u2
      - id: name
        type: str
        size: len_name
        encoding: UTF-8
      - id: extra
        size: len_extra
enums:
  methods:
    0: stored
    8: deflated
