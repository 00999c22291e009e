"""Collects files for the descriptions of the gallery: found on this machine, or made by tools and libraries.

    collect.py FOLDER

puts them into FOLDER/GROUP/FORMAT/NAME, and says on standard output which formats it lacks files for, and why. A file is made
once; remove it to have it made again. Debian's packages of the tools: dosfstools genisoimage parted device-tree-compiler
u-boot-tools cpio cryptsetup-bin sox fdisk xfonts-base grub-common efitools mkbootimg android-sdk-libsparse-utils rpm msitools
systemd-journal-remote util-linux-extra vorbis-tools gnupg ruby php-cli qemu-utils imagemagick zip default-jdk-headless.
"""
import base64, glob, gzip, io, os, shutil, socket, ssl, struct, subprocess, sys, tempfile, traceback, wave, zipfile

OUT = os.path.abspath(sys.argv[1])
MAKERS = []


def makes(format, *names):
    """Declares a function that makes the files NAMES of a format in the current folder."""
    def wrap(f):
        MAKERS.append((format, names, f))
        return f
    return wrap


class Missing(Exception):
    """What a file is made of is not here."""


def need(tool):
    """Asks for a tool that writes into a file of ours, before there is one that is not whole."""
    if not shutil.which(tool, path=os.environ["PATH"] + ":/usr/sbin:/sbin"):
        raise Missing(f"no {tool}")


def run(*args, **kw):
    need(args[0])
    subprocess.run(args, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                   env={**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}, **kw)


def find(*patterns, most=1 << 20):
    """The first file that a pattern matches and that is not too big."""
    for pattern in patterns:
        for name in sorted(glob.glob(pattern, recursive=True)):
            if 0 < os.path.getsize(name) <= most:
                return name
    raise Missing("no file like " + " or ".join(patterns))


def write(name, data):
    with open(name, "wb") as f:
        f.write(data)


def copy(name, *patterns, most=1 << 20):
    shutil.copyfile(find(*patterns, most=most), name)


def image(size=(23, 17), mode="RGB"):
    from PIL import Image
    img = Image.new("RGB", size)
    img.putdata([(x * 9 % 256, y * 13 % 256, (x * y) % 256) for y in range(size[1]) for x in range(size[0])])
    return img.convert(mode)


def goroot():
    return subprocess.run(["go", "env", "GOROOT"], capture_output=True, text=True, check=True).stdout.strip()


PY = "/root/.pyenv/versions/*/lib/python3*/test/"
PYTHONS = [os.path.dirname(os.__file__) + "/test/", PY, "/usr/lib/python3*/test/"]


def pytest(name):
    return [p + name for p in PYTHONS]


# Archives

@makes("archive/gzip", "text.gz", "named.gz")
def _(*names):
    write(names[0], gzip.compress(b"Hello, Cutaway. " * 99, mtime=7))
    write("named", b"abc" * 999)
    run("gzip", "-9", "named")


@makes("archive/zip", "python.zip", "tool.zip", "java.zip")
def _(*names):
    with zipfile.ZipFile(names[0], "w") as z:
        z.writestr("a.txt", "stored")
        z.writestr("b/c.txt", "deflated " * 99, zipfile.ZIP_DEFLATED)
        z.comment = b"a comment"
    write("x.txt", b"hello" * 99)
    run("zip", "-X", names[1], "x.txt")
    copy(names[2], "/root/go/pkg/mod/**/*.jar", "/usr/share/java/*.jar")


@makes("archive/rpm", "made.rpm")
def _(name):
    write("x.spec", b"Name: x\nVersion: 1\nRelease: 1\nSummary: s\nLicense: MIT\nBuildArch: noarch\n%description\nd\n%install\n"
          b"mkdir -p %{buildroot}/etc\necho hi > %{buildroot}/etc/x\n%files\n/etc/x\n")
    run("rpmbuild", "-bb", "--define", "_topdir " + os.getcwd(), "x.spec")
    os.rename(find("RPMS/noarch/*.rpm"), name)


@makes("archive/cpio_old_le", "made.cpio")
def _(name):
    write("a", b"first"), write("b", b"second file")
    run("sh", "-c", "printf 'a\\nb\\n' | cpio -o -H bin > " + name)


@makes("archive/android_img", "boot.img")
def _(name):
    write("kernel", b"K" * 3000), write("ramdisk", b"R" * 500)
    run("mkbootimg", "--kernel", "kernel", "--ramdisk", "ramdisk", "--cmdline", "console=ttyS0", "-o", name)


@makes("archive/android_sparse", "made.simg")
def _(name):
    write("raw", b"\0" * 8192 + b"data" * 1024 + b"\0" * 65536 + os.urandom(4096))
    run("img2simg", "raw", name)


