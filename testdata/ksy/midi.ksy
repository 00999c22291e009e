meta: {id: midi_file, title: MIDI song, file-extension: mid, license: MIT, endian: be}
seq:
  - {id: magic, contents: MThd}
  - {id: len_header, type: u4}
  - {id: form, type: u2}
  - {id: num_tracks, type: u2}
  - {id: division, type: s2}
  - {id: tracks, type: track, repeat: expr, repeat-expr: num_tracks}
types:
  track:
    seq:
      - {id: magic, contents: MTrk}
      - {id: len_events, type: u4}
      - {id: events, type: events, size: len_events}
  events:
    seq: [{id: list, type: event, repeat: eos}]
  event:
    seq:
      - {id: wait, type: varying}
      - {id: status, type: u1}
      - id: body
        type:
          switch-on: status >> 4
          cases: {8: pair, 9: pair, 0xa: pair, 0xb: pair, 0xc: u1, 0xd: u1, 0xe: pair, 0xf: other(status)}
  pair:
    seq: [{id: first, type: u1}, {id: second, type: u1}]
  other:
    params: [{id: status, type: u1}]
    seq:
      - {id: kind, type: u1, if: status == 0xff}
      - {id: len, type: varying}
      - {id: bytes, size: len.value}
  varying:
    seq: [{id: groups, type: group, repeat: until, repeat-until: not _.more}]
    instances:
      last: {value: groups.size - 1}
      value:
        value: 'groups[last].bits + (last >= 1 ? groups[last - 1].bits << 7 : 0) + (last >= 2 ? groups[last - 2].bits << 14 : 0)'
  group:
    seq: [{id: more, type: b1}, {id: bits, type: b7}]
