"""An hour's use of a household, squeezed into seconds: everyone at once, for as long as wished."""

import contextlib
import json
import random
import statistics
import threading
import time

from listening import Listener
from load import Client, Lost, Writer, check_integrity, corrections, losses
from running import JSON, Broken, expect
from wire import Cut, request

ITEMS = ["oat milk", "kale", "2 lbs chicken thighs", "sliced bread", "zzqx blorp", "frozen peas", "dish soap", "crème fraîche"]
READS = [
    "/v1/stores",
    "/v1/stores/kroger",
    "/v1/corrections",
    "/v1/history",
    "/v1/suggestions",
    "/v1/stores/kroger/search?q=milk",
    "/v1/changes",
    "/metrics",
    "/",
]


class Loop(threading.Thread):
    """Does one thing again and again, until it is told to end."""

    def __init__(self, step):
        super().__init__(daemon=True)
        self.step, self.is_ending, self.problem = step, threading.Event(), None

    def run(self):
        try:
            while not self.is_ending.is_set():
                self.step()
        except (Lost, Cut, OSError) as problem:
            self.problem = None if self.is_ending.is_set() else problem
        except Exception as problem:  # the check tells it
            self.problem = problem

    def end(self):
        self.is_ending.set()


class Mixture:
    """Everyone who uses the server, and what they find."""

    def __init__(self, server, seed):
        self.server, self.random, self.times, self.refused, self.count = server, random.Random(seed), [], 0, 0
        self.listeners = [Listener(server, timeout=60) for _ in range(4)]
        self.deaf = [server.connect() for _ in range(4)]
        for connection in self.deaf:  # they listen, and never read
            connection.send(request("GET", "/v1/events", host=server.host))
        self.writers = [Writer(server, name, seed + number, pause=0.01) for number, name in enumerate(("qa", "qe", "qi", "qo"))]
        self.loops = [Loop(self.reader()) for _ in range(3)] + [Loop(self.bulk()), Loop(self.slow), Loop(self.leaver)]
        self.loops += [Loop(listener.read_line) for listener in self.listeners]

    def note(self, status, path, answer):
        self.count += 1
        if status == 503:
            self.refused += 1
        elif status >= 500:
            raise Broken(f"{path}: {status} {answer}")

    def reader(self):
        client = Client(self.server)

        def step():
            began = time.monotonic()
            if self.random.random() < 0.8:
                path, value = "/v1/categorize", {"items": [self.random.choice(ITEMS)], "explain": self.random.random() < 0.2}
            else:
                path, value = self.random.choice(READS), None
            if path in ("/", "/metrics"):
                answer = self.server.ask("GET", path)
                self.note(answer.status, path, answer)
            else:
                self.note(*self.named(path, client.ask("POST" if value else "GET", path, value)))
            self.times.append(time.monotonic() - began)
            time.sleep(0.002)

        return step

    @staticmethod
    def named(path, pair):
        return pair[0], path, pair[1]

    def bulk(self):
        client = Client(self.server)

        def step():
            self.note(*self.named("/v1/categorize", client.ask("POST", "/v1/categorize", {"items": ITEMS * 125})))
            time.sleep(0.1)

        return step

    def slow(self):
        """Sends a request a few bytes at a time, and reads its answer a few bytes at a time."""
        data = request("POST", "/v1/categorize", json.dumps({"items": ITEMS}).encode(), [*JSON, ("Connection", "close")], self.server.host)
        with self.server.connect() as connection:
            for start in range(0, len(data), 40):
                connection.send(data[start : start + 40])
                time.sleep(0.05)
            answer = connection.receive("POST")
            self.note(answer.status, "a slow request", answer)

    def leaver(self):
        """Asks for much and goes away."""
        with self.server.connect() as connection:
            connection.send(request("POST", "/v1/categorize", json.dumps({"items": ITEMS * 500}).encode(), JSON, self.server.host))
        time.sleep(0.2)

    def start(self):
        for each in [*self.writers, *self.loops]:
            each.start()

    def check(self):
        for each in [*self.writers, *self.loops]:
            if each.problem:
                raise Broken(f"{type(each.problem).__name__}: {each.problem}")

    def end(self):
        for each in [*self.writers, *self.loops]:
            each.end()

    def join(self):
        for listener in self.listeners:
            with contextlib.suppress(OSError):
                listener.connection.socket.shutdown(2)
        for each in [*self.writers, *self.loops]:
            each.join(30)
        for connection in self.deaf:
            connection.socket.close()


def is_growing(memory):
    """Whether resident memory grows all along, as it does with a leak. That it steps up once, when a cache fills, is no leak."""
    third = len(memory) // 3
    first, second, last = max(memory[:third]), max(memory[third:-third]), max(memory[-third:])
    return second > first * 1.05 + 1 and last > second * 1.05 + 1


def run(bench, seconds, most, progress):
    """Runs the mixture, ends the server under load, and gives what was found."""
    with bench.running() as server:
        mixture = Mixture(server, bench.options.seed)
        mixture.start()
        memory, began = [], time.monotonic()
        while time.monotonic() - began < seconds:
            time.sleep(min(1, seconds / 20))
            server.is_well()
            mixture.check()
            memory.append(server.memory())
            if len(memory) % 30 == 0:
                progress(f"{time.monotonic() - began:.0f} of {seconds} s, {memory[-1]:.0f} MB, {mixture.count} reads")
        expect(max(memory) <= most, f"{max(memory):.1f} MB resident, at most {most:g}")
        expect(not is_growing(memory), f"resident memory grows all along, in MB: {', '.join(f'{each:.1f}' for each in memory)}")
        for each in mixture.loops:  # what they lose from here on is no fault; the writers go on
            each.end()
        took = server.stop()
        code = server.process.returncode
        mixture.end()
        mixture.join()
        for writer in mixture.writers:
            if writer.problem:
                raise Broken(f"a writer: {writer.problem}")
        expect(code == 0, f"SIGTERM: exit {code}", server.said())
        expect(took <= 5, f"SIGTERM: it took {took:.1f} s to end")
        check_integrity(server.db)
        server.start()
        allowed = {item: sections for writer in mixture.writers for item, sections in writer.allowed.items()}
        lost = losses(allowed, corrections(server))
        expect(not lost, f"{len(lost)} of {len(allowed)} are not there", *lost[:5])
        heard = [sum(kind == "corrections" for kind, _ in listener.heard) for listener in mixture.listeners]
        acknowledged = sum(writer.acknowledged for writer in mixture.writers)
        expect(min(heard) > 0, "a listener heard nothing", heard)
        return (
            f"{mixture.count} reads (median {statistics.median(mixture.times) * 1000:.1f} ms), {acknowledged} changes, "
            f"{mixture.refused} refused; "
            f"{max(memory):.0f} MB; ended in {took:.1f} s"
        )