@makes("archive/phar_without_stub", "made.phar")
def _(name):
    write("make.php", b"<?php $p = new Phar('x.phar'); $p['a.php'] = '<?php echo 1;'; $p['b.txt'] = str_repeat('b', 99);"
          b"$p->setMetadata(['k' => 1, 'l' => [true, null, 1.5]]);")
    run("php", "-d", "phar.readonly=0", "make.php")
    with open("x.phar", "rb") as f:
        data = f.read()
    at = data.index(b"__HALT_COMPILER();") + 18
    while data[at:at + 1] in b" ?>\r\n":
        at += 1
    write(name, data[at:])


# Common

@makes("common/riff", "tone.wav")
def _(name):
    w = wave.open(name, "wb")
    w.setparams((2, 2, 8000, 0, "NONE", ""))
    w.writeframes(bytes(i % 251 for i in range(4000)))
    w.close()


@makes("common/utf8_string", "words.txt")
def _(name):
    write(name, "Größe 漢字 🙂 plain".encode())


@makes("common/utf16_with_bom", "le.txt", "be.txt")
def _(*names):
    write(names[0], "\ufeffÄ 漢🙂".encode("utf-16-le"))
    write(names[1], "\ufeffÄ 漢🙂".encode("utf-16-be"))


@makes("common/vlq_base128_be", "short.bin", "long.bin")
def _(*names):
    write(names[0], b"\x42"), write(names[1], b"\x81\x82\x83\x84\x05")


@makes("common/vlq_base128_le", "short.bin", "long.bin", "most.bin")
def _(*names):
    write(names[0], b"\x42"), write(names[1], b"\x81\x82\x83\x84\x05"), write(names[2], b"\xff" * 8 + b"\x01")


@makes("common/dos_datetime", "one.bin")
def _(name):
    write(name, struct.pack("<HH", 12 << 11 | 34 << 5 | 28, (2026 - 1980) << 9 | 11 << 5 | 22))


# Databases

@makes("database/dbf", "made.dbf")
def _(name):
    import dbf
    table = dbf.Table(os.path.abspath(name), "name C(12); n N(8,2); ok L; day D", dbf_type="db3")
    table.open(mode=dbf.READ_WRITE)
    for i in range(20):
        table.append((f"row {i}", i * 1.5, i % 2 == 0, dbf.Date(2026, 1, 1 + i)))
    table.close()


@makes("database/gettext_mo", "vim.mo", "small.mo")
def _(*names):
    copy(names[0], "/usr/share/vim/*/lang/de/LC_MESSAGES/*.mo", "/usr/share/locale/de/LC_MESSAGES/*.mo", most=1 << 18)
    copy(names[1], "/usr/share/locale/*/LC_MESSAGES/*.mo", *pytest("**/*.mo"), most=1 << 14)


@makes("database/sqlite3", "made.sqlite", "utf16.sqlite", "wide.sqlite")
def _(*names):
    import sqlite3
    for name, pragma in zip(names, ("page_size=1024", "encoding='UTF-16le'", "page_size=4096")):
        db = sqlite3.connect(name)
        db.execute("pragma " + pragma)
        db.execute("create table t(id integer primary key, name text, x real, b blob)")
        db.execute("create index i on t(name)")
        rows = 300 if name != names[1] else 20
        db.executemany("insert into t values(?,?,?,?)", [(i, f"name {i}" * (1 + i % 5), i / 3, b"\0\1" * (i % 9)) for i in range(rows)])
        if name == names[2]:
            db.execute("insert into t values(9999, 'long', null, ?)", (b"z" * 20000,))
        db.commit()
        db.close()


# Programs

@makes("executable/dos_mz", "w32.exe")
def _(name):
    copy(name, "/root/.pyenv/versions/*/lib/python3*/site-packages/pip/_vendor/distlib/t32.exe", "/usr/**/distlib/*.exe", goroot() + "/src/debug/pe/testdata/gcc-386-mingw-exec")


@makes("executable/elf", "true", "go-obj", "32bit", "library.so", "big-endian")
def _(*names):
    copy(names[0], "/bin/true")
    for name, file in zip(names[1:], ("gcc-amd64-linux-exec", "gcc-386-freebsd-exec", "hello-world-core.gz", "go-relocation-test-gcc5-ppc64.obj")):
        if name == "library.so":
            copy(name, "/lib/x86_64-linux-gnu/libutil.so*", "/lib/x86_64-linux-gnu/libdl.so*")
        else:
            copy(name, goroot() + "/src/debug/elf/testdata/" + file, goroot() + "/src/debug/elf/testdata/*ppc*", goroot() + "/src/debug/elf/testdata/gcc*")


@makes("executable/java_class", "Object.class", "other.class")
def _(*names):
    write("A.java", b"import java.util.*; class A<T extends Number> { static final long L = 1L<<40; double d = 2.5; List<String> s;"
          b" enum E {X, Y} Runnable f(int i) { return () -> { switch (i) { case 1: case 7: throw new RuntimeException(\"x\"+i); } }; } }")
    run("javac", "-g", "A.java")
    os.rename("A.class", names[0]), os.rename("A$E.class", names[1])


