# Drops a file on a window of X11, as a file manager does (XDND): drop.py WINDOW URI
import ctypes, struct, sys, time

x = ctypes.CDLL("libX11.so.6")
ulong, pointer = ctypes.c_ulong, ctypes.c_void_p
x.XOpenDisplay.restype = pointer
for name, result, arguments in (
    ("XInternAtom", ulong, [pointer, ctypes.c_char_p, ctypes.c_int]),
    ("XDefaultRootWindow", ulong, [pointer]),
    ("XCreateSimpleWindow", ulong, [pointer, ulong] + 5 * [ctypes.c_int] + 2 * [ulong]),
    ("XSetSelectionOwner", ctypes.c_int, [pointer] + 3 * [ulong]),
    ("XSendEvent", ctypes.c_int, [pointer, ulong, ctypes.c_int, ctypes.c_long, pointer]),
    ("XChangeProperty", ctypes.c_int, [pointer] + 3 * [ulong] + 2 * [ctypes.c_int] + [ctypes.c_char_p, ctypes.c_int]),
    ("XTranslateCoordinates", ctypes.c_int, [pointer, ulong, ulong] + 2 * [ctypes.c_int] + 3 * [pointer]),
    ("XPending", ctypes.c_int, [pointer]),
    ("XNextEvent", ctypes.c_int, [pointer, pointer]),
    ("XFlush", ctypes.c_int, [pointer]),
):
    f = getattr(x, name)
    f.restype, f.argtypes = result, arguments

display = x.XOpenDisplay(None)
target, uri = int(sys.argv[1]), sys.argv[2]
root = x.XDefaultRootWindow(display)
source = x.XCreateSimpleWindow(display, root, 0, 0, 1, 1, 0, 0, 0)


def atom(name):
    return x.XInternAtom(display, name.encode(), 0)


def send(to, event):
    x.XSendEvent(display, to, 0, 0, ctypes.create_string_buffer(event, 192))
    x.XFlush(display)


def message(kind, *data):
    data = list(data) + (5 - len(data)) * [0]
    send(target, struct.pack("<i4xQi4xQQQi4x5q", 33, 0, 1, 0, target, atom(kind), 32, *data))


def answer(seconds, until):
    """Gives the names to who asks, until a message comes."""
    end = time.time() + seconds
    while time.time() < end:
        if not x.XPending(display):
            time.sleep(0.02)
            continue
        event = ctypes.create_string_buffer(192)
        x.XNextEvent(display, event)
        kind = struct.unpack_from("<i", event, 0)[0]
        if kind == 30:  # a request for the selection
            _, asker, selection, form, place, when = struct.unpack_from("<6Q", event, 32)
            if form == names:
                text = (uri + "\r\n").encode()
                x.XChangeProperty(display, asker, place, names, 8, 0, text, len(text))
            else:
                place = 0
            send(asker, struct.pack("<i4xQi4x6Q", 31, 0, 1, 0, asker, selection, form, place, when))
        elif kind == 33 and struct.unpack_from("<Q", event, 40)[0] == atom(until):
            return
    sys.exit("no " + until)


names = atom("text/uri-list")
x.XSetSelectionOwner(display, atom("XdndSelection"), source, 0)
at = [ctypes.c_int(), ctypes.c_int(), ulong()]
x.XTranslateCoordinates(display, target, root, 200, 200, *[ctypes.byref(a) for a in at])
message("XdndEnter", source, 5 << 24, names)
message("XdndPosition", source, 0, at[0].value << 16 | at[1].value, 0, atom("XdndActionCopy"))
answer(60, "XdndStatus")
message("XdndDrop", source)
answer(60, "XdndFinished")
