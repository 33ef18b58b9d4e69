"""Every row of the table of bad input: an error that says what to do, and a server that lives."""

import gzip
import json
import zlib

from bench import case
from running import JSON, Broken, expect
from wire import Cut, request

CLOSED = None  # the connection ends without an answer
MEBIBYTE = 1 << 20
PATH = "/v1/categorize"


def row(name, claim, *statuses, said=""):
    """Registers a function that gives the bytes to send; the answer must have one of the statuses."""

    def register(function):
        def run(bench):
            server = bench.server
            data = function(server)
            answer = exchange(server, data)
            shown = f"{data[:160]!r}{'…' if len(data) > 160 else ''}"
            got = "a connection that ends without an answer" if answer is None else answer
            expect(
                (answer.status if answer else CLOSED) in statuses,
                f"expected {' or '.join(str(each) if each else 'a closed connection' for each in statuses)}, got {got}",
                shown,
            )
            if answer is None:
                return "closed"
            method, path = named(data)
            wrong = bench.description.problems(method, path, answer)
            expect(not wrong, "; ".join(wrong), answer, shown)
            expect(said in answer.detail, f"the error does not say `{said}`", answer, shown)
            for secret in ("root:x:", "Fatal error"):
                expect(secret.encode() not in answer.body, f"the answer has `{secret}` in it", answer)
            return f"{answer.status} {answer.detail}"[:150]

        case(claim, f"bad input: {name}")(run)
        return function

    return register


def named(data):
    """The method and path of a request, where it has any."""
    words = data.split(b"\r\n")[0].decode("latin-1").split(" ")
    return (words[0], words[1]) if len(words) == 3 else ("GET", "?")


def exchange(server, data):
    """Sends bytes and gives the answer; `None` where the connection ends without one."""
    with server.connect() as connection:
        try:
            connection.send(data)
        except (BrokenPipeError, ConnectionResetError):
            pass  # it may have answered already
        try:
            return connection.receive(named(data)[0])
        except Cut:
            return None
        except TimeoutError:
            raise Cut("no answer, and the connection stays open for 10 s") from None


def post(server, body, *headers, path=PATH, type="application/json", host=None):
    """The bytes of a POST."""
    typed = [("Content-Type", type)] if type is not None else []
    return request("POST", path, body, [*typed, *headers], host or server.host)


def rows(table, prefix, make, claim):
    """Registers many rows that differ in one thing: name → (that thing, statuses)."""
    for name, (thing, *statuses) in table.items():
        row(f"{prefix} {name}", claim, *statuses)(lambda server, thing=thing: make(server, thing))


# JSON


def items(*values):
    return json.dumps({"items": list(values)}, separators=(",", ":")).encode()