@makes("executable/mach_o", "amd64", "i386", "object", "debug")
def _(*names):
    for name, of in zip(names, ("clang-amd64-darwin-exec-with-rpath", "gcc-386-darwin-exec", "clang-amd64-darwin.obj", "gcc-amd64-darwin-exec-debug")):
        with open(find(goroot() + f"/src/debug/macho/testdata/{of}.base64")) as f:
            write(name, base64.b64decode(f.read()))


@makes("executable/mach_o_fat", "fat")
def _(name):
    with open(find(goroot() + "/src/debug/macho/testdata/fat-gcc-386-amd64-darwin-exec.base64")) as f:
        write(name, base64.b64decode(f.read()))


@makes("executable/microsoft_pe", "386.exe", "amd64.exe", "signed.exe", "launcher.exe")
def _(*names):
    copy(names[0], goroot() + "/src/debug/pe/testdata/gcc-386-mingw-no-symbols-exec")
    copy(names[1], goroot() + "/src/debug/pe/testdata/gcc-amd64-mingw-exec")
    copy(names[2], "/root/go/pkg/mod/golang.org/x/sys@*/windows/testdata/ev-signed-file.exe", goroot() + "/src/debug/pe/testdata/gcc-386-mingw-exec")
    copy(names[3], "/root/.pyenv/versions/*/lib/python3*/site-packages/pip/_vendor/distlib/t64.exe", goroot() + "/src/debug/pe/testdata/gcc-386-mingw-exec")


@makes("executable/python_pyc_27", "small.pyc", "module.pyc")
def _(*names):
    copy(names[0], "/root/.pyenv/versions/2.7*/lib/python2.7/stat.pyc")
    copy(names[1], "/root/.pyenv/versions/2.7*/lib/python2.7/abc.pyc")


# File systems

def disk(name, label, *parts):
    need("parted")
    with open(name, "wb") as f:
        f.truncate(4 << 20)
    run("parted", "-s", name, "mklabel", label, *parts)


@makes("filesystem/apm_partition_table", "disk.img")
def _(name):
    disk(name, "mac", "mkpart", "one", "hfs", "1MB", "2MB")


@makes("filesystem/gpt_partition_table", "disk.img")
def _(name):
    disk(name, "gpt", "mkpart", "one", "ext4", "1MB", "2MB", "mkpart", "zwei", "fat32", "2MB", "3MB")


@makes("filesystem/mbr_partition_table", "disk.img")
def _(name):
    disk(name, "msdos", "mkpart", "primary", "ext4", "1MB", "2MB", "mkpart", "primary", "fat32", "2MB", "3MB")


@makes("filesystem/cramfs", "made.cramfs")
def _(name):
    os.mkdir("d"), os.mkdir("d/sub")
    write("d/a", b"abc" * 3000), write("d/sub/b", b"b")
    run("mkfs.cramfs", "d", name)


@makes("filesystem/ext2", "made.ext2")
def _(name):
    os.mkdir("d"), os.mkdir("d/sub")
    write("d/a", b"abc" * 3000), write("d/sub/b", b"b")
    run("mkfs.ext2", "-q", "-d", "d", "-b", "1024", "-N", "32", name, "256")


@makes("filesystem/iso9660", "made.iso")
def _(name):
    os.mkdir("d"), os.mkdir("d/sub")
    write("d/a.txt", b"abc" * 300), write("d/sub/b.txt", b"b")
    run("genisoimage", "-quiet", "-R", "-J", "-o", name, "d")


@makes("filesystem/luks", "made.luks")
def _(name):
    need("cryptsetup")
    with open(name, "wb") as f:
        f.truncate(4 << 20)
    write("key", b"secret")
    run("cryptsetup", "luksFormat", "-q", "--type", "luks1", "--iter-time", "1", name, "key")


@makes("filesystem/vfat", "fat12.img", "fat16.img", "fat32.img")
def _(*names):
    for name, bits, size in zip(names, ("12", "16", "32"), ("720", "8400", "34000")):
        run("mkfs.vfat", "-C", "-F", bits, "-n", "LABEL", name, size)


@makes("filesystem/vmware_vmdk", "made.vmdk")
def _(name):
    write("raw", b"data" * 10000)
    run("qemu-img", "convert", "-f", "raw", "-O", "vmdk", "raw", name)


@makes("filesystem/apple_single_double", "made.as")
def _(name):
    write(name, bytes.fromhex("00051600 00020000") + b"\0" * 16 + struct.pack(">H", 2) + struct.pack(">IIIIII", 9, 50, 32, 2, 82, 5)
          + b"TEXTttxt" + b"\0" * 24 + b"forks")


@makes("filesystem/zx_spectrum_tap", "made.tap")
def _(name):
    head = b"\x00\x03code      " + struct.pack("<HHH", 5, 32768, 32768)
    data = b"\xffHELLO"
    xor = lambda b: bytes([__import__("functools").reduce(lambda a, c: a ^ c, b)])
    write(name, struct.pack("<H", len(head) + 1) + head + xor(head) + struct.pack("<H", len(data) + 1) + data + xor(data))


