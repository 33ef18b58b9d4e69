"""HTTP as bytes over a socket, so that a request can also be a wrong one."""

import json
import socket
import sys

sys.set_int_max_str_digits(0)  # a record may have a number of any length


class Cut(Exception):
    """The connection ended before the answer did."""


class Answer:
    """An answer: its status, its headers in order, and its body."""

    def __init__(self, status, headers, body, version="HTTP/1.1"):
        self.status, self.headers, self.body, self.version = status, headers, body, version

    def all(self, name):
        return [value for key, value in self.headers if key.lower() == name.lower()]

    def header(self, name):
        return ", ".join(self.all(name)) or None

    @property
    def type(self):
        """The media type without parameters."""
        return (self.header("content-type") or "").split(";")[0].strip().lower()

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def detail(self):
        """What an error says; an empty text where it says nothing."""
        try:
            return self.json.get("detail", "")
        except (ValueError, AttributeError):
            return ""

    def __str__(self):
        return f"{self.status} {self.type} {self.body[:300].decode(errors='replace')}"


class Connection:
    """A connection to the server, on which anything can be sent."""

    def __init__(self, port, timeout=10):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def finish(self):
        """Says that nothing more is sent."""
        self.socket.shutdown(socket.SHUT_WR)

    def more(self):
        """Reads what is there, and says whether there was anything."""
        try:
            piece = self.socket.recv(1 << 16)
        except (ConnectionError, BrokenPipeError):
            piece = b""
        self.buffer += piece
        return bool(piece)

    def line(self):
        while b"\n" not in self.buffer:
            if not self.more():
                raise Cut(f"the connection ended after {self.buffer[:200]!r}")
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line.rstrip(b"\r")

    def take(self, count):
        while len(self.buffer) < count:
            if not self.more():
                raise Cut(f"the connection ended {count - len(self.buffer)} bytes early")
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def head(self):
        """The status and headers of the next answer, without those of 100 Continue."""
        while True:
            line = self.line()
            version, _, status = line[:12].decode("latin-1").partition(" ")
            if not version.startswith("HTTP/") or not status.isdigit():
                raise Cut(f"no answer, but {line[:200]!r}")
            headers = []
            while line := self.line():
                name, colon, value = line.decode("latin-1").partition(":")
                if not colon:
                    raise Cut(f"no header, but {line[:200]!r}")
                headers.append((name, value.strip()))
            if status != "100":
                return Answer(int(status), headers, b"", version)

    def receive(self, method="GET"):
        """The next answer. Raises `Cut` where there is none, or only a part."""
        answer = self.head()
        if method == "HEAD" or answer.status in (204, 304):
            return answer
        if "chunked" in (answer.header("transfer-encoding") or ""):
            while size := int(self.line().split(b";")[0], 16):
                answer.body += self.take(size)
                self.line()
            while self.line():
                pass
        elif length := answer.header("content-length"):
            answer.body = self.take(int(length))
        else:
            while self.more():
                pass
            answer.body, self.buffer = self.buffer, b""
        return answer

    def is_closed(self, within):
        """Whether the server closes the connection within so many seconds."""
        self.socket.settimeout(within)
        try:
            while self.more():
                pass
            return True
        except TimeoutError:
            return False


def request(method, target, body=None, headers=(), host=None, version="HTTP/1.1"):
    """The bytes of a request. Headers are pairs; `body` is bytes."""
    lines = [f"{method} {target} {version}".encode("latin-1")]
    if host is not None:
        lines.append(f"Host: {host}".encode("latin-1"))
    for name, value in headers:
        lines.append(f"{name}: ".encode("latin-1") + (value if isinstance(value, bytes) else value.encode("latin-1")))
    if body is not None and not any(name.lower() in ("content-length", "transfer-encoding") for name, _ in headers):
        lines.append(f"Content-Length: {len(body)}".encode())
    return b"\r\n".join(lines) + b"\r\n\r\n" + (body or b"")
