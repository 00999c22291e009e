meta: {id: chain, endian: le}
seq:
  - {id: x, type: 'rec(_index)', repeat: eos}
types:
  rec:
    params: [{id: i, type: s4}]
    seq:
      - {id: n, type: u1}
      - {id: b, size: '(i == 0 ? 0 : _root.x[i - 1].n)'}