@makes("firmware/uimage", "made.uimage")
def _(name):
    write("raw", b"kernel" * 99)
    run("mkimage", "-A", "arm", "-O", "linux", "-T", "kernel", "-C", "none", "-a", "0x8000", "-e", "0x8000", "-n", "a name", "-d", "raw", name)


@makes("firmware/ines", "made.nes")
def _(name):
    write(name, b"NES\x1a\x01\x01\x01\x00" + b"\0" * 8 + bytes(range(256)) * 64 + bytes(8192))


# Fonts

@makes("font/grub2_font", "made.pf2")
def _(name):
    run("grub-mkfont", "-s", "12", "-r", "0x20-0x7f", "-o", name, find("/root/go/pkg/mod/golang.org/x/image*/font/gofont/ttfs/Go-Regular.ttf", "/usr/share/fonts/**/*.ttf", most=1 << 22))


@makes("font/pcf_font", "font.pcf")
def _(name):
    with gzip.open(find("/usr/share/fonts/**/5x8.pcf.gz", "/usr/share/fonts/**/*.pcf.gz", most=1 << 15)) as f:
        write(name, f.read())


@makes("font/ttf", "Go-Mono.ttf", "made.ttf")
def _(*names):
    copy(names[0], "/root/go/pkg/mod/golang.org/x/image*/font/gofont/ttfs/Go-Mono.ttf", "/usr/share/fonts/**/*.ttf")
    copy(names[1], "/usr/share/fonts/truetype/**/*.ttf", "/root/go/pkg/mod/golang.org/x/image*/font/gofont/ttfs/Go-Bold.ttf")


# Games

@makes("game/doom_wad", "made.wad")
def _(name):
    things = struct.pack("<hhHHH", 32, -64, 90, 1, 7) * 3
    tex = struct.pack("<II", 1, 8) + b"WALL\0\0\0\0" + struct.pack("<IHHIH", 0, 64, 64, 0, 1) + struct.pack("<hhHHH", 1, 2, 3, 4, 5)
    lumps = [(b"E1M1", b""), (b"THINGS", things), (b"VERTEXES", struct.pack("<hh", 5, 6) * 4), (b"TEXTURE1", tex)]
    body, index = b"", b""
    for lump, data in lumps:
        index += struct.pack("<ii8s", 12 + len(body), len(data), lump)
        body += data
    write(name, b"PWAD" + struct.pack("<ii", len(lumps), 12 + len(body)) + body + index)


@makes("game/quake_pak", "made.pak")
def _(name):
    write(name, b"PACK" + struct.pack("<II", 17, 128) + b"hello" + struct.pack("<56sII", b"a/b.txt", 12, 5) * 2)


@makes("game/minecraft_nbt", "made.nbt")
def _(name):
    import nbtlib
    nbtlib.File({"a": nbtlib.Int(5), "list": nbtlib.List[nbtlib.Double]([1.5, 2]), "s": nbtlib.String("hé"), "l": nbtlib.Long(1 << 40),
                 "b": nbtlib.ByteArray([1, 2, 3]), "c": nbtlib.Compound({"d": nbtlib.IntArray([7, 8])})}).save(name, gzipped=False)


# Maps and hardware

@makes("geospatial/shapefile_main", "points.shp", "polygons.shp")
def _(*names):
    shapes(names, "shp")


@makes("geospatial/shapefile_index", "points.shx", "polygons.shx")
def _(*names):
    shapes(names, "shx")


def shapes(names, keep):
    import shapefile
    with shapefile.Writer(names[0][:-4]) as w:
        w.field("n", "N")
        for i in range(5):
            w.point(i, i * 2.5), w.record(i)
    with shapefile.Writer(names[1][:-4]) as w:
        w.field("n", "N")
        w.poly([[[0, 0], [0, 5], [5, 5], [0, 0]], [[1, 1], [2, 1], [1, 2], [1, 1]]]), w.record(1)


@makes("hardware/dtb", "made.dtb")
def _(name):
    write("x.dts", b'/dts-v1/; / { compatible = "a,b", "c"; #address-cells = <1>; cpu@0 { reg = <0 1 2>; l: sub { on; }; }; chosen { bootargs = "x y"; }; };')
    run("dtc", "-q", "-O", "dtb", "-o", name, "x.dts")


@makes("hardware/edid", "made.edid")
def _(name):
    body = bytes.fromhex("00ffffffffffff0010ac64a04c4c3030 1815010380331d78ea5ea2a45a519e25 0e5054a54b00714f8180b30001010101 010101010101023a801871382d40582c"
                         "4500fd1e1100001e000000ff00463532 3552313638303030304c000000fc0044 454c4c205532333132484d0a000000fd 00384c1e5311000a20202020202000")
    write(name, body + bytes([-sum(body) % 256]))


# Pictures

PICTURES = {"bmp": ["rgb", "gray"], "gif": ["one"], "png": ["rgb", "palette"], "tga": ["rgb"], "ico": ["icon"], "pcx": ["rgb"], "jpeg": ["plain", "exif"]}


