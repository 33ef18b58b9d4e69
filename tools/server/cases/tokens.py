"""Who gets in, and what each may do."""

import concurrent.futures
import json
import socket
import subprocess
import time

from bench import case
from running import JSON, clean_environment, expect, free_port
from wire import request

LEVELS = ["read", "teach", "check"]
WRONG = ["x", "", "Bearer", "aisle", "0" * 64, "' OR 1=1", "null"]


class Tokens:
    """A file of tokens, made by the command."""

    def __init__(self, bench):
        self.bench, self.folder = bench, bench.make_folder()
        self.file = self.folder / "tokens"

    def add(self, name, can):
        made = self.bench.run("token", "add", name, "--can", can, "--tokens", self.file, folder=self.folder)
        expect(made.returncode == 0, f"token add: exit {made.returncode}", made.stdout, made.stderr)
        words = made.stdout.split()
        expect(len(words) == 1 and len(words[0]) >= 32, "standard output is not the token alone", made.stdout)
        return words[0]

    def revoke(self, name):
        ended = self.bench.run("token", "revoke", name, "--tokens", self.file, folder=self.folder)
        expect(ended.returncode == 0, f"token revoke: exit {ended.returncode}", ended.stdout, ended.stderr)


def concrete(template):
    return template.replace("{store}", "kroger").replace("{shelf}", "plant-milk")


def example(operation):
    """The body that the file shows for an operation."""
    if "requestBody" not in operation:
        return []
    media = operation["requestBody"]["content"]["application/json"]
    return [media["example"] if "example" in media else next(iter(media["examples"].values()))["value"]]


@case("a token is printed once and kept only as a hash, in a file that only its owner reads; it can be listed and revoked")
def tokens_are_kept(bench):
    tokens = Tokens(bench)
    token = tokens.add("jane", "teach")
    kept = tokens.file.read_bytes()
    expect(token.encode() not in kept and token.split(".")[-1].encode() not in kept, "the token is in the file")
    expect(tokens.file.stat().st_mode & 0o077 == 0, f"others may read the file: {oct(tokens.file.stat().st_mode)}")
    listed = bench.run("token", "list", "--tokens", tokens.file, folder=tokens.folder)
    expect("jane" in listed.stdout and "teach" in listed.stdout and token not in listed.stdout, "the list", listed.stdout, listed.stderr)
    expect(tokens.add("joe", "read") != token, "the same token twice")
    again = bench.run("token", "add", "jane", "--can", "check", "--tokens", tokens.file, folder=tokens.folder)
    expect(again.returncode != 0 and "jane" in again.stderr, "a second token of one name", again.stdout, again.stderr)
    for words in (("add", "x", "--can", "everything"), ("add", ""), ("revoke", "nobody")):
        refused = bench.run("token", *words, "--tokens", tokens.file, folder=tokens.folder)
        expect(refused.returncode != 0 and refused.stderr, f"token {' '.join(words)} is obeyed", refused.stdout)


@case("each level may do what it says and what those before may, and no more; without a token, nothing but what is open to all")
def levels(bench):
    tokens = Tokens(bench)
    given = {level: tokens.add(f"may-{level}", level) for level in LEVELS}
    with bench.running("--host", "0.0.0.0", "--tokens", tokens.file) as server:
        wrong = []
        for method, template, operation in bench.description.operations():
            level, path = operation.get("x-token-level"), concrete(template)
            if path == "/v1/events":
                continue
            if "item" in [each.get("name") for each in operation.get("parameters", [])]:
                path += "?item=nothing"
            if template.endswith("/search"):
                path += "?q=milk"
            for name, token in [("no token", None), ("a wrong token", "wrong"), *given.items()]:
                answer = server.ask(method, path, *example(operation), token=token, is_checked=False)
                if level and name in ("no token", "a wrong token"):
                    is_right = answer.status == 401
                elif level and LEVELS.index(name) < LEVELS.index(level):
                    is_right = answer.status == 403
                else:
                    is_right = answer.status not in (401, 403) or (level is None and name == "a wrong token" and answer.status == 401)
                if not is_right:
                    wrong.append(f"{method} {path} with {name}: {answer}")
        expect(not wrong, f"{len(wrong)} answers", *wrong[:8])
        for name, token in given.items():
            me = server.get("/v1/me", token=token)
            expect((me["name"], me["can"], me["needs_token"]) == (f"may-{name}", name, True), "/v1/me", me)
        good, taken = given["check"], []
        changed = (good[:-1], good + "x", good.swapcase(), good[::-1], f"{good} {good}", f"{good},{good}")
        values = [f"Bearer {token}" for token in (*WRONG, *changed)] + [good, f"Basic {good}", f"Token {good}", ""]
        for value in values:
            answer = server.ask("GET", "/v1/me", token=None, headers=[("Authorization", value)])
            if answer.status != 401:
                taken.append(f"Authorization: {value.replace(good, 'GOOD')!r}: {answer}")
        expect(not taken, "wrong tokens are taken", *taken)
        server.expect({200}, "GET", "/v1/stores", token=None, headers=[("Authorization", f"bearer {good}")])
        server.expect(401, "GET", f"/v1/stores?token={good}", token=None)
        with server.connect() as connection:
            connection.send(request("GET", "/v1/events", host=server.host))
            expect(connection.receive().status == 401, "events are open to all")
        for path in ("/", "/app.css", "/app.js", "/health", "/openapi.json"):
            server.expect(200, "GET", path, token=None, is_checked=False)
        expect(not [token for token in given.values() if token in server.said()], "a token is in the log")
        expect(good not in str(server.get("/v1/me", token=good)), "a token comes back")