rows(
    {
        "cut off": (b'{"items":["kale"', 400),
        "nothing": (b"", 400),
        "blanks": (b" \n ", 400),
        "two values": (b'{"items":["kale"]} {}', 400),
        "a comma too many": (b'{"items":["kale",]}', 400),
        "single quotes": (b"{'items':['kale']}", 400),
        "a bare word": (b"items=kale", 400),
        "NaN": (b'{"items":[{"name":"kale","x":NaN}]}', 400),
        "a bad escape": (b'{"items":["\\x41"]}', 400),
        "half a surrogate": (b'{"items":["\\ud800"]}', 400, 422),
        "a control character": (b'{"items":["a\x01b"]}', 400),
        "invalid UTF-8": (b'{"items":["oat \xff\xfe milk"]}', 400, 422),
        "overlong UTF-8": (b'{"items":["\xc0\xaf"]}', 400, 422),
        "UTF-8 cut off": (b'{"items":["\xe2\x82"]}', 400, 422),
        "UTF-16": ('{"items":["kale"]}'.encode("utf-16"), 400),
        "a byte order mark": (b"\xef\xbb\xbf" + items("kale"), 200, 400),
        "100,000 brackets": (b"[" * 100_000, 400),
        "100,000 braces": (b'{"a":' * 100_000, 400),
        "100,000 brackets that close": (b"[" * 100_000 + b"]" * 100_000, 400, 422),
        "a record with 100,000 brackets": (b'{"items":[{"name":"kale","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}]}", 400, 422),
        "a number of 100,000 digits": (b'{"items":[{"name":"kale","x":' + b"9" * 100_000 + b"}]}", 200, 400, 422),
        "1e999": (b'{"items":[{"name":"kale","x":1e999}]}', 200, 400, 422),
        "a field twice": (b'{"items":["kale"],"items":["bread"]}', 200, 400, 422),
        "an item with NUL": (b'{"items":["nul\\u0000"]}', 200, 422),
    },
    "JSON:",
    lambda server, body: post(server, body),
    "a body that is not JSON is 400",
)

rows(
    {
        "an array": (b"[]", 422),
        "null": (b"null", 422),
        "a text": (b'"kale"', 422),
        "a number": (b"7", 422),
        "true": (b"true", 422),
        "no items": (b"{}", 422),
        "no item": (items(), 422),
        "items as text": (b'{"items":"kale"}', 422),
        "items as null": (b'{"items":null}', 422),
        "items as object": (b'{"items":{"0":"kale"}}', 422),
        "a number as item": (items("kale", 7), 422),
        "null as item": (items(None), 422),
        "a list as item": (items(["kale"]), 422),
        "a record without its field": (items({"title": "kale"}), 422),
        "a record with a number": (items({"name": 7}), 422),
        "a record with null": (items({"name": None}), 422),
        "a store as number": (b'{"items":["kale"],"store":7}', 422),
        "a store as list": (b'{"items":["kale"],"store":["kroger"]}', 422),
        "a language as list": (b'{"items":["kale"],"language":["de"]}', 422),
        "a field as number": (b'{"items":["kale"],"field":7}', 422),
        "explain as text": (b'{"items":["kale"],"explain":"yes"}', 422),
    },
    "types:",
    lambda server, body: post(server, body),
    "JSON of another shape is 422",
)

rows(
    {
        "a misspelled store": (b'{"items":["kale"],"store":"krogr"}', 404),
        "an empty store": (b'{"items":["kale"],"store":""}', 404, 422),
        "a path as store": (b'{"items":["kale"],"store":"../kroger"}', 404, 422),
        "a store with NUL": (b'{"items":["kale"],"store":"kroger\\u0000"}', 404, 422),
        "an absolute path as store": (b'{"items":["kale"],"store":"/etc/passwd"}', 404, 422),
        "a long store": (json.dumps({"items": ["kale"], "store": "x" * 100_000}).encode(), 404, 422),
    },
    "store:",
    lambda server, body: post(server, body),
    "a store that is not there is 404",
)
row("store: did you mean", "a misspelled store is told what it may mean", 404, said="kroger")(
    lambda server: post(server, b'{"items":["kale"],"store":"krogr"}')
)
rows(
    {
        "one that is not there": (b'{"items":["kale"],"language":"xx"}', 422),
        "an empty one": (b'{"items":["kale"],"language":""}', 422),
        "a path": (b'{"items":["kale"],"language":"../de"}', 422),
        "one twice": (b'{"items":["kale"],"language":"de,de"}', 422),
        "a thousand": (json.dumps({"items": ["kale"], "language": ",".join(["de"] * 1000)}).encode(), 422),
        "a long one": (json.dumps({"items": ["kale"], "language": "x" * 100_000}).encode(), 422),
    },
    "language:",
    lambda server, body: post(server, body),
    "a language that is not there is 422",
)
row("language: did you mean", "a misspelled language is told what it may mean", 422, said="de")(
    lambda server: post(server, b'{"items":["kale"],"language":"dee"}')
)
row("section: did you mean", "a misspelled section is told what it may mean", 422, said="Snacks")(
    lambda server: post(server, b'{"item":"kale","section":"Snakcs"}', path="/v1/corrections")
)

# Sizes

row("size: 1 MiB", "a body of 1 MiB is taken", 200)(
    lambda server: post(server, b'{"items":["kale"],"x":"' + b"x" * (MEBIBYTE - 25) + b'"}')
)
row("size: 1 MiB and a byte", "a larger body is 413", 413)(
    lambda server: post(server, b'{"items":["kale"],"x":"' + b"x" * (MEBIBYTE - 24) + b'"}')
)
row("size: 1 TB announced", "a body that is announced too large is refused before it comes", 413)(
    lambda server: post(server, b"{", ("Content-Length", "1000000000000"))
)
row("size: 10,001 items", "more than 10,000 items are 413", 413)(lambda server: post(server, items(*["kale"] * 10_001)))
row("size: 10,001 records", "more than 10,000 items are 413", 413)(lambda server: post(server, items(*[{"name": "kale"}] * 10_001)))
row("size: 10,001 suggestions", "more than 10,000 are refused", 413, 422)(
    lambda server: post(server, json.dumps({"suggestions": [{"item": "kale", "to": "Snacks"}] * 10_001}).encode(), path="/v1/suggestions")
)
row("size: one item of 1 MB", "a long item is answered", 200)(lambda server: post(server, items("x" * 1_000_000)))
row("size: a header of 100 KiB", "large headers are 431", 431)(
    lambda server: request("GET", "/health", headers=[("X-Long", "x" * 102_400)], host=server.host)
)
row("size: 10,000 headers", "many headers are 431", 431)(
    lambda server: request("GET", "/health", headers=[(f"X-{number}", "x") for number in range(10_000)], host=server.host)
)
row("size: a path of 64 KiB", "a long path is an error", 400, 404, 414, 431)(
    lambda server: request("GET", "/" + "x" * 65_536, host=server.host)
)
row("size: a token of 64 KiB", "a long token is an error", 401, 431)(
    lambda server: request("GET", "/v1/me", headers=[("Authorization", "Bearer " + "x" * 65_536)], host=server.host)
)

# What the body is said to be

rows(
    {
        "text/plain": ("text/plain", 415),
        "a form": ("application/x-www-form-urlencoded", 415),
        "multipart": ("multipart/form-data; boundary=x", 415),
        "xml": ("application/xml", 415),
        "nothing": (None, 415),
        "empty": ("", 415),
        "nonsense": (";;=", 400, 415),
        "JSON in Latin-1": ("application/json; charset=latin-1", 200, 415),
        "JSON in UTF-8": ("application/json; charset=utf-8", 200),
        "JSON in capitals": ("APPLICATION/JSON", 200),
    },
    "type:",
    lambda server, type: post(server, items("kale"), type=type),
    "a body that is not said to be JSON is 415",
)
rows(
    {
        "gzip": (("gzip", gzip.compress(items("kale"))), 415),
        "deflate": (("deflate", zlib.compress(items("kale"))), 415),
        "brotli": (("br", b"\x0b\x02\x80"), 415),
        "a bomb": (("gzip", gzip.compress(bytes(100 * MEBIBYTE))), 415),
        "twice": (("gzip, gzip", gzip.compress(gzip.compress(items("kale")))), 415),
        "identity": (("identity", items("kale")), 200, 415),
    },
    "compressed:",
    lambda server, pair: post(server, pair[1], ("Content-Encoding", pair[0])),
    "a compressed body is 415, and is not unpacked",
)

# Lengths and chunks

CHUNKED = ("Transfer-Encoding", "chunked")


def in_chunks(*pieces, end=b"0\r\n\r\n"):
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + end


rows(
    {
        "good": (in_chunks(b'{"items":', b'["kale"]}'), 200),
        "a byte each": (in_chunks(*(bytes([byte]) for byte in items("kale"))), 200),
        "with an extension": (b"12;a=b\r\n" + items("kale") + b"\r\n0\r\n\r\n", 200),
        "with a trailer": (in_chunks(items("kale"), end=b"0\r\nX-After: 1\r\n\r\n"), 200),
        "a size that is no number": (b"zz\r\n" + items("kale") + b"\r\n0\r\n\r\n", 400),
        "a negative size": (b"-5\r\n" + items("kale") + b"\r\n0\r\n\r\n", 400),
        "a size with 0x": (b"0x12\r\n" + items("kale") + b"\r\n0\r\n\r\n", 400),
        "a size beyond 64 bits": (b"fffffffffffffffff\r\n" + items("kale"), 400, 413),
        "a size that is too small": (b"5\r\n" + items("kale") + b"\r\n0\r\n\r\n", 400),
        "more than 1 MiB": (in_chunks(*[b" " * 65_536] * 17, items("kale")), 413),
        "a huge chunk announced": (b"7fffffffffffffff\r\n" + b" " * (2 * MEBIBYTE), 413, 400),
    },
    "chunks:",
    lambda server, body: post(server, body, CHUNKED),
    "chunks are taken, and wrong ones are 400",
)
rows(
    {
        "two that differ": ([("Content-Length", "18"), ("Content-Length", "19")], 400),
        "two that agree": ([("Content-Length", "18"), ("Content-Length", "18")], 200, 400),
        "two in one": ([("Content-Length", "18, 19")], 400),
        "negative": ([("Content-Length", "-1")], 400),
        "a plus": ([("Content-Length", "+18")], 400),
        "hexadecimal": ([("Content-Length", "0x12")], 400),
        "a word": ([("Content-Length", "abc")], 400),
        "beyond 64 bits": ([("Content-Length", "99999999999999999999")], 400, 413),
        "and chunks": ([("Content-Length", "18"), CHUNKED], 400),
        "chunks twice": ([CHUNKED, CHUNKED], 400),
        "chunks and gzip": ([("Transfer-Encoding", "gzip, chunked")], 400, 415, 501),
        "an unknown encoding": ([("Transfer-Encoding", "strange")], 400, 415, 501),
        "a blank before the colon": ([("Content-Length ", "18")], 400),
        "a folded line": ([("X-Folded", "a\r\n b"), ("Content-Length", "18")], 200, 400),
        "a line feed in a header": ([("X-Fed", "a\nb"), ("Content-Length", "18")], 400),
        "NUL in a header": ([("X-Nul", "a\0b"), ("Content-Length", "18")], 400),
    },
    "length:",
    lambda server, headers: post(server, items("kale"), *headers),
    "a length that can be read in two ways is 400",
)

# Paths

rows(
    {
        "dots": ("/../../etc/passwd", 400, 404),
        "dots in a store": ("/v1/stores/../../etc/passwd", 400, 404),
        "escaped dots": ("/%2e%2e/%2e%2e/etc/passwd", 400, 404),
        "escaped slashes": ("/v1/stores/..%2f..%2fetc%2fpasswd", 400, 404),
        "escaped twice": ("/v1/stores/%252e%252e%252fkroger", 400, 404),
        "dots to a store": ("/v1/stores/%2e%2e%2fkroger", 400, 404),
        "backslashes": ("/v1/stores/..\\..\\etc", 400, 404),
        "two slashes": ("//etc/passwd", 400, 404),
        "another host": ("//evil.example/v1/me", 400, 403, 404),
        "NUL": ("/%00", 400, 404),
        "NUL in a store": ("/v1/stores/kroger%00", 400, 404),
        "NUL in a shelf": ("/v1/stores/kroger/shelves/plant-milk%00", 400, 404),
        "dots as a shelf": ("/v1/stores/kroger/shelves/%2e%2e%2fpatterns", 400, 404),
        "a file's name as a shelf": ("/v1/stores/kroger/shelves/plant-milk.txt", 400, 404),
        "dots behind a file": ("/app.css/../../etc/passwd", 400, 404),
        "a shelf that is no file": ("/v1/stores/kroger/shelves/..", 400, 404),
        "invalid UTF-8": ("/v1/stores/%ff%fe", 400, 404),
        "raw invalid UTF-8": ("/v1/stores/\xff\xfe", 400, 404),
        "a percent sign": ("/v1/stores/%", 400, 404),
        "no hexadecimal": ("/v1/stores/%zz", 400, 404),
        "a blank": ("/v1/stores/a%20b", 404),
        "a slash at the end": ("/v1/stores/kroger/", 200, 404),
        "capitals": ("/V1/STORES", 404),
        "a fragment": ("/health#x", 200, 400, 404),
        "a semicolon": ("/v1/stores;x=y", 400, 404),
        "an asterisk": ("*", 400, 404),
        "no slash": ("health", 400, 404),
        "a scheme": ("http://evil.example/health", 400, 403),
        "a line feed escaped": ("/v1/stores/%0d%0aX-Evil:%201", 400, 404),
        "markup": ("/v1/stores/%3Cimg%20src=x%20onerror=alert(1)%3E", 404),
        "a query of invalid UTF-8": ("/v1/stores/kroger/search?q=%ff%fe", 200, 400),
        "a query with NUL": ("/v1/stores/kroger/search?q=a%00b", 200, 400),
        "a query escaped badly": ("/v1/stores/kroger/search?q=%zz", 200, 400),
        "a long query": ("/v1/stores/kroger/search?q=" + "x" * 8_000, 200, 400, 414, 431),
        "q twice": ("/v1/stores/kroger/search?q=a&q=b", 200, 400),
    },
    "path:",
    lambda server, path: request("GET", path, host=server.host),
    "a path that leads elsewhere leads nowhere",
)

# Methods

rows(
    {
        "PUT": (("PUT", "/v1/corrections"), 405),
        "PATCH": (("PATCH", "/v1/corrections"), 405),
        "DELETE": (("DELETE", "/v1/categorize"), 405),
        "GET where only POST is": (("GET", "/v1/categorize"), 405),
        "POST where only GET is": (("POST", "/v1/stores"), 405),
        "unknown": (("BREW", "/v1/me"), 400, 405, 501),
        "lower case": (("get", "/v1/me"), 400, 405, 501),
        "TRACE": (("TRACE", "/v1/me"), 400, 405, 501),
        "CONNECT": (("CONNECT", "evil.example:443"), 400, 403, 404, 405, 501),
        "OPTIONS": (("OPTIONS", "/v1/corrections"), 200, 204, 405),
        "unknown on a path that is not there": (("PUT", "/v1/nothing"), 404, 405),
    },
    "method:",
    lambda server, pair: request(*pair, host=server.host),
    "a method that a path does not take is 405, with those that it takes",
)


@case("405 names the methods that the path takes", "bad input: method: Allow")
def allow(bench):
    for path, methods in {
        "/v1/corrections": {"GET", "POST", "DELETE"},
        "/v1/categorize": {"POST"},
        "/v1/stores": {"GET"},
        "/": {"GET", "POST"},
        "/health": {"GET"},
        "/categorize": {"POST"},
    }.items():
        answer = bench.server.expect(405, "PATCH", path)
        named = {word.strip() for word in answer.header("allow").split(",")}
        expect(methods <= named <= methods | {"HEAD", "OPTIONS"}, f"{path} allows {answer.header('allow')}")


@case("HEAD has the headers of GET and no body, or is 405; OPTIONS opens nothing to other sites", "bad input: method: HEAD and OPTIONS")
def head(bench):
    for path in ("/health", "/v1/me", "/", "/app.css", "/v1/nothing"):
        with bench.server.connect() as connection:
            connection.send(request("HEAD", path, host=bench.server.host) + request("GET", "/health", host=bench.server.host))
            answer = connection.receive("HEAD")
            try:
                after = connection.receive()
            except (Cut, TimeoutError) as problem:
                raise Broken(f"HEAD {path}: {answer.status} {answer.headers}, and then {problem}") from None
            expect(answer.status in (200, 405) or path == "/v1/nothing" and answer.status == 404, f"HEAD {path}", answer)
            expect(after.status == 200 and after.json == {"status": "healthy"}, f"HEAD {path} has a body", after)
            bench.server.check("HEAD", path, answer)
    answer = bench.server.ask(
        "OPTIONS",
        "/v1/corrections",
        headers=[
            ("Origin", "https://evil.example"),
            ("Access-Control-Request-Method", "POST"),
            ("Access-Control-Request-Headers", "content-type"),
        ],
    )
    expect(not [name for name, _ in answer.headers if name.lower().startswith("access-control")], "other sites are let in", answer.headers)


# Versions and other protocols

row("version: HTTP/1.0", "HTTP/1.0 is answered", 200)(lambda server: request("GET", "/health", host=server.host, version="HTTP/1.0"))
row("version: HTTP/1.0 without Host", "HTTP/1.0 needs no Host, but may be refused", 200, 400, 403)(
    lambda server: request("GET", "/health", version="HTTP/1.0")
)
row("version: HTTP/1.1 without Host", "HTTP/1.1 needs a Host", 400, 403)(lambda server: request("GET", "/health"))
row("version: HTTP/0.9", "HTTP/0.9 is refused", 400, 505, CLOSED)(lambda server: b"GET /\r\n\r\n")
row("version: HTTP/9.9", "an unknown version is refused", 400, 505, CLOSED)(
    lambda server: request("GET", "/health", host=server.host, version="HTTP/9.9")
)
row("version: HTTP/2 preface", "HTTP/2 without TLS is refused", 400, 505, CLOSED)(lambda server: b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
row("version: TLS", "TLS on a plain port is refused", 400, CLOSED)(
    lambda server: bytes.fromhex("16030100a5010000a10303") + b"\0" * 160 + b"\r\n\r\n"
)
row("version: nonsense", "nonsense is refused", 400, CLOSED)(lambda server: b"\x00\xff\xfe nonsense\r\n\r\n")
row("version: blank lines", "blank lines before a request are refused or skipped", 200, 400, CLOSED)(
    lambda server: b"\r\n\r\n" + request("GET", "/health", host=server.host)
)
row("version: bare line feeds", "bare line feeds are taken or refused", 200, 400, CLOSED)(
    lambda server: request("GET", "/health", host=server.host).replace(b"\r\n", b"\n")
)
row("upgrade: websocket", "an upgrade is ignored or refused", 200, 400, 426)(
    lambda server: request("GET", "/v1/me", headers=[("Connection", "Upgrade"), ("Upgrade", "websocket")], host=server.host)
)
row("upgrade: h2c", "an upgrade is ignored or refused", 200, 400, 426)(
    lambda server: request(
        "GET",
        "/v1/me",
        headers=[("Connection", "Upgrade, HTTP2-Settings"), ("Upgrade", "h2c"), ("HTTP2-Settings", "AAMAAABk")],
        host=server.host,
    )
)
row("expect: nonsense", "an expectation that nobody knows is ignored or refused", 200, 400, 417)(
    lambda server: post(server, items("kale"), ("Expect", "nonsense"))
)


@case("a client that waits for 100 Continue gets its answer", "bad input: expect: 100-continue")
def expect_continue(bench):
    body = items("kale")
    with bench.server.connect() as connection:
        connection.send(
            request("POST", PATH, None, [*JSON, ("Content-Length", str(len(body))), ("Expect", "100-continue")], bench.server.host)
        )
        connection.socket.settimeout(3)
        try:
            line = connection.line()
            expect(line.startswith(b"HTTP/1.1 100"), f"the first line is {line!r}")
            connection.line()
        except TimeoutError:
            pass  # it need not say that it waits
        connection.socket.settimeout(10)
        connection.send(body)
        answer = connection.receive("POST")
        expect(answer.status == 200, "no answer", answer)


# Hosts and origins


def from_host(server, host):
    return request("GET", "/v1/me", host=host(server))


rows(
    {
        "its own": (lambda server: f"127.0.0.1:{server.port}", 200),
        "localhost": (lambda server: f"localhost:{server.port}", 200),
        "LOCALHOST": (lambda server: f"LOCALHOST:{server.port}", 200),
        "evil": (lambda server: "evil.example", 403),
        "evil with the port": (lambda server: f"evil.example:{server.port}", 403),
        "its own as a part": (lambda server: f"127.0.0.1.evil.example:{server.port}", 403),
        "its own in front": (lambda server: f"127.0.0.1:{server.port}@evil.example", 400, 403),
        "another address": (lambda server: f"192.168.0.1:{server.port}", 403),
        "empty": (lambda server: "", 400, 403),
        "nonsense": (lambda server: "a b", 400, 403),
        "a port that is no number": (lambda server: "127.0.0.1:x", 400, 403),
        "localhost with a word": (lambda server: f"localhost.evil.example:{server.port}", 403),
        "a path": (lambda server: f"localhost:{server.port}/x", 400, 403),
        "NUL": (lambda server: "127.0.0.1\0evil", 400, 403),
    },
    "host:",
    from_host,
    "a Host that is not the server's is 403",
)
row("host: two", "two Hosts are refused", 400, 403)(
    lambda server: request("GET", "/v1/me", headers=[("Host", "evil.example")], host=server.host)
)
row("host: evil, on health", "also where no token is needed", 403)(lambda server: request("GET", "/health", host="evil.example"))
row("host: evil, on the page", "also on the page", 403)(lambda server: request("GET", "/", host="evil.example"))


@case("what another site posts or deletes changes nothing and is 403; its own origin may", "bad input: origin")
def origins(bench):
    server = bench.server
    taken = []
    value = {"item": "oat milk", "section": "Snacks"}
    for origin in (
        "https://evil.example",
        "null",
        "",
        f"http://127.0.0.1:{server.port + 1}",
        "http://127.0.0.1",
        f"http://127.0.0.1:{server.port}.evil.example",
        f"http://127.0.0.1:{server.port}@evil.example",
        "nonsense",
    ):
        for method, path, *body in (
            ("POST", "/v1/corrections", value),
            ("DELETE", "/v1/corrections?item=oat+milk"),
            ("POST", "/v1/undo", {}),
            ("POST", "/v1/suggestions", {"suggestions": [{"item": "kale", "to": "Snacks"}]}),
        ):
            answer = server.ask(method, path, *body, headers=[("Origin", origin)])
            if answer.status != 403:
                taken.append(f"{method} {path} from {origin!r}: {answer}")
    expect(not taken, f"{len(taken)} requests are not refused", *taken)
    taught = server.expect(200, "POST", "/v1/corrections", value, headers=[("Origin", f"http://127.0.0.1:{server.port}")]).json
    server.post("/v1/undo", {"action": taught["action"]})
    server.expect(200, "GET", "/v1/stores", headers=[("Origin", "https://evil.example")])
