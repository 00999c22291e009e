meta: {id: png_file, title: PNG picture, file-extension: png, license: MIT, endian: be}
seq:
  - {id: magic, contents: [0x89, PNG, 0x0d, 0x0a, 0x1a, 0x0a]}
  - {id: chunks, type: chunk, repeat: until, repeat-until: '_.type == "IEND"'}
types:
  chunk:
    seq:
      - {id: len, type: u4, doc: bytes of the body}
      - {id: type, type: str, size: 4, encoding: ASCII}
      - id: body
        size: len
        type:
          switch-on: type
          cases:
            '"IHDR"': header
            '"tEXt"': text
            '"zTXt"': packed_text
      - {id: crc, type: u4}
  header:
    seq:
      - {id: width, type: u4}
      - {id: height, type: u4}
      - {id: depth, type: u1, valid: {any-of: [1, 2, 4, 8, 16]}}
      - {id: colour, type: u1, enum: colours}
      - {id: rest, size: 3}
  text:
    seq:
      - {id: key, type: strz, encoding: ISO-8859-1}
      - {id: words, type: str, size-eos: true, encoding: ISO-8859-1}
  packed_text:
    seq:
      - {id: key, type: strz, encoding: ISO-8859-1}
      - {id: method, type: u1}
      - {id: words, size-eos: true, process: zlib}
enums:
  colours: {0: grey, 2: rgb, 3: palette, 4: grey_alpha, 6: rgba}
