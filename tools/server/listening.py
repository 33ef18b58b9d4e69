"""A client of the server's events."""

import json

from running import expect
from wire import Connection, request


class Listener:
    """Hears the server's events."""

    def __init__(self, server, timeout=10):
        self.connection, self.heard, self.comments, self.lines = Connection(server.port, timeout), [], 0, []
        self.connection.send(request("GET", "/v1/events", host=server.host, headers=[("Accept", "text/event-stream")]))
        head = self.connection.head()
        expect(head.status == 200 and head.type == "text/event-stream", "no events", head)
        wrong = server.description.problems("GET", "/v1/events", head, is_whole=False)
        expect(not wrong, f"/v1/events: {'; '.join(wrong)}")
        self.is_chunked = "chunked" in (head.header("transfer-encoding") or "")
        self.text = b""

    def read_line(self):
        while b"\n" not in self.text:
            if self.is_chunked:
                size = int(self.connection.line().split(b";")[0], 16)
                self.text += self.connection.take(size)
                self.connection.line()
            else:
                self.text += self.connection.buffer
                self.connection.buffer = b""
                if b"\n" not in self.text:
                    expect(self.connection.more(), "the events end")
        line, self.text = self.text.split(b"\n", 1)
        line = line.rstrip(b"\r").decode()
        if line.startswith(":"):
            self.comments += 1
        elif line:
            self.lines.append(line)
        elif self.lines:
            fields = dict(each.split(": ", 1) for each in self.lines)
            self.heard.append((fields.get("event"), json.loads(fields["data"])))
            self.lines = []

    def wait_for(self, count):
        """The events so far, of which there are at least so many."""
        try:
            while len(self.heard) < count:
                self.read_line()
        except TimeoutError:
            expect(False, f"{len(self.heard)} events within the time limit, not {count}", self.heard)
        return self.heard

    def close(self):
        self.connection.socket.close()
