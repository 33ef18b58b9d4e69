"""Connections that are slow, cut off, or many."""

import concurrent.futures
import contextlib
import json
import os
import random
import re
import socket
import struct
import time

from bench import case
from running import JSON, expect
from wire import Connection, Cut, request

PATH = "/v1/categorize"
BODY = json.dumps({"items": ["kale"]}).encode()
HEADER_LIMIT = 35  # seconds: the most that a client may take for its headers
IDLE_LIMIT = 95  # seconds: the most that a connection may do nothing


def drip(server, data, pause, limit):
    """Sends a byte at a time, and gives after how many seconds the server ends it, and with what."""
    began = time.monotonic()
    with server.connect() as connection:
        connection.socket.settimeout(pause)
        got = b""
        for byte in data:
            with contextlib.suppress(TimeoutError):
                try:
                    connection.send(bytes([byte]))
                    piece = connection.socket.recv(4096)
                except ConnectionError:
                    piece = b""
                if not piece:
                    return time.monotonic() - began, got
                got += piece
            if time.monotonic() - began > limit:
                break
    return None, got


@case("a client that sends a header byte every 200 ms is cut off, and many of them keep nobody from the server")
def slow_loris(bench):
    with bench.running() as server, concurrent.futures.ThreadPoolExecutor(60) as pool:
        data = request("GET", "/health", headers=[("X-Slow", "x" * 100_000)], host=server.host)
        runs = [pool.submit(drip, server, data, 0.2, HEADER_LIMIT) for _ in range(50)]
        stalled = [server.connect(HEADER_LIMIT) for _ in range(50)]
        for connection in stalled:
            connection.send(b"GET /health HTTP/1.1\r\nHost:")
        while not all(run.done() for run in runs):
            server.is_well()
            time.sleep(0.5)
        took = [run.result()[0] for run in runs]
        expect(None not in took, f"{took.count(None)} of 50 may go on for more than {HEADER_LIMIT} s")
        expect(all(connection.is_closed(5) for connection in stalled), "one that sends half of its headers and stops is kept for longer")
        return f"after {max(took):.1f} s"


@case("a client that says nothing, or sends half a body and stops, is cut off", is_slow=True)
def stalled_clients(bench):
    with bench.running() as server:
        idle, half, kept = server.connect(), server.connect(), server.connect()
        half.send(request("POST", PATH, BODY[:5], [*JSON, ("Content-Length", str(len(BODY)))], server.host))
        kept.send(request("GET", "/health", host=server.host))
        kept.receive()
        began, notes = time.monotonic(), []
        for name, connection in (("half a body", half), ("nothing", idle), ("nothing after an answer", kept)):
            left = IDLE_LIMIT - (time.monotonic() - began)
            expect(connection.is_closed(max(left, 1)), f"{name}: open after {IDLE_LIMIT} s")
            notes.append(f"{name}: {time.monotonic() - began:.0f} s")
        return "; ".join(notes)


@case("a body that comes slowly but steadily is waited for")
def slow_body(bench):
    with bench.server.connect() as connection:
        connection.send(request("POST", PATH, None, [*JSON, ("Content-Length", str(len(BODY)))], bench.server.host))
        for byte in BODY:
            connection.send(bytes([byte]))
            time.sleep(0.05)
        expect(connection.receive("POST").status == 200, "no answer")


@case("a client that has said all that it will say gets its answer")
def half_closed(bench):
    for data in (request("GET", "/health", host=bench.server.host), request("POST", PATH, BODY, JSON, bench.server.host)):
        with bench.server.connect() as connection:
            connection.send(data)
            connection.finish()
            answer = connection.receive()
            expect(answer.status == 200, "no answer", answer)


@case("a request that ends in the middle, at any byte, is no request")
def cut_off(bench):
    server = bench.server
    data = request("POST", "/v1/corrections", json.dumps({"item": "cut off", "section": "Snacks"}).encode(), JSON, server.host)
    for end in range(0, len(data), 3):
        with server.connect() as connection:
            connection.send(data[:end])
            connection.finish()
            try:
                answer = connection.receive()
                expect(400 <= answer.status < 500, f"cut off after {end} of {len(data)} bytes: {answer}")
            except Cut:
                pass
    expect(not server.get("/v1/corrections?q=cut+off")["corrections"], "half a request was obeyed")