def picture(format, names):
    for name in names:
        kind = name.split(".")[0]
        img = image(mode={"gray": "L", "palette": "P", "one": "P"}.get(kind, "RGB"))
        options = {}
        if kind == "exif":
            exif = img.getexif()
            exif[0x010f], exif[0x0110], exif[0x011a] = "maker", "model", 72.5
            options = {"exif": exif, "comment": b"words"}
        if format == "png":
            from PIL import PngImagePlugin
            info = PngImagePlugin.PngInfo()
            info.add_text("Title", "a title"), info.add_text("long", "z" * 500, zip=True), info.add_itxt("Größe", "漢", "de", "G", True)
            options = {"pnginfo": info, "dpi": (72, 72), "gamma": 0.45}
        img.save(name, {"ico": "ICO", "tga": "TGA"}.get(format, format.upper()), **options)


for _format, _kinds in PICTURES.items():
    makes("image/" + _format, *[f"{kind}.{_format}" for kind in _kinds])(lambda *names, f=_format: picture(f, names))


@makes("image/exif", "body.exif")
def _(name):
    exif = image().getexif()
    exif[0x010f], exif[0x0110], exif[0x011a], exif[0x9003] = "maker", "a longer model", 72.5, "2026:01:01 00:00:00"
    write(name, exif.tobytes()[6:])


@makes("image/icc_4", "made.icc")
def _(name):
    from PIL import ImageCms
    write(name, ImageCms.ImageCmsProfile(ImageCms.createProfile("XYZ")).tobytes())


@makes("image/dicom", "CT.dcm", "MR.dcm")
def _(*names):
    import pydicom.data
    for name in names:
        shutil.copyfile(pydicom.data.get_testdata_file(name[:2] + "_small.dcm"), name)


@makes("image/pcx_dcx", "made.dcx")
def _(name):
    pages = []
    for i in range(2):
        b = io.BytesIO()
        image((9 + i, 7)).save(b, "PCX")
        pages.append(b.getvalue())
    write(name, bytes([0xb1, 0x68, 0xde, 0x3a]) + struct.pack("<III", 16, 16 + len(pages[0]), 0) + pages[0] + pages[1])


@makes("image/xwd", "made.xwd")
def _(name):
    run("convert", "-size", "8x6", "gradient:red-blue", name)


@makes("image/gimp_brush", "made.gbr")
def _(name):
    write(name, struct.pack(">IIIII", 28 + 6, 2, 3, 2, 1) + b"GIMP" + struct.pack(">I", 10) + b"brush\0" + bytes(range(6)))


@makes("image/psx_tim", "made.tim")
def _(name):
    write(name, struct.pack("<II", 0x10, 8) + struct.pack("<IHHHH", 12 + 32, 0, 480, 16, 1) + bytes(32) + struct.pack("<IHHHH", 12 + 8, 0, 0, 2, 2) + bytes(8))


# Logs

@makes("log/glibc_utmp", "wtmp")
def _(name):
    write("x.txt", b"[2] [00000] [~~  ] [reboot  ] [~           ] [6.1.0               ] [0.0.0.0        ] [2026-01-01T00:00:00,000000+00:00]\n"
          b"[7] [01234] [ts/0] [user    ] [pts/0       ] [10.0.0.1            ] [10.0.0.1       ] [2026-01-01T00:01:00,000000+00:00]\n")
    run("sh", "-c", "utmpdump -r < x.txt > " + name)


@makes("log/systemd_journal", "made.journal")
def _(name):
    write("in", b"".join(b"__REALTIME_TIMESTAMP=%d\n__MONOTONIC_TIMESTAMP=%d\n_BOOT_ID=%032x\nMESSAGE=line %d\nPRIORITY=6\n\n" % (10**15 + i, 10**6 + i, 7, i) for i in range(3)))
    run("/usr/lib/systemd/systemd-journal-remote", "-o", name, "in")


@makes("log/mcap", "made.mcap")
def _(name):
    from mcap.writer import Writer, CompressionType
    with open(name, "wb") as f:
        w = Writer(f, compression=CompressionType.NONE)
        w.start("profile", "library")
        schema = w.register_schema("s", "jsonschema", b"{}")
        channel = w.register_channel("/t", "json", schema, {"k": "v"})
        for i in range(4):
            w.add_message(channel, i * 10**9, b'{"i":%d}' % i, i * 10**9)
        w.add_attachment(1, 2, "a.txt", "text/plain", b"words")
        w.add_metadata("m", {"k": "v"})
        w.finish()


# Macintosh

@makes("macos/ds_store", "made.DS_Store")
def _(name):
    from ds_store import DSStore
    with DSStore.open(name, "w+") as d:
        d["a.txt"]["Iloc"] = (10, 20)
        d["b.txt"]["Iloc"] = (100, 20)


# Sound, films and shapes

@makes("media/au", "python.au", "sox.au")
def _(*names):
    copy(names[0], *pytest("sndhdrdata/sndhdr.au"), *pytest("audiodata/*.au"))
    run("sox", "-n", names[1], "synth", "0.01", "sine", "440")


