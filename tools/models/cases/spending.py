"""What a run spends: never more than a cap, and not much less than it may."""
import json
import random
import re
import threading
import time

import vocabulary
from asked import Drops, Fails, tokens
from bench import case
from items import FORTY, KNOWN

def metered(bench):
    """A server that says of each request what it would really take, at about four bytes a token, and counts that."""
    def answer(asked):
        says = server.says(asked)
        taken = tokens(asked.system) + tokens(asked.text) + tokens(json.dumps(asked.schema or {}))
        says.tokens = (taken, tokens("".join(says.texts())))
        server.usage.append(sum(says.tokens))
        return says

    server = bench.server(knows=KNOWN, answer=answer, latency=0.05)
    server.usage = []
    return server


def plainly(bench):
    """Options for a model that neither remembers nor reasons: reasoning has room of its own in what a request may take."""
    return ["--llm-cache", "off"] + (["--llm-effort", "none"] if bench.api == "openai" else [])


def used(server):
    return sum(server.usage)


@case("a request waits for those under way instead of going without: 89 items get through a cap of 1.5 times what they take")
def cap_waits(bench):
    probe = metered(bench)
    items = FORTY + [f"{item} and capers" for item in FORTY] + [f"{item} and figs" for item in FORTY[:9]]
    bench.categorize(items, probe, *plainly(bench))
    cap = int(used(probe) * 1.5)
    server = metered(bench)
    run = bench.categorize(items, server, *plainly(bench), "--max-tokens", cap)
    bench.expect_equal((run.code, len(sum(server.asked, []))), (0, 89), "exit code and items asked about", run.err,
                       f"{used(server)} tokens used of the {cap} of the cap; {used(probe)} are needed")
    bench.expect(used(server) <= cap, f"the cap is passed: {used(server)} of {cap}")


@case("what a request may take is estimated within twice what it takes: a cap of that lets a full request through")
def estimates(bench):
    server = metered(bench)
    bench.categorize(FORTY, server, *plainly(bench))
    cap = 2 * used(server)
    server.usage.clear()
    run = bench.categorize(FORTY, server, *plainly(bench), "--max-tokens", cap)
    bench.expect_equal([len(items) for items in server.asked[1:]], [40], f"items in each request, with a cap of {cap} tokens", run.err)
    bench.expect(used(server) <= cap, f"the cap is passed: {used(server)} of {cap}")


@case("where a cap has no room for a full request, smaller ones are sent, and the cap holds")
def smaller_requests(bench):
    server = metered(bench)
    bench.categorize(FORTY, server, *plainly(bench))
    cap = int(1.5 * used(server))
    server.usage.clear()
    run = bench.categorize(FORTY, server, *plainly(bench), "--max-tokens", cap)
    bench.expect(server.asked[1:], f"nothing is asked with a cap of {cap} tokens, although there is room for some items", run.err)
    bench.expect(used(server) <= cap, f"the cap is passed: {used(server)} of {cap}")
    bench.expect(run.code == 0 or f"--max-tokens {cap} is reached" in run.err, "standard error does not name the cap", run.err)


