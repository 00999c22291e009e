meta: {id: wav_file, title: Sound, file-extension: wav, license: MIT, endian: le, encoding: ASCII}
seq:
  - {id: magic, contents: RIFF}
  - {id: len, type: u4}
  - {id: body, type: body, size: len}
types:
  body:
    seq: [{id: form, contents: WAVE}, {id: chunks, type: chunk, repeat: eos}]
  chunk:
    seq:
      - {id: id, type: str, size: 4}
      - {id: len, type: u4}
      - {id: body, size: len, type: {switch-on: id, cases: {'"fmt "': format, '"data"': samples}}}
      - {id: pad, type: u1, if: len % 2 == 1}
  format:
    seq:
      - {id: coding, type: u2}
      - {id: num_channels, type: u2}
      - {id: rate, type: u4}
      - {id: bytes_a_second, type: u4, valid: {expr: _ >= rate}}
      - {id: len_sample, type: u2}
      - {id: bits, type: u2}
  samples: {seq: [{id: values, type: s2, repeat: eos}]}