@makes("media/creative_voice_file", "sox.voc")
def _(name):
    run("sox", "-n", "-r", "8000", "-e", "unsigned", "-b", "8", name, "synth", "0.05", "sine", "440")


@makes("media/ogg", "tone.ogg")
def _(name):
    run("sox", "-n", "-r", "8000", name, "synth", "0.3", "sine", "440")


def tagged(name, version):
    from mutagen.id3 import ID3, TIT2, TPE1, COMM, APIC
    write(name, b"\xff\xfb\x90\x00" + bytes(413))
    tags = ID3()
    tags.add(TIT2(encoding=3 if version == 4 else 1, text="Títle"))
    tags.add(TPE1(encoding=0, text="artist"))
    tags.add(COMM(encoding=0, lang="eng", desc="d", text="comment"))
    tags.add(APIC(encoding=0, mime="image/png", type=3, desc="c", data=b"\x89PNG" * 40))
    tags.save(name, v2_version=version, v1=2)


@makes("media/id3v1_1", "made.mp3")
def _(name):
    tagged(name, 3)


@makes("media/id3v2_3", "made.mp3")
def _(name):
    tagged(name, 3)


@makes("media/id3v2_4", "made.mp3")
def _(name):
    tagged(name, 4)


@makes("media/standard_midi_file", "made.mid")
def _(name):
    import mido
    m = mido.MidiFile()
    t = mido.MidiTrack()
    m.tracks.append(t)
    t += [mido.MetaMessage("track_name", name="a track"), mido.Message("program_change", program=12, time=0),
          mido.Message("note_on", note=64, velocity=64, time=32), mido.Message("note_off", note=64, velocity=127, time=320),
          mido.Message("pitchwheel", pitch=99), mido.Message("control_change", control=7, value=3), mido.Message("sysex", data=(1, 2, 3))]
    m.save(name)


@makes("media/stl", "made.stl")
def _(name):
    write(name, b"made".ljust(80) + struct.pack("<I", 3) + b"".join(struct.pack("<12fH", *[i + j / 7 for j in range(12)], i) for i in range(3)))


@makes("media/avi", "made.avi")
def _(name):
    avih = struct.pack("<14I", 40000, 9999, 0, 16, 2, 0, 1, 0, 8, 6, 0, 0, 0, 0)
    strh = b"vidsDIB " + struct.pack("<IHHIIIIIIII4H", 0, 0, 0, 0, 1, 25, 0, 2, 0, 0, 0, 0, 0, 8, 6)
    chunk = lambda k, b: k + struct.pack("<I", len(b)) + b
    body = chunk(b"LIST", b"hdrl" + chunk(b"avih", avih) + chunk(b"LIST", b"strl" + chunk(b"strh", strh))) + chunk(b"JUNK", b"\0" * 8)
    write(name, b"RIFF" + struct.pack("<I", len(body) + 4) + b"AVI " + body)


@makes("media/quicktime_mov", "made.mov")
def _(name):
    atom = lambda k, b: struct.pack(">I", len(b) + 8) + k + b
    ftyp = atom(b"ftyp", b"qt  " + struct.pack(">I", 512) + b"qt  isom")
    mvhd = atom(b"mvhd", struct.pack(">BBBBIIIIIH10x", 0, 0, 0, 0, 1, 2, 1000, 5000, 65536, 256) + bytes(36 + 24) + struct.pack(">I", 2))
    tkhd = atom(b"tkhd", bytes(4) + struct.pack(">IIIII", 1, 2, 1, 0, 5000) + bytes(8) + bytes(8) + bytes(36) + struct.pack(">II", 8 << 16, 6 << 16))
    write(name, ftyp + atom(b"moov", mvhd + atom(b"trak", tkhd)) + atom(b"mdat", b"frames"))


@makes("media/vp8_duck_ivf", "made.ivf")
def _(name):
    write(name, b"DKIF" + struct.pack("<HH4sHHIIII", 0, 32, b"VP80", 8, 6, 25, 1, 2, 0) + b"".join(struct.pack("<IQ", 5, i) + b"frame" for i in range(2)))


@makes("media/blender_blend", "made.blend")
def _(name):
    dna = b"SDNANAME" + struct.pack("<I", 2) + b"id\0*next\0"
    dna += b"\0" * (-len(dna) % 4) + b"TYPE" + struct.pack("<I", 2) + b"int\0Thing\0"
    dna += b"\0" * (-len(dna) % 4) + b"TLEN" + struct.pack("<HH", 4, 12) + b"STRC" + struct.pack("<I", 1) + struct.pack("<HHHHHH", 1, 2, 0, 0, 1, 1)
    block = lambda code, body: code + struct.pack("<IQII", len(body), 0x1000, 0, 1) + body
    write(name, b"BLENDER-v293" + block(b"DATA", b"\1\2\3\4") + block(b"DNA1", dna) + block(b"ENDB", b""))


# Networks

