"""What a case is, and what it is given to work with."""

import contextlib
import pathlib
import subprocess
import tempfile
import time
import traceback

from running import Broken, Server, clean_environment
from wire import Cut

CASES = []


def case(claim, name=None, is_slow=False):
    """Registers a function as a case. The claim is what must hold, in one sentence. A slow one is left out of a quick run."""

    def register(function):
        CASES.append((name or function.__name__.replace("_", " "), claim, function, is_slow))
        return function

    return register


class Bench:
    """What cases share: a server without options, the OpenAPI file, and a scratch folder."""

    def __init__(self, binary, root, description, folder, options):
        self.binary, self.root, self.description, self.folder, self.options = binary, root, description, pathlib.Path(folder), options
        self.servers, self.shared, self.number = [], None, 0

    @property
    def server(self):
        """A server that cases share. One that was lost is replaced, so that each case fails by itself."""
        if self.shared is None or self.shared.process.poll() is not None:
            self.shared = self.make_server()
        return self.shared

    def make_folder(self):
        self.number += 1
        folder = self.folder / str(self.number)
        folder.mkdir()
        return folder

    def make_server(self, *words, folder=None, **how):
        server = Server(self.binary, self.root, folder or self.make_folder(), self.description, *words, **how)
        self.servers.append(server)
        return server

    @contextlib.contextmanager
    def running(self, *words, **how):
        """A server for one case."""
        server = self.make_server(*words, **how)
        try:
            yield server
        finally:
            server.kill()
            self.servers.remove(server)

    def run(self, *words, folder, **how):
        """Runs `aisle serve` for something else than serving."""
        return self.run_command("serve", *words, folder=folder, **how)

    def run_command(self, *words, folder, **how):
        """Runs `aisle`."""
        return subprocess.run(
            [str(self.options.command), *map(str, words)],
            cwd=folder,
            env=clean_environment(folder, self.root),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
            **how
        )

    def end(self):
        for server in self.servers:
            server.kill()


def run(binary, root, description, options, report):
    """Runs the cases that the options choose, and gives the names of those that failed, and how many there were."""
    failed, count = [], 0
    with tempfile.TemporaryDirectory(prefix="aisle-server-") as folder:
        bench = Bench(binary, root, description, folder, options)
        try:
            for name, claim, function, is_slow in CASES:
                if (options.only and options.only not in name) or (options.without and options.without in name):
                    continue
                if options.quick and is_slow and not options.only:
                    continue
                count += 1
                began = time.monotonic()
                problem, note = find_problem(bench, function)
                if problem:
                    failed.append(name)
                report("wrong" if problem else "ok   ", name, claim, time.monotonic() - began, problem or note)
        finally:
            bench.end()
    return failed, count


def find_problem(bench, function):
    """Runs one case, and gives what is wrong, `None` where nothing is, and what the case found out."""
    try:
        note = function(bench)
        if bench.shared:
            bench.shared.is_well()
        return None, note
    except TimeoutError:
        return "no answer within the time limit, at " + traceback.format_exc(limit=2).splitlines()[-3].strip(), None
    except (Broken, Cut) as problem:
        return str(problem) or type(problem).__name__, None
    except Exception:  # a mistake of the check's own, or an answer of a shape that nobody thought of
        return traceback.format_exc(limit=-4), None
