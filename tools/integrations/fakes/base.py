"""What the fakes of programs share: a server on loopback that takes only the requests that the program takes, and keeps the changes."""
import http.server
import json
import re
import threading
import urllib.parse


class Refused(Exception):
    """A status other than 200, with a body; one that is no mistake of the client is expected."""

    def __init__(self, status, body=None, headers=(), is_expected=False):
        super().__init__(status)
        self.status, self.body, self.headers, self.is_expected = status, body, dict(headers), is_expected


def fits(value, pattern):
    """Whether a JSON value has a form: a type, `None`, a tuple of forms, a list of a form, or an object of forms (`name?` may be missing).

    An object may have only the fields that are listed, unless `...` is among them."""
    if isinstance(pattern, tuple):
        return any(fits(value, each) for each in pattern)
    if isinstance(pattern, list):
        return isinstance(value, list) and all(fits(each, pattern[0]) for each in value)
    if isinstance(pattern, dict):
        if not isinstance(value, dict):
            return False
        named = {name.rstrip("?"): (name.endswith("?"), form) for name, form in pattern.items() if name is not ...}
        return ((... in pattern or not value.keys() - named.keys())
                and all(fits(value[name], form) if name in value else optional for name, (optional, form) in named.items()))
    if pattern is None:
        return value is None
    return isinstance(value, pattern) and not (isinstance(value, bool) and pattern is int)


class Fake:
    """A program's API. `routes` lists method, path (a regular expression), the body's form (`None` for no body), and a method's name."""
    header, token = "Authorization", "Bearer right-token"
    routes = ()

    def __init__(self):
        # What was asked, in order; what no client may ask; answers to give before all others.
        self.requests, self.faults, self.first = [], [], []
        fake = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = 1 << 16  # headers and body in one packet

            def answer(self):
                size = int(self.headers.get("Content-Length") or 0)
                status, body, headers = fake.take(self.command, self.path, self.headers, self.rfile.read(size))
                text = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", **headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def writes(self):
        """The requests that change something."""
        return [(method, path, body) for method, path, body in self.requests if method != "GET"]

    def take(self, method, target, headers, data):
        """Status, body, and headers of the answer."""
        path, _, query = target.partition("?")
        try:
            if self.first:
                raise self.first.pop(0)
            if headers.get(self.header) != self.token:
                raise Refused(401, {"detail": "Could not validate credentials"})
            body = json.loads(data) if data else None
            self.requests.append((method, target, body))
            for verb, pattern, form, action in self.routes:
                match = re.fullmatch(pattern, path)
                if not match or verb != method:
                    continue
                if data and headers.get("Content-Type", "").split(";")[0] != "application/json":
                    raise Refused(415, {"detail": "the content type is not application/json"})
                if not fits(body, form):
                    raise Refused(422, {"detail": f"{method} {path} does not take {data.decode()}"})
                found = getattr(self, action)(*match.groups(), *(() if body is None else (body,)), **self.arguments(query))
                return 204 if found is None else 200, found, {}
            raise Refused(404, {"detail": f"no {method} {path}"})
        except Refused as refused:
            if refused.status in (400, 404, 415, 422) and not refused.is_expected:
                self.faults.append(f"{method} {target}: {refused.status} {refused.body}")
            return refused.status, refused.body, refused.headers
        except Exception as error:  # noqa: BLE001: whatever it is, the check must hear of it
            self.faults.append(f"{method} {target}: {error!r}")
            return 500, {"detail": repr(error)}, {}

    @staticmethod
    def arguments(query):
        return {name.rstrip("_"): value for name, value in urllib.parse.parse_qsl(query, keep_blank_values=True)}
