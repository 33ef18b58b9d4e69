#!/usr/bin/env python3
"""A program that plays an external strategy, with one fault: `faulty.py FAULT [STARTS]`.

Each start writes a line to the file STARTS. Without a fault (`none`) it gives every item to the section `Produce`, but for items that
contain `?`, which it leaves, and `!`, which it says it cannot decide.
"""
import json, os, signal, sys, time

fault = sys.argv[1]
if len(sys.argv) > 2:
    with open(sys.argv[2], "a") as file:
        file.write(f"{os.getpid()} {time.monotonic()}\n")


def write(text, flush=True):
    sys.stdout.write(text)
    if flush:
        sys.stdout.flush()


def flood(stream):
    chunk = b"x" * (1 << 20)
    for _ in range(1 << 10):
        stream.write(chunk)


def answer(item):
    if "?" in item:
        return {"type": "abstain"}
    if "!" in item:
        return {"type": "error", "message": "too loud"}
    return {"type": "match", "section": "Produce", "confidence": 0.75, "evidence": f"it is {item}"}


def decided(message):
    return {"type": "decided", "id": message["id"], "answers": [answer(item) for item in message["items"]]}


if fault == "dies-at-once":
    sys.exit(3)
if fault in ("ignores-sigterm", "survives-the-end"):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if fault == "hangs-before-hello":
    time.sleep(1000)
if fault == "forks":
    for _ in range(100):
        if os.fork() == 0:
            time.sleep(1000)
            os._exit(0)
if fault == "speaks-first":
    write('{"type": "decided", "id": 1, "answers": []}\n')

hello = {"type": "hello", "protocol": 1, "name": "faulty", "version": "1.0", "summary": f"plays {fault}",
         "examples": [{"item": "kale", "section": "Produce"}, {"item": "kale?"}]}
hello.update({"speaks-protocol-2": {"protocol": 2}, "has-no-name": {"name": ""}, "cannot-work": {"type": "error", "message": "no model"},
              "wants-shelves": {"wants": ["shelves"]}, "costs": {}}.get(fault, {}))

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        write(json.dumps(hello) + "\n")
        if fault == "stops-reading":
            time.sleep(1000)
        continue
    if message["type"] == "shelves":
        write('{"type": "ready"}\n')
        sys.stderr.write(f"{len(message['shelves'])} shelves\n")
        continue
    reply = decided(message)
    if fault == "dies-before-the-answer":
        sys.exit(4)
    elif fault == "dies-mid-line":
        write(json.dumps(reply)[:20])
        os.kill(os.getpid(), signal.SIGKILL)
    elif fault == "dies-once" and len(open(sys.argv[2]).readlines()) == 1:
        sys.exit(5)
    elif fault == "hangs":
        time.sleep(1000)
    elif fault == "slow":
        time.sleep(0.002 * len(message["items"]))
    elif fault == "hangs-and-ignores-sigterm":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(1000)
    elif fault == "closes-its-output":
        os.close(1)
        time.sleep(1000)
    elif fault == "garbage":
        sys.stdout.buffer.write(b"\x00\xff\x1b[31mnonsense\n")
        sys.stdout.flush()
        continue
    elif fault == "wrong-id":
        reply["id"] += 7
    elif fault == "no-id":
        del reply["id"]
    elif fault == "one-answer-less":
        reply["answers"].pop()
    elif fault == "one-answer-more":
        reply["answers"].append({"type": "abstain"})
    elif fault == "another-type":
        reply["type"] = "answer"
    elif fault == "an-array":
        reply = [reply]
    elif fault == "deep":
        write("[" * 200_000 + "\n")
        continue
    elif fault == "huge-numbers":
        reply.update({"tokens": 1e300, "dollars": 1e300})
    elif fault == "unknown-section":
        reply["answers"] = [{"type": "match", "section": "Prodce", "confidence": 0.5} for _ in reply["answers"]]
    elif fault == "confidence-of-7":
        reply["answers"] = [{"type": "match", "section": "Produce", "confidence": 7} for _ in reply["answers"]]
    elif fault == "no-confidence":
        reply["answers"] = [{"type": "match", "section": "Produce"} for _ in reply["answers"]]
    elif fault == "request-error":
        reply = {"type": "error", "id": message["id"], "message": "overloaded"}
    elif fault == "control-characters":
        reply["answers"] = [{"type": "match", "section": "Produce", "confidence": 0.5, "evidence": "\x1b[31m\r\nred\x07"} for _ in reply["answers"]]
    elif fault == "floods-stderr":
        flood(sys.stderr.buffer)
    elif fault == "floods-stderr-in-lines":
        sys.stderr.write("a remark\n" * 100_000)
        sys.stderr.flush()
    elif fault == "endless-line":
        flood(sys.stdout.buffer)
    elif fault == "shows-its-descriptors":
        files = [os.readlink(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{name}")]
        ours = [os.path.basename(file) for file in files if os.path.dirname(file) == os.getcwd()]
        reply["answers"] = [{"type": "match", "section": "Produce", "confidence": 1, "evidence": f"{len(ours)} of aisle's files {ours}"}]
    elif fault == "costs":
        reply.update({"tokens": 10 * len(reply["answers"]), "dollars": 0.5})
    write(json.dumps(reply) + "\n")
    if fault == "repeats":
        write(json.dumps(reply) + "\n")
if fault in ("survives-the-end", "forks"):
    time.sleep(1000)
