"""Clients that write and read as fast as they can, and remember what was acknowledged."""

import contextlib
import http.client
import json
import random
import sqlite3
import threading
import time

from running import Broken, expect, target

SECTIONS = ["Snacks", "Produce", "Bakery", "Beverages"]


class Lost(Exception):
    """The server went away in the middle of a request."""


class Client:
    """One connection, kept and made anew where it ends."""

    def __init__(self, server):
        self.server, self.connection = server, None

    def ask(self, method, path, value=None):
        """The status and the JSON. Raises `Lost` where there is no answer."""
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
            body = None if value is None else json.dumps(value)
            self.connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
            answer = self.connection.getresponse()
            data = answer.read()
        except (OSError, http.client.HTTPException) as problem:
            self.close()
            raise Lost(repr(problem)) from None
        return answer.status, json.loads(data)

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None


class Writer(threading.Thread):
    """Teaches items of its own. For each, it knows which sections it may have: one, or two where the last answer did not come."""

    def __init__(self, server, name, seed, pause=0.0):
        super().__init__(daemon=True)
        self.server, self.label, self.pause = server, name, pause
        self.random, self.allowed, self.acknowledged, self.other, self.problem = random.Random(seed), {}, 0, {}, None
        self.is_ending, self.number = threading.Event(), 0

    def run(self):
        client = Client(self.server)
        try:
            while not self.is_ending.is_set():
                if not self.step(client):
                    return
                if self.pause:
                    time.sleep(self.pause)
        except Lost:
            pass  # what may be is noted already
        except Exception as problem:  # the check tells it
            self.problem = problem
        finally:
            client.close()

    def step(self, client):
        """One thing to do, or two; whether to go on."""
        kind = self.random.random()
        if kind < 0.5 or not self.allowed:
            return self.correct(client, self.new_item()) is not None
        item = self.random.choice(list(self.allowed))
        if kind < 0.65:
            return self.correct(client, item) is not None
        if kind < 0.75:
            return self.change(client, item, {None}, "DELETE", "/v1/corrections?item=" + item.replace(" ", "+")) is not None
        if kind < 0.88:
            return self.undo(client)
        return self.accept(client, self.new_item())

    def new_item(self):
        self.number += 1
        return f"{self.label} {letters(self.number)}"

    def change(self, client, item, after, *request):
        """Asks for a change of an item. Until it is acknowledged, both what was and what will be is allowed."""
        before = self.allowed.get(item, {None})
        self.allowed[item] = before | after
        while True:
            status, answer = client.ask(*request)
            if status == 200:
                self.allowed[item] = after
                self.acknowledged += 1
                return answer
            self.other[status] = self.other.get(status, 0) + 1
            if status != 503:
                raise Broken(f"{request}: {status} {answer}")
            if self.is_ending.wait(0.05):
                self.allowed[item] = before  # refused: nothing has changed
                return None

    def correct(self, client, item):
        section = self.random.choice(SECTIONS)
        return self.change(client, item, {section}, "POST", "/v1/corrections", {"item": item, "section": section, "by": "load"})

    def undo(self, client):
        item = self.new_item()
        taught = self.correct(client, item)
        return taught is not None and self.change(client, item, {None}, "POST", "/v1/undo", {"action": taught["action"]}) is not None

    def accept(self, client, item):
        status, answer = client.ask("POST", "/v1/suggestions", {"suggestions": [{"item": item, "to": "Snacks", "by": "load"}]})
        if status == 503:
            return True
        expect(status == 200, f"POST /v1/suggestions {item}: {status} {answer}")
        # An item near one that was taught may have that section already.
        if answer["waiting"] == [None]:
            return True
        return (
            self.change(
                client, item, {"Snacks"}, "POST", "/v1/suggestions/decide", {"ids": answer["waiting"], "verdict": "accept", "by": "load"}
            )
            is not None
        )

    def end(self):
        self.is_ending.set()


def letters(number):
    """A number as a word, since numbers at an item's start or end may be read as quantities."""
    word = ""
    while True:
        word = "bcdfghjklmnpqrstvwxz"[number % 20] + "aeiou"[number // 20 % 5] + word
        number //= 100
        if not number:
            return word


def corrections(server):
    """All corrections, as the server tells them, page by page."""
    found, after = {}, None
    while True:
        page = server.get(target("/v1/corrections", limit=1000, after=after))
        found |= {each["item"]: each["section"] for each in page["corrections"]}
        after = page["next"]
        if after is None:
            return found


def losses(allowed, found):
    """What was acknowledged, and is not there."""
    return [
        f"{item}: {found.get(item)}, acknowledged {' or '.join(map(str, sections))}"
        for item, sections in allowed.items()
        if found.get(item) not in sections
    ]


def check_integrity(path):
    """What SQLite says of the file."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        said = database.execute("PRAGMA integrity_check").fetchall()
        expect(said == [("ok",)], f"integrity_check: {said}")
        # A server that is killed before its first change leaves a file without tables.
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'correction'").fetchall():
            return {}
        return {item: section for item, section in database.execute("SELECT item, section FROM correction")}
