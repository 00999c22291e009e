meta:
  id: pages
  title: Pages of a made-up notebook
  application: none
  file-extension: [pgs, pages]
  license: CC0-1.0
  ks-version: 0.9
  endian: le
  bit-endian: le
  encoding: UTF-8
  tags: [test]
  xref:
    wikidata: Q1
doc: |
  Every part of the language once.
doc-ref:
  - https://example.org/pages
  - chapter 2
seq:
  - id: magic
    contents: [PAGE, 0x1a, 0]
  - id: version
    type: u2be
    valid:
      min: 1
      max: 3
  - id: num_pages
    type: u4
    valid:
      any-of: [1, 2, 3 + 4]
  - id: pages
    type: page(_index, num_pages)
    repeat: expr
    repeat-expr: num_pages
  - id: rest
    size-eos: true
    process: xor([0x20, 0x21])
    type: tail
    if: version >= 2 and not (flags.last == false)
instances:
  flags:
    pos: 4 * num_pages
    io: _root._io
    type: b1
    repeat: until
    repeat-until: _ or _io.eof
  title:
    value: 'f"{pages[0].name}, version {version + 1}"'
    doc: What a list of notebooks shows.
  first_kind:
    value: pages.first.head.kind
  size_of_head:
    value: sizeof<page::head>
  how:
    value: 'num_pages > 2 ? ways::long : ways::short'
  number_of_way:
    value: num_pages
    enum: ways
to-string: title + "."
enums:
  ways:
    0: short
    1:
      id: long
      doc: More than two.
      doc-ref: chapter 3
      -orig-id: LONG
types:
  page:
    params:
      - id: index
        type: u4
      - id: count
        type: u4
    seq:
      - id: head
        type: head
      - id: name
        type: strz
        if: index < count
      - id: lines
        size: head.len_lines
        type: line
        repeat: eos
    types:
      head:
        seq:
          - id: kind
            type: b3
          - id: shown
            type: b1
          - id: reserved
            type: b12
          - id: len_lines
            type: u2
      line:
        seq:
          - id: text
            type: str
            terminator: 0x0a
            include: true
            eos-error: false
        instances:
          is_last:
            value: _io.pos >= _io.size and _parent.name.length > 0
  tail:
    seq:
      - id: sum
        type: f8
        valid:
          expr: _ * 2 > -1.5e3 or _ == 0
