"""Drops files on a window as a file manager does: by the XDND protocol.

  xdnd.py DISPLAY WINDOW PATH...     ends when the window says that it is done

xdotool moves the mouse, but owns no selection; this does, with libX11 alone.
"""
import ctypes
import pathlib
import sys
import time

X = ctypes.CDLL("libX11.so.6")
Window = Atom = Time = ctypes.c_ulong
SELECTION_REQUEST, SELECTION_NOTIFY, CLIENT_MESSAGE = 30, 31, 33


class ClientMessage(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong),
                ("sendEvent", ctypes.c_int), ("display", ctypes.c_void_p),
                ("window", Window), ("messageType", Atom),
                ("format", ctypes.c_int), ("data", ctypes.c_long * 5)]


class SelectionRequest(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong),
                ("sendEvent", ctypes.c_int), ("display", ctypes.c_void_p),
                ("owner", Window), ("requestor", Window), ("selection", Atom),
                ("target", Atom), ("property", Atom), ("time", Time)]


class Selection(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong),
                ("sendEvent", ctypes.c_int), ("display", ctypes.c_void_p),
                ("requestor", Window), ("selection", Atom), ("target", Atom),
                ("property", Atom), ("time", Time)]


class Event(ctypes.Union):
    _fields_ = [("type", ctypes.c_int), ("client", ClientMessage),
                ("request", SelectionRequest), ("selection", Selection),
                ("pad", ctypes.c_long * 24)]


class Source:
    def __init__(self, display, target, paths):
        X.XOpenDisplay.restype = ctypes.c_void_p
        X.XDefaultRootWindow.restype = Window
        X.XCreateSimpleWindow.restype = Window
        X.XInternAtom.restype = Atom
        self.display = ctypes.c_void_p(X.XOpenDisplay(display.encode()))
        assert self.display, f"no display {display}"
        self.root = X.XDefaultRootWindow(self.display)
        self.window = X.XCreateSimpleWindow(
            self.display, Window(self.root), 0, 0, 1, 1, 0, Atom(0), Atom(0))
        self.target = target
        self.uris = "".join(pathlib.Path(path).resolve().as_uri() + "\r\n"
                            for path in paths).encode()

    def atom(self, name):
        return X.XInternAtom(self.display, name.encode(), 0)

    def send(self, name, *data):
        event = Event()
        event.client.type = CLIENT_MESSAGE
        event.client.window = self.target
        event.client.messageType = self.atom(name)
        event.client.format = 32
        for i, word in enumerate((self.window, *data)):
            event.client.data[i] = word
        X.XSendEvent(self.display, Window(self.target), 0, ctypes.c_long(0),
                     ctypes.byref(event))
        X.XFlush(self.display)

    def waitFor(self, name, seconds=20):
        """Answers requests for the paths until the message comes; its data."""
        end = time.monotonic() + seconds
        wanted = self.atom(name)
        while time.monotonic() < end:
            if not X.XPending(self.display):
                time.sleep(0.01)
                continue
            event = Event()
            X.XNextEvent(self.display, ctypes.byref(event))
            if event.type == SELECTION_REQUEST:
                self.answer(event.request)
            if event.type == CLIENT_MESSAGE and \
                    event.client.messageType == wanted:
                return list(event.client.data)
        raise SystemExit(f"no {name} from the window")

    def answer(self, request):
        X.XChangeProperty(self.display, Window(request.requestor),
                          Atom(request.property), Atom(request.target), 8, 0,
                          self.uris, len(self.uris))
        event = Event()
        event.selection.type = SELECTION_NOTIFY
        event.selection.requestor = request.requestor
        event.selection.selection = request.selection
        event.selection.target = request.target
        event.selection.property = request.property
        event.selection.time = request.time
        X.XSendEvent(self.display, Window(request.requestor), 0,
                     ctypes.c_long(0), ctypes.byref(event))
        X.XFlush(self.display)

    def drop(self, x, y):
        X.XSetSelectionOwner(self.display, Atom(self.atom("XdndSelection")),
                             Window(self.window), Time(0))
        version, now = 5, 0
        self.send("XdndEnter", version << 24, self.atom("text/uri-list"))
        self.send("XdndPosition", 0, x << 16 | y, now,
                  self.atom("XdndActionCopy"))
        status = self.waitFor("XdndStatus")
        assert status[1] & 1, "the window takes no files"
        self.send("XdndDrop", 0, now)
        self.waitFor("XdndFinished")


Source(sys.argv[1], int(sys.argv[2], 0), sys.argv[3:]).drop(300, 300)
