"""What a case is, and what it is given to work with."""
import pathlib
import tempfile
import time
import traceback

from server import Server
from tool import Mutation, Tool

CASES = []


class Broken(Exception):
    """What is not as promised."""


def case(claim, apis=("anthropic", "openai")):
    """Registers a function as a case, once for each API. The claim is what must hold, in one sentence."""
    def register(function):
        CASES.extend((f"{function.__name__} [{api}]", claim, api, function) for api in apis)
        return function
    return register


class Bench:
    """The server and the tool of one case. At its end, nothing may have been asked that the SDK's types do not allow, and the key may have
    leaked nowhere."""

    def __init__(self, binary, root, api, folder, mutation=None):
        self.api, self.root, self.servers, self.note = api, root, [], None
        self.mutation = mutation or Mutation()
        self.tool = Tool(binary, pathlib.Path(folder), root, self.mutation)

    def server(self, **how):
        self.servers.append(Server(self.api, mutate=self.mutation.request, **how))
        return self.servers[-1]

    def categorize(self, items, server, *words, **how):
        """Asks the model about every item, whatever the local strategies know."""
        return self.tool.run("categorize", "--chain", "llm", *words, server=server, items=items, **how)

    def expect(self, holds, what, *shown):
        if not holds:
            raise Broken("\n".join([what, *map(str, shown)]))

    def expect_equal(self, value, wanted, what, *shown):
        self.expect(value == wanted, f"{what}: {value!r:.600}, not {wanted!r:.600}", *shown)

    def end(self):
        for server in self.servers:
            for problem in server.problems:
                raise problem
            self.expect(not server.faults, "the SDK's types do not allow the request", *server.faults[:3])
        self.expect(not self.tool.leaks(), f"the key is in {', '.join(self.tool.leaks())}")


def run(binary, root, pattern, report):
    """Runs the cases whose name holds the pattern, and gives the names of those that failed, and how many there were."""
    failed, count = [], 0
    for name, claim, api, function in CASES:
        if pattern and pattern not in name:
            continue
        count += 1
        began = time.monotonic()
        problem, note = find_problem(binary, root, api, function)
        if problem:
            failed.append(name)
        report("wrong" if problem else "ok   ", name, claim, time.monotonic() - began, problem or note)
    return failed, count


def find_problem(binary, root, api, function, mutation=None):
    """Runs one case, and gives what is wrong, `None` where nothing is, and what the case found out."""
    with tempfile.TemporaryDirectory(prefix="aisle-models-") as folder:
        bench = Bench(binary, root, api, folder, mutation)
        try:
            try:
                function(bench)
            finally:
                bench.end()
            return None, bench.note
        except Broken as problem:
            return str(problem), bench.note
        except Exception as problem:  # a case that cannot be run to its end has failed like any other
            where = traceback.extract_tb(problem.__traceback__)[-1]
            return f"{type(problem).__name__}: {problem} ({pathlib.Path(where.filename).name}:{where.lineno})", bench.note
        finally:
            for server in bench.servers:
                server.stop()
