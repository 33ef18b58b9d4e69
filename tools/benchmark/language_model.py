"""Measures `aisle categorize --llm` against a server of its own that takes 200 ms an answer, beside the time that would be ideal."""
import http.server
import json
import math
import pathlib
import subprocess
import tempfile
import threading
import time

from measure import CommandFailed, Spread, environment

ITEMS = 10_000
BATCH = 40
PARALLEL = 8
LATENCY = 0.2


class Handler(http.server.BaseHTTPRequestHandler):
    """Puts every item into the first section, as Anthropic's Messages do."""
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_POST(self):
        began = time.monotonic()
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        schema = request["output_config"]["format"]["schema"]
        answer = dict.fromkeys(schema["properties"], schema["$defs"]["section"]["enum"][0])
        body = json.dumps({
            "type": "message", "role": "assistant", "stop_reason": "end_turn",
            "content": [{"type": "text", "text": json.dumps(answer)}],
            "usage": {"input_tokens": 1, "output_tokens": 1}}).encode()
        time.sleep(max(0.0, LATENCY - (time.monotonic() - began)))
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        with self.server.lock:
            self.server.requests += 1

    def log_message(self, *_):
        pass


def ideal():
    """The requests in rounds of as many as go at a time."""
    return math.ceil(math.ceil(ITEMS / BATCH) / PARALLEL) * LATENCY


def measure(binary, root, report, rounds, progress):
    """Adds the figure to the report."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads, server.requests, server.lock = True, 0, threading.Lock()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "undecided.txt"
            source.write_text("".join(f"zzq{number}x\n" for number in range(ITEMS)), encoding="utf-8")
            command = [str(binary), "categorize", "--chain", "llm", "--llm", "anthropic", "--llm-parallel", str(PARALLEL),
                       "--llm-batch", str(BATCH), "--llm-url", f"http://127.0.0.1:{server.server_address[1]}"]
            walls = []
            for number in range(1, rounds + 1):
                progress(f"language model, {ITEMS:,} items, round {number} of {rounds}")
                before = server.requests
                began = time.perf_counter()
                # A database of its own each time: answers are kept, and none is known yet.
                database = str(pathlib.Path(folder) / f"{number}.db")
                with open(source, "rb") as items:
                    run = subprocess.run([*command, "--db", database], stdin=items, capture_output=True, cwd=root, check=False,
                                         env={**environment(), "AISLE_LLM_KEY": "none"})
                walls.append(time.perf_counter() - began)
                if run.returncode or run.stdout.count(b"\n") != ITEMS or server.requests - before != math.ceil(ITEMS / BATCH):
                    raise CommandFailed(f"categorize --llm: exit {run.returncode}, {server.requests - before} requests: "
                                        + run.stderr[:2000].decode(errors="replace"))
            report.ratio_below(f"{ITEMS:,} undecided items, model of {LATENCY * 1000:g} ms, {PARALLEL} at a time / ideal {ideal():.1f} s",
                               Spread.of(wall / ideal() for wall in walls), at_most=1.3)
    finally:
        server.shutdown()
        server.server_close()