@case("clients that go away without reading, some with a reset, leave no trace")
def gone(bench):
    server, generator = bench.server, random.Random(1)
    body = json.dumps({"items": ["kale"] * 2_000}).encode()
    before = descriptors(server)
    for _ in range(100):
        connection = server.connect()
        connection.send(request("POST", PATH, body, JSON, server.host))
        if generator.random() < 0.5:
            connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        time.sleep(generator.random() * 0.005)
        connection.socket.close()
    # It still works on 200,000 items: it answers others meanwhile, in its own time on a slow machine.
    answer = server.ask("GET", "/health", timeout=60)
    expect(answer.status in (200, 503), "/health is not well meanwhile", answer)
    deadline = time.monotonic() + 120
    while descriptors(server) > before + 5 and time.monotonic() < deadline:
        time.sleep(0.1)
    expect(descriptors(server) <= before + 5, f"{before} descriptors before, {descriptors(server)} after")
    server.is_well()


def descriptors(server):
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


@case("pipelined requests are answered in order, also with errors among them")
def pipelined(bench):
    server = bench.server
    asked = []
    for number in range(60):
        body = json.dumps({"items": [f"item {number}"]}).encode() if number % 3 else b"{"
        asked.append(request("POST", PATH, body, JSON, server.host))
    with server.connect() as connection:
        connection.send(b"".join(asked))
        for number in range(60):
            answer = connection.receive("POST")
            expect(answer.status == (200 if number % 3 else 400), f"answer {number}", answer)
            expect(answer.status == 400 or answer.json["results"][0]["item"] == f"item {number}", f"answer {number} is another's", answer)


@case("however a question is sent, its answer is the same, is counted, and comes in its turn")
def alike(bench):
    with bench.running() as server:  # of its own: one that others call may still count what they left behind
        alike_at(server)


def alike_at(server):
    ways = {  # only the first two are as plain as can be
        "plain": JSON,
        "kept alive": [*JSON, ("Connection", "keep-alive")],
        "a charset": [("Content-Type", "application/json; charset=utf-8")],
        "an origin": [*JSON, ("Origin", f"http://{server.host}")],
        "a long body": [*JSON, ("X-Long", "1")],
    }
    questions = [{"items": ["kale", "2 lbs chicken thighs"]}, {"items": [{"id": 7, "name": "Nutella"}], "store": "walmart"}, {"items": ["oat milk"], "explain": True}]

    def count():
        found = re.findall(r'aisle_requests_total\{method="POST",path="/v1/categorize",status="200"\} (\d+)', server.expect(200, "GET", "/metrics").body.decode())
        return int(found[0]) if found else 0

    for question in questions:
        server.post(PATH, question)  # opens the store
        before, answers = count(), {}
        with server.connect() as connection:
            asked = {}
            for way, headers in ways.items():
                body = json.dumps(question).encode()
                asked[way] = request("POST", PATH, body + b" " * (70_000 if way == "a long body" else 0), headers, server.host)
            connection.send(b"".join(asked.values()))
            for way in asked:
                answers[way] = connection.receive("POST")
            for way, data in asked.items():
                connection.send(data)
                again = connection.receive("POST")
                expect(again.body == answers[way].body, f"{way}: another answer by itself", again)
        for way, answer in answers.items():
            expect(answer.status == 200 and answer.json == answers["plain"].json, f"{way}: another answer", answer)
            expect(answer.all("date") and answer.all("server") == ["aisle"], f"{way}: headers", answer)
        expect(count() == before + 2 * len(ways), f"{count() - before} of {2 * len(ways)} are counted")


@case("a question is answered alike wherever it is cut in two, and so are those before and behind it")
def in_parts(bench):
    server = bench.server
    data = request("POST", PATH, BODY, JSON, server.host)
    other = request("GET", "/v1/me", host=server.host)
    for end in range(1, len(data), 1 if not bench.options.quick else 5):
        with server.connect() as connection:
            for parts, count in (
                ((data[:end], data[end:]), 1),
                ((data,), 1),
                ((data[:end], data[end:] + data), 2),
                ((data + other[: end % 40], other[end % 40 :]), 2),
            ):
                for part in parts:
                    connection.send(part)
                    time.sleep(0.002)
                statuses = [connection.receive().status for _ in range(count)]
                expect(set(statuses) == {200}, f"cut after {end} bytes: {statuses}")


