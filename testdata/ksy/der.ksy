meta: {id: der_value, title: Tree of DER, file-extension: der, license: MIT, endian: be}
seq:
  - {id: class, type: b2, enum: classes}
  - {id: made_up, type: b1}
  - {id: tag, type: b5}
  - {id: len_short, type: u1}
  - {id: len_long, type: {switch-on: len_short, cases: {0x81: u1, 0x82: u2}}, if: len_short > 0x80}
  - id: body
    size: len_body
    type: {switch-on: 'made_up ? 32 : tag', cases: {32: values, 12: text, 2: number}}
instances:
  len_body: {value: 'len_short > 0x82 ? 0 : len_short > 0x80 ? len_long : len_short'}
types:
  values: {seq: [{id: list, type: der_value, repeat: eos}]}
  text: {seq: [{id: text, type: str, size-eos: true, encoding: UTF-8}]}
  number: {seq: [{id: bytes, size-eos: true}]}
enums:
  classes: {0: universal, 1: application, 2: context, 3: private}