def packet(kind):
    from scapy.all import Ether, IP, IPv6, TCP, UDP, ICMP, DNS, DNSQR, DNSRR, Raw, Dot1Q
    dns = DNS(id=7, qr=1, qd=DNSQR(qname="www.example.com"), an=DNSRR(rrname="www.example.com", rdata="10.1.2.3", ttl=60))
    return {
        "tcp4": Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02") / IP(src="10.0.0.1", dst="10.0.0.2", id=3) / TCP(sport=1, dport=80, seq=5, options=[("MSS", 1460)]) / Raw(b"GET /"),
        "udp4": Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02") / IP(src="10.0.0.1", dst="10.0.0.2") / UDP(sport=53, dport=53) / dns,
        "icmp": Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02") / Dot1Q(vlan=3) / IP(src="10.0.0.1", dst="10.0.0.2") / ICMP(id=1, seq=2) / Raw(b"ping"),
        "tcp6": Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02") / IPv6(src="fe80::1", dst="fe80::2") / TCP() / Raw(b"six"),
    }[kind], {"IP": IP, "IPv6": IPv6, "TCP": TCP, "UDP": UDP, "ICMP": ICMP, "DNS": DNS}


def layer(name, kind, of):
    p, layers = packet(kind)
    write(name, bytes(p[layers[of]] if of in layers else p))


for _format, _kind, _of in (("ethernet_frame", "icmp", "Ether"), ("ipv4_packet", "udp4", "IP"), ("ipv6_packet", "tcp6", "IPv6"), ("tcp_segment", "tcp4", "TCP"),
                            ("udp_datagram", "udp4", "UDP"), ("icmp_packet", "icmp", "ICMP"), ("dns_packet", "udp4", "DNS")):
    makes("network/" + _format, "made.bin")(lambda name, k=_kind, o=_of: layer(name, k, o))


@makes("network/pcap", "made.pcap")
def _(name):
    from scapy.all import wrpcap
    wrpcap(name, [packet(k)[0] for k in ("tcp4", "udp4", "icmp", "tcp6")])


@makes("network/tls_client_hello", "hello.bin")
def _(name):
    out = ssl.MemoryBIO()
    s = ssl.create_default_context().wrap_bio(ssl.MemoryBIO(), out, server_hostname="example.com")
    try:
        s.do_handshake()
    except ssl.SSLWantReadError:
        pass
    write(name, out.read()[9:])


@makes("network/websocket", "masked.bin", "parts.bin")
def _(*names):
    write(names[0], bytes.fromhex("818537fa213d7f9f4d5158")), write(names[1], b"\x01\x03Hel\x80\x02lo")


@makes("network/rtp_packet", "made.bin")
def _(name):
    write(name, bytes([0x90, 0x60]) + struct.pack(">HII", 7, 1234, 99) + struct.pack(">HH", 0xbede, 1) + b"abcd" + b"payload")


@makes("network/rtcp_payload", "made.bin")
def _(name):
    sdes = struct.pack(">I", 99) + b"\x01\x04name\0\0"
    write(name, bytes([0x80, 200]) + struct.pack(">H", 6) + struct.pack(">IIIIII", 99, 1, 2, 3, 4, 5) + bytes([0x81, 202]) + struct.pack(">H", len(sdes) // 4) + sdes)


@makes("network/bitcoin_transaction", "one.bin")
def _(name):
    sig = bytes.fromhex("3044022011") + bytes(range(31)) + b"\x02\x20\x22" + bytes(range(31)) + b"\x01"
    key = b"\x04" + bytes(range(64))
    script = bytes([len(sig)]) + sig + bytes([len(key)]) + key
    out = b"\x76\xa9\x14" + bytes(20) + b"\x88\xac"
    write(name, struct.pack("<IB", 1, 1) + bytes(range(32)) + struct.pack("<IB", 0, len(script)) + script + b"\xff" * 4
          + struct.pack("<BQB", 1, 5000000000, len(out)) + out + bytes(4))


@makes("network/hccap", "made.hccap")
def _(name):
    write(name, (b"network".ljust(36, b"\0") + bytes(range(12)) + bytes(64) + bytes(256) + struct.pack("<II", 121, 2) + bytes(16)) * 2)


# Security

@makes("security/openpgp_message", "key.pgp", "signed.pgp")
def _(*names):
    os.mkdir("h", 0o700)
    gpg = ("gpg", "--homedir", "h", "--batch", "--yes", "--pinentry-mode", "loopback", "--passphrase", "")
    run(*gpg, "--quick-gen-key", "a@example.com", "rsa2048")
    run(*gpg, "--export", "-o", names[0])
    write("x", b"words")
    run(*gpg, "--detach-sign", "-o", names[1], "x")


@makes("security/ssh_public_key", "rsa.bin", "ed25519.bin", "ecdsa.bin")
def _(*names):
    for name in names:
        run("ssh-keygen", "-q", "-t", name[:-4], "-N", "", "-f", "k" + name)
        with open("k" + name + ".pub") as f:
            write(name, base64.b64decode(f.read().split()[1]))


@makes("security/efivar_signature_list", "made.esl")
def _(name):
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "k", "-out", "c", "-subj", "/CN=a")
    run("cert-to-efi-sig-list", "c", "x.esl")
    with open("x.esl", "rb") as f:
        write(name, struct.pack("<I", 0x27) + f.read())


# Data

@makes("serialization/asn1/asn1_der", "certificate.der", "key.der")
def _(*names):
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "k", "-out", names[0], "-outform", "DER", "-subj", "/CN=a/O=b")
    run("openssl", "rsa", "-in", "k", "-outform", "DER", "-out", names[1])


