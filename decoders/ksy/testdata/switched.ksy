meta: {id: switched, encoding: ascii}
seq:
  - {id: order, size: 2}
  - {id: body, type: body}
types:
  body:
    meta:
      endian:
        switch-on: _parent.order
        cases: {'[0x49, 0x49]': le, _: be}
    seq:
      - id: kind
        type: u1
        enum: kinds
        valid: {in-enum: true}
      - id: value
        size: 8
        type:
          switch-on: kind
          cases:
            kinds::int: s8
            kinds::text: strz
            'kinds::pair': pair(true)
      - id: name
        type: str
        size: 10
        terminator: 0
        pad-right: 0x20
        encoding: UTF-16LE
    instances:
      whole:
        value: value.as<pair>.low + sizeof<u4>
    enums:
      kinds: {1: int, 2: text, 3: pair}
    types:
      pair:
        params: [{id: wide, type: bool}]
        seq:
          - {id: low, type: u2}
          - {id: high, type: u4, if: wide}
          - {id: sub, type: leaf, parent: _parent}
      leaf: {}