@case("a client that asks and reads no answers costs no memory")
def deaf_asker(bench):
    with bench.running() as server, server.connect(1) as connection:
        data = request("POST", PATH, json.dumps({"items": ["kale"] * 1_000}).encode(), JSON, server.host)
        connection.send(data)
        connection.receive("POST")
        before = server.memory()
        with contextlib.suppress(TimeoutError):
            for _ in range(600):  # some 100 MB of answers
                connection.send(data)
                time.sleep(0.002)
        server.is_well()
        expect(server.memory() - before < 30, f"{before:.0f} MB before, {server.memory():.0f} after")
        return f"{server.memory() - before:.0f} MB"


@case("what follows a body that was not read is no request")
def smuggled(bench):
    server = bench.server
    inner = request("DELETE", "/v1/corrections?item=smuggled", host=server.host)
    server.post("/v1/corrections", {"item": "smuggled", "section": "Snacks"})
    for path, headers in (
        ("/v1/nothing", JSON),
        (PATH, [("Content-Type", "text/plain")]),
        ("/v1/stores", JSON),
        (PATH, [*JSON, ("Origin", "null")]),
    ):
        with server.connect() as connection:
            connection.send(request("POST", path, inner, headers, server.host))
            with contextlib.suppress(Cut):
                connection.receive("POST")
                connection.send(request("GET", "/health", host=server.host))
                after = connection.receive()
                expect(after.json == {"status": "healthy"}, f"after POST {path}: an answer to another request", after)
    expect(server.get("/v1/corrections?q=smuggled")["corrections"], "the inner request was obeyed")


@case("a connection serves many requests, and closes when asked to; HTTP/1.0 closes without being asked")
def kept_alive(bench):
    server = bench.server
    with server.connect() as connection:
        for _ in range(200):
            expect(server.ask("GET", "/health", on=connection).status == 200, "no answer")
        connection.send(request("GET", "/health", headers=[("Connection", "close")], host=server.host))
        connection.receive()
        expect(connection.is_closed(3), "`Connection: close` is not obeyed")
    with server.connect() as connection:
        connection.send(request("GET", "/health", host=server.host, version="HTTP/1.0"))
        expect(connection.receive().status == 200, "no answer")
        expect(connection.is_closed(3), "HTTP/1.0 is kept open")


@case("500 idle connections keep nobody from the server, and all are given back")
def many_connections(bench):
    server = bench.server
    before = descriptors(server)
    with contextlib.ExitStack() as end:
        connections = [end.enter_context(Connection(server.port)) for _ in range(500)]
        for _ in range(20):
            server.is_well()
        expect(server.ask("GET", "/health", on=connections[250]).status == 200, "one of them gets no answer")
    deadline = time.monotonic() + 10
    while descriptors(server) > before + 5 and time.monotonic() < deadline:
        time.sleep(0.1)
    expect(descriptors(server) <= before + 5, f"{before} descriptors before, {descriptors(server)} after")


@case("bytes at random, and good requests with bytes changed at random, are survived (seeded)")
def random_bytes(bench):
    server = bench.server
    for seed in range(60 if bench.options.quick else 600):
        generator = random.Random(seed)
        data = bytearray(request("POST", PATH, BODY, [*JSON, ("Accept", "*/*")], server.host))
        if seed % 4 == 0:
            data = bytearray(generator.randbytes(300))
        else:
            for _ in range(generator.randint(1, 4)):
                data[generator.randrange(len(data))] = generator.randrange(256)
        with server.connect(2) as connection:
            with contextlib.suppress(OSError, Cut, TimeoutError, ValueError):
                connection.send(bytes(data))
                connection.finish()
                answer = connection.receive("POST")
                expect(answer.status < 500 or answer.status in (501, 505), f"seed {seed}: {answer}", bytes(data))
        if seed % 20 == 0:
            server.is_well()