@makes("serialization/bson", "made.bson")
def _(name):
    import bson, datetime
    write(name, bson.encode({"a": 1, "b": 2.5, "s": "hé", "l": [1, "x", None], "o": {"t": True}, "d": datetime.datetime(2026, 1, 1), "n": 1 << 40,
                             "bin": b"raw", "id": bson.ObjectId("0123456789abcdef01234567"), "re": bson.regex.Regex("a.*", "i")}))


@makes("serialization/google_protobuf", "made.pb")
def _(name):
    from google.protobuf import descriptor_pb2
    write(name, descriptor_pb2.DESCRIPTOR.serialized_pb)


@makes("serialization/microsoft_cfb", "made.xls", "made.msi")
def _(*names):
    import xlwt
    book = xlwt.Workbook()
    sheet = book.add_sheet("one")
    for i in range(40):
        sheet.write(i, 0, f"cell {i}"), sheet.write(i, 1, i * 1.5)
    book.save(names[0])
    run("msibuild", names[1], "-s", "title", "author")


@makes("serialization/msgpack", "map.msgpack", "number.msgpack")
def _(*names):
    import msgpack
    write(names[0], msgpack.packb({"a": [1, -1, 200, 70000, 1 << 40, 1.5], "b": b"raw", "c": None, "d": {"x": True, "y": False}, "s" * 40: "t" * 300}))
    write(names[1], msgpack.packb(-70000))


@makes("serialization/php_serialized_value", "made.php")
def _(name):
    need("php")
    run("sh", "-c", "php -r 'class P { public $a = 1; protected $b = [1.5, true, null]; private $c = \"x\"; } echo serialize([\"k\" => new P, 3 => \"he\"]);' > " + name)


@makes("serialization/python_pickle", "proto0.pickle", "proto2.pickle", "proto5.pickle")
def _(*names):
    import pickle, datetime
    for name in names:
        write(name, pickle.dumps({"a": [1, 2.5, "hé", None, True, 1 << 70], "b": (1, 2, 3, 4), "s": {1, 2}, "d": datetime.date(2026, 1, 1), "raw": b"x" * 300}, protocol=int(name[5])))


@makes("serialization/ruby_marshal", "made.marshal")
def _(name):
    run("ruby", "-e", 'S = Struct.new(:a, :b); File.binwrite(ARGV[0], Marshal.dump({"k" => [1, -300, 70000, nil, true, 2.5, :sym, :sym], x: S.new(1, "two"), big: 1 << 80}))', name)


# Windows

@makes("windows/windows_lnk_file", "made.lnk")
def _(name):
    import pylnk3
    pylnk3.for_file("C:\\Windows\\notepad.exe", name, arguments="x", description="words", icon_file="C:\\i.ico", work_dir="C:\\")


@makes("windows/windows_systemtime", "one.bin")
def _(name):
    write(name, struct.pack("<8H", 2026, 11, 0, 22, 7, 45, 15, 9))


@makes("3d/gltf_binary", "made.glb")
def _(name):
    js, blob = b'{"asset":{"version":"2.0"}} ', b"\1\2\3\4"
    js += b" " * (-len(js) % 4)
    write(name, b"glTF" + struct.pack("<II", 2, 12 + 8 + len(js) + 8 + 4) + struct.pack("<I4s", len(js), b"JSON") + js + struct.pack("<I4s", 4, b"BIN\0") + blob)


def make(format, names, maker):
    folder = os.path.join(OUT, format)
    if all(os.path.exists(os.path.join(folder, name)) for name in names):
        return None
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        why = None
        try:
            maker(*names)
        except Missing as e:
            why = str(e)
        except ImportError as e:
            why = f"no Python library {e.name}"
        except subprocess.CalledProcessError as e:
            why = f"{e.cmd[0]}: {e.stderr.decode(errors='replace').strip()[-200:]}"
        except Exception as e:  # a library of another version
            why = f"{type(e).__name__}: {e} ({traceback.extract_tb(e.__traceback__)[-1].name})"
        os.makedirs(folder, exist_ok=True)
        for name in names:
            if os.path.exists(name):
                shutil.move(name, os.path.join(folder, name))
        os.chdir("/")
        return why


missing = 0
for format, names, maker in MAKERS:
    why = make(format, names, maker)
    if why:
        missing += 1
        print(f"{format}: not whole: {why}")
print(f"{len(MAKERS) - missing} of {len(MAKERS)} formats")