@case("200 requests with faults at random: no item is answered twice, none is lost without a word, and no cap is passed")
def faults_at_random(bench):
    seed = 20261123
    dice, lock = random.Random(f"{seed} {bench.api}"), threading.Lock()
    items = [f"odd thing {number}" for number in range(900)]
    answered = []

    def answer(asked):
        with lock:
            kind = dice.choice(["good"] * 5 + ["truncate", "refuse", "reorder", "repeat", "missing", "429", "529", "drop", "slow"])
        says = server.says(asked)
        if kind == "429":
            return Fails(429, "rate_limit_error", "slow down", {"retry-after-ms": "5"})
        if kind == "529":
            return Fails(529, "overloaded_error", "Overloaded", {"retry-after-ms": "5"})
        if kind == "drop":
            return Drops()
        if kind == "slow":
            time.sleep(0.05)
        if kind in ("truncate", "refuse"):
            says.ending = {"truncate": "truncated", "refuse": "refused"}[kind]
        elif kind == "reorder":
            says.sections = dict(sorted(says.sections.items(), reverse=True))
        elif kind == "repeat" and bench.api == "openai":
            says.raw = '{"1": "Snacks", "1": "Bakery"}'
        elif kind == "missing":
            says.sections.pop(asked.ids[0], None)
        if says.ending == "complete" and says.raw is None:
            with lock:
                answered.extend(asked.lines[name] for name in says.sections)
        return says

    server = bench.server(knows=dict.fromkeys(items, "Snacks"), answer=answer)
    most = 400
    run = bench.categorize(items, server, "--llm-batch", 5, "--llm-parallel", 4, "--max-requests", most, "--summary", seconds=60)
    where = f"seed {seed}"
    bench.expect(len(server.requests) >= 200 or run.code == 0, f"{where}: only {len(server.requests)} requests", run.err)
    bench.expect(len(server.requests) <= most, f"{where}: the cap of {most} is passed: {len(server.requests)}")
    bench.expect_equal([row[0] for row in run.rows], items, f"{where}: records")
    twice = sorted({item for item in answered if answered.count(item) > 1})
    bench.expect(not twice, f"{where}: {len(twice)} items were answered twice, e.g. {twice[:3]}")
    decided = sum(section == "Snacks" for section in run.sections.values())
    bench.expect_equal(decided, len(set(answered)), f"{where}: items decided, of those that were answered", run.err)
    bench.expect(run.code == (0 if decided == len(items) else 2), f"{where}: {len(items) - decided} undecided and exit {run.code}", run.err)
    if decided < len(items):
        bench.expect(str(len(items) - decided) in run.err, f"{where}: {len(items) - decided} items are lost without a word", run.err)


# Of 40 items beyond what is the same in every request: the items in, and their answer out.
MOST_IN, MOST_OUT = 200, 270


@case("40 items take at most 200 tokens in and 270 out, beyond what is the same in every request")
def token_counts(bench):
    count = len_of(vocabulary.encoding(bench.root))
    server = bench.server(knows=KNOWN)
    bench.categorize(FORTY, server)
    asked = server.requests[0]
    into, out = count(asked.text), count("".join(server.says(asked).texts()))
    bench.note = (f"{into} tokens in and {out} out, by {vocabulary.ENCODING}; the prompt before them has {count(asked.system)}, the schema "
                  f"{count(json.dumps(asked.schema, separators=(',', ':')))}")
    bench.expect(into <= MOST_IN and out <= MOST_OUT, bench.note, asked.text[:300])


def len_of(encoding):
    return lambda text: len(encoding.encode(text))


@case("an evaluation with a model says what an item cost")
def evaluation(bench):
    (bench.tool.folder / "corpus.tsv").write_text("".join(f"{item}\t{section}\n" for item, section in KNOWN.items()))
    server = metered(bench)
    run = bench.tool.run("eval", "--corpus", "corpus.tsv", "--chain", "llm", server=server)
    bench.expect_equal((run.code, len(sum(server.asked, []))), (0, 40), "exit code and items asked about", run)
    bench.expect(re.search(r"[\d.]+ tokens.* an item", run.out + run.err), "the tokens of an item are not told", run)


@case("in an evaluation, what the model leaves undecided shows in the exit code, and the report is whole all the same")
def undecided_in_evaluation(bench):
    (bench.tool.folder / "corpus.tsv").write_text("".join(f"{item}\t{section}\n" for item, section in KNOWN.items()))
    server = bench.server(answer=lambda asked: server.says(asked, ending="refused"))
    run = bench.tool.run("eval", "--corpus", "corpus.tsv", "--chain", "llm", server=server)
    bench.expect_equal(run.code, 2, "exit code", run)
    bench.expect("40 items" in run.err, "standard error does not say how many items stay undecided", run.err)
    bench.expect("40" in run.out and "%" in run.out, "the report is not written", run)
