"""Runs the real server in a folder of its own."""

import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import time
import urllib.parse

from wire import Connection, Cut, request

JSON = [("Content-Type", "application/json")]
NOTHING = object()


class Broken(Exception):
    """What is not as promised."""


def expect(holds, what, *shown):
    if not holds:
        raise Broken("\n".join([what, *map(str, shown)]))


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def target(path, **query):
    """A path with a query; what is `None` is left out."""
    words = urllib.parse.urlencode({name: value for name, value in query.items() if value is not None})
    return f"{path}?{words}" if words else path


class Server:
    """A process of the server. It is started at once, and waited for."""

    def __init__(self, binary, root, folder, description, *words, db=None, environment=None, seconds=20, is_awaited=True):
        self.binary, self.root, self.folder, self.description = binary, root, pathlib.Path(folder), description
        self.words, self.seconds = list(words), seconds
        self.db = pathlib.Path(db) if db else self.folder / "corrections.db"
        self.port = free_port()
        self.log = self.folder / f"log-{self.port}"
        self.environment = clean_environment(self.folder, root) | (environment or {})
        self.process, self.token, self.kept = None, None, None
        self.start(is_awaited)

    def start(self, is_awaited=True):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [str(self.binary), "--port", str(self.port), "--db", str(self.db), *map(str, self.words)],
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        if is_awaited:
            self.wait()

    def wait(self):
        """Waits for the first answer."""
        deadline = time.monotonic() + self.seconds
        while time.monotonic() < deadline:
            expect(self.process.poll() is None, f"the server ended with {self.process.returncode}", self.said())
            with contextlib.suppress(OSError, Cut):
                if self.ask("GET", "/health", is_checked=False).status == 200:
                    return
            time.sleep(0.002)
        self.kill()
        raise Broken(f"the server does not answer within {self.seconds} s\n{self.said()}")

    def said(self):
        return self.log.read_text(errors="replace")[-3000:]

    @property
    def host(self):
        return f"127.0.0.1:{self.port}"

    def connect(self, timeout=10):
        return Connection(self.port, timeout)

    def ask(self, method, path, value=NOTHING, token=NOTHING, headers=(), body=None, on=None, is_checked=True, timeout=20):
        """Sends a request and gives its answer, which must be as documented."""
        headers, token = list(headers), self.token if token is NOTHING else token
        if value is not NOTHING:
            body = json.dumps(value).encode()
        if body is not None and not any(name.lower() == "content-type" for name, _ in headers):
            headers += JSON
        if token:
            headers.append(("Authorization", f"Bearer {token}"))
        with contextlib.ExitStack() as end:
            connection = on or end.enter_context(self.connect(timeout))
            if not on:
                headers.append(("Connection", "close"))
            try:
                connection.send(request(method, path, body, headers, self.host))
                answer = connection.receive(method)
            except TimeoutError:
                raise Broken(f"{method} {path}: no answer within {timeout} s") from None
        if is_checked:
            self.check(method, path, answer)
        return answer

    def check(self, method, path, answer):
        wrong = self.description.problems(method, path, answer)
        expect(not wrong, f"{method} {path}: {'; '.join(wrong)}", answer)

    def get(self, path, **how):
        return self.expect(200, "GET", path, **how).json

    def post(self, path, value, **how):
        return self.expect(200, "POST", path, value, **how).json

    def expect(self, status, method, path, *value, said=None, **how):
        """Asks, and expects one of these statuses, and an error that says something."""
        answer = self.ask(method, path, *value, **how)
        statuses = status if isinstance(status, (set, tuple)) else {status}
        shown = json.dumps(value[0])[:300] if value else ""
        expect(answer.status in statuses, f"{method} {path} {shown}: expected {'/'.join(map(str, sorted(statuses)))}, got {answer}")
        if said:
            expect(said in answer.detail, f"{method} {path} {shown}: the error does not say `{said}`", answer)
        return answer

    def is_well(self):
        """Whether the server answers, and at once."""
        if self.process.poll() is not None:
            raise Broken(f"the server ended with {self.process.returncode}\n{self.said()}")
        try:
            began = time.monotonic()
            answer = self.ask("GET", "/health", timeout=10)
            expect(answer.status in (200, 503), "/health is not well", answer)
            expect(time.monotonic() - began < 5, f"/health took {time.monotonic() - began:.1f} s")
        except (OSError, Cut) as problem:
            raise Broken(f"/health: {problem!r}\n{self.said()}") from None

    def memory(self, field="VmRSS"):
        """Resident memory in MB, or of another line of /proc."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1]) / 1024
        return 0.0

    def stop(self, within=5):
        """Asks the server to end, and gives how many seconds it takes."""
        if self.process.poll() is None:
            began = time.monotonic()
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(within + 5)
            except subprocess.TimeoutExpired:
                self.kill()
                raise Broken(f"the server does not end within {within + 5} s of SIGTERM\n{self.said()}") from None
            return time.monotonic() - began
        return 0.0

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def clean_environment(folder, root):
    """The caller's environment without what would change the server, or lead it to the caller's corrections.

    Indexed stores are kept from run to run, as a person's are.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("AISLE_", "XDG_")) and name not in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY")
    }
    return kept | {
        "HOME": str(folder),
        "AISLE_TAXONOMIES": str(root / "taxonomies"),
        "AISLE_CACHE": str(root / ".build/check-server"),
        "AISLE_CONFIG": "off",
        "SWIFT_BACKTRACE": "enable=no",
    }
