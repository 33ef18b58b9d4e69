"""Talks to an external strategy as aisle does, for the strategies' tests."""
import json, os, subprocess, sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
SHELVES = [
    {"name": "fruit", "section": "Produce", "keywords": ["apple", "green apple", "banana", "~blueberry", "blueberries", "strawberries"]},
    {"name": "milk", "section": "Dairy & Eggs", "keywords": ["milk", "whole milk", "oat milk", "yogurt", "greek yogurt", "?fresh"]},
    {"name": "cleaning", "section": "Household", "keywords": ["dish soap", "laundry detergent", "!bleach", "paper towels"]},
    {"name": None, "section": "Household", "keywords": ["sponge"]},
]
SECTIONS = ["Produce", "Dairy & Eggs", "Household", "Other"]


class Conversation:
    """A running program; `with` ends it by ending its input, and expects it to end well."""

    def __init__(self, *command, shelves=SHELVES, environment=None):
        self.program = subprocess.Popen(
            [sys.executable, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=FOLDER,
            env={**os.environ, **(environment or {})})
        self.shelves = shelves
        self.id = 0

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.program.stdin.close()
        self.program.stdout.close()
        code = self.program.wait()
        assert kind or code == 0, f"exit code {code}"

    def say(self, message):
        self.program.stdin.write(json.dumps(message) + "\n")
        self.program.stdin.flush()
        return json.loads(self.program.stdout.readline())

    def begin(self):
        """Says hello, and tells the shelves to a program that wants them; gives its hello."""
        hello = self.say({"type": "hello", "protocol": [1], "store": "test", "sections": SECTIONS, "fallback": "Other"})
        if "shelves" in hello.get("wants", []):
            assert self.say({"type": "shelves", "shelves": self.shelves}) == {"type": "ready"}
        return hello

    def ask(self, *items):
        """The answers for items."""
        self.id += 1
        reply = self.say({"type": "decide", "id": self.id, "items": items})
        assert (reply["type"], reply["id"], len(reply["answers"])) == ("decided", self.id, len(items)), reply
        return reply["answers"]

    def sections(self, *items):
        """The sections for items, `None` for those that it abstains from."""
        return [answer.get("section") for answer in self.ask(*items)]