@case("on loopback, no token is needed, but a wrong one is refused, and one that may less may less")
def loopback(bench):
    tokens = Tokens(bench)
    token = tokens.add("jane", "read")
    with bench.running("--tokens", tokens.file) as server:
        server.expect(200, "POST", "/v1/corrections", {"item": "x y", "section": "Snacks"})
        server.expect(403, "POST", "/v1/corrections", {"item": "x y", "section": "Snacks"}, token=token, said="teach")
        server.expect(401, "GET", "/v1/stores", token="wrong")
    bench.server.expect(401, "GET", "/v1/stores", token="wrong")


@case("a revoked token is refused within a second, and a new one is taken, without a restart")
def revoked(bench):
    tokens = Tokens(bench)
    jane = tokens.add("jane", "check")
    with bench.running("--host", "0.0.0.0", "--tokens", tokens.file) as server:
        server.expect(200, "GET", "/v1/stores", token=jane)
        joe = tokens.add("joe", "read")
        wait_for(server, joe, 200)
        tokens.revoke("jane")
        wait_for(server, jane, 401)
        server.expect(200, "GET", "/v1/stores", token=joe)


def wait_for(server, token, status):
    time.sleep(1)
    server.expect(status, "GET", "/v1/stores", token=token)


@case("any host but loopback needs tokens, or the server does not start and says how to make one")
def host_needs_tokens(bench):
    for words in (["--host", "0.0.0.0"], ["--host", "::"], ["--host", "0.0.0.0", "--tokens", "/nonexistent/tokens"]):
        folder = bench.make_folder()
        ended = subprocess.run(
            [str(bench.binary), "--port", str(free_port()), "--db", str(folder / "c.db"), *words],
            cwd=folder,
            timeout=10,
            env=clean_environment(folder, bench.root),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        expect(ended.returncode not in (0, -6, -4, -11, -5), f"{' '.join(words)}: exit {ended.returncode}", ended.stderr)
        expect("token" in ended.stderr, f"{' '.join(words)}: not how", ended.stderr)


@case("a port that is taken, a bad option, and a strange corrections file are errors that name them")
def does_not_start(bench):
    folder = bench.make_folder()
    (folder / "strange.db").write_bytes(b"something else entirely\n" * 100)
    (folder / "open").write_text("{}")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for words, said in (
            (["--port", port, "--db", str(folder / "c.db")], port),
            (["--port", "99999"], "--port"),
            (["--port", "x"], "--port"),
            (["--port", str(free_port()), "--db", str(folder / "strange.db")], "strange.db"),
            (["--port", str(free_port()), "--db", str(folder / "open/c.db")], "open/c.db"),
            (["--bogus"], "bogus"),
        ):
            ended = subprocess.run(
                [str(bench.binary), *words],
                cwd=folder,
                env=clean_environment(folder, bench.root),
                timeout=10,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
            )
            expect(ended.returncode > 0 and said in ended.stderr, f"{' '.join(words)}: exit {ended.returncode}", ended.stderr)
    expect((folder / "strange.db").read_bytes() == b"something else entirely\n" * 100, "the strange file was changed")


@case("a token that asks too often is told when to come back; others, and /health, are not")
def rate(bench):
    tokens = Tokens(bench)
    busy, calm = tokens.add("busy", "read"), tokens.add("calm", "read")
    with bench.running("--host", "0.0.0.0", "--tokens", tokens.file, *bench.options.rate_words) as server:
        with server.connect() as connection:
            statuses = []
            for _ in range(200):
                answer = server.ask("GET", "/v1/stores", token=busy, on=connection)
                statuses.append(answer.status)
                if answer.status == 429:
                    break
        expect(statuses[0] == 200 and statuses[-1] == 429, f"the last of {len(statuses)} is {statuses[-1]}")
        server.expect(200, "GET", "/v1/stores", token=calm)
        server.expect(200, "GET", "/health", token=None)
        wait = int(answer.header("retry-after"))
        expect(wait <= 60, f"Retry-After: {wait}")
        time.sleep(wait)
        server.expect(200, "GET", "/v1/stores", token=busy)
        return f"after {len(statuses) - 1} requests, for {wait} s"


@case("too many requests under way are 503 with Retry-After, and none is lost or left hanging")
def under_way(bench):
    with bench.running(*bench.options.busy_words) as server, concurrent.futures.ThreadPoolExecutor(40) as pool:
        body = json.dumps({"items": ["kale"] * 9_000}).encode()

        def ask():
            return server.ask("POST", "/v1/categorize", body=body, timeout=60).status

        held = [server.connect() for _ in range(20)]
        for connection in held:  # under way until their bodies have come
            connection.send(request("POST", "/v1/categorize", body[:100], [*JSON, ("Content-Length", str(len(body)))], server.host))
        time.sleep(0.3)
        statuses = [run.result() for run in [pool.submit(ask) for _ in range(40)]]
        expect(set(statuses) <= {200, 503} and 503 in statuses, "other statuses", sorted(set(statuses)))
        for connection in held:
            connection.socket.close()
        time.sleep(0.5)
        expect(ask() == 200, "it does not recover")
        return f"{statuses.count(503)} of 40"
