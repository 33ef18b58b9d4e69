"""Runs the real `aisle` in a folder of its own."""
import dataclasses
import os
import secrets
import subprocess
from collections.abc import Callable


@dataclasses.dataclass
class Finished:
    """A run that has ended."""
    words: list[str]
    code: int
    out: str
    err: str

    @property
    def rows(self):
        """The fields of each line of the output."""
        return [line.split("\t") for line in self.out.splitlines()]

    @property
    def sections(self):
        return {row[0]: row[1] for row in self.rows}

    def __str__(self):
        return f"`aisle {' '.join(self.words)}` ended with {self.code}\n{self.out}{self.err}".rstrip()


@dataclasses.dataclass
class Mutation:
    """What spoils a case: the request that reaches the server, the words of a command, or what is left when it has ended."""
    request: Callable | None = None
    words: Callable = lambda words: words
    ended: Callable = lambda finished, folder: None


class Tool:
    """The tool, its folder, its database, and a key that must show up nowhere."""

    def __init__(self, binary, folder, root, mutation):
        self.binary, self.folder, self.root, self.mutation = binary, folder, root, mutation
        self.key = f"sentinel-{secrets.token_hex(8)}"
        self.database = folder / "aisle.db"
        self.written = ""

    def environment(self):
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("AISLE_", "XDG_")) and not name.endswith("_API_KEY")}
        return {**kept, "AISLE_LLM_KEY": self.key, "AISLE_DB": str(self.database), "AISLE_CONFIG": "off", "NO_COLOR": "1",
                "AISLE_CACHE": str(self.root / ".build/check-models"), "XDG_DATA_HOME": str(self.folder / "data"),
                "AISLE_TAXONOMIES": str(self.root / "taxonomies"), "HOME": str(self.folder)}

    def run(self, *words, server=None, items=None, model=None, seconds=60):
        """Runs a command; with a server, it asks that one. Items go to standard input, one a line."""
        words = self.mutation.words([str(word) for word in words])
        if server:
            words += ["--llm", server.api.name, "--llm-url", server.url]
            words += ["--llm-model", model] if model else []
        text = "".join(f"{item}\n" for item in items or [])
        run = subprocess.run([str(self.binary), *words], input=text.encode(), capture_output=True, cwd=self.folder,
                             env=self.environment(), timeout=seconds, check=False)
        finished = Finished(words, run.returncode, run.stdout.decode(errors="replace"), run.stderr.decode(errors="replace"))
        self.mutation.ended(finished, self.folder)
        self.written += finished.out + finished.err
        return finished

    def leaks(self):
        """Where the key can be found."""
        files = [path for path in self.folder.rglob("*") if path.is_file() and self.key.encode() in path.read_bytes()]
        return [path.name for path in files] + (["the output"] if self.key in self.written else [])
