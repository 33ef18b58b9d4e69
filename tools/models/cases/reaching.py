"""The probe, the effort of models that reason, and batches."""
import json
import re

from bench import case
from cases.asking import NEWEST
from items import FEW, KNOWN


@case("doctor reads the list of models, and says whether the model is on it")
def doctor(bench):
    server = bench.server()
    known = bench.tool.run("doctor", server=server, model={"anthropic": "claude-haiku-5-5", "openai": "local"}[bench.api])
    verdicts = {row[1]: row[0] for row in known.rows}
    bench.expect_equal(verdicts.get("server"), "ok", "the server's line", known)
    bench.expect(not server.requests, "doctor costs a request", server.asked)
    other = bench.tool.run("doctor", server=server, model="nonesuch-1")
    verdicts = {row[1]: row[0] for row in other.rows}
    bench.expect_equal(verdicts.get("server"), "wrong", "the server's line, with a model that it does not have", other)


@case("an effort goes out in the field that the API has, with room for thought")
def effort(bench):
    server = bench.server(knows=KNOWN)
    plain = bench.categorize(FEW, server, "--llm-cache", "off", model=NEWEST[bench.api])
    run = bench.categorize(FEW, server, "--llm-cache", "off", "--llm-effort", "high", model=NEWEST[bench.api])
    bench.expect_equal((plain.code, run.code), (0, 0), "exit codes", run)
    bench.expect_equal([asked.effort for asked in server.requests][1:], ["high"], "efforts")
    bench.expect(server.requests[1].limit > server.requests[0].limit, "no room for thought",
                 [asked.limit for asked in server.requests])


def batch(bench, verb, *words, server):
    return bench.tool.run("llm", "batch", verb, "items.txt", "--llm-batch", 4, *words, server=server)


@case("a batch is submitted, waited for, and collected; its database is made where it is missing", apis=["anthropic"])
def batches(bench):
    items = ["zzqx blorp", "kohlrabi chutney deluxe", "oat milk", "glorp", "fnord"]
    (bench.tool.folder / "items.txt").write_text("".join(f"{item}\n" for item in items))
    server = bench.server(knows={"zzqx blorp": "Snacks", "glorp": "Bakery", "fnord": "Beverages"})
    server.patience = 1
    submitted = batch(bench, "submit", server=server)
    bench.expect_equal(submitted.code, 0, "exit code of submit", submitted)
    bench.expect_equal([batch(bench, "status", server=server).code for _ in range(2)], [1, 0], "exit codes of status")
    collected = batch(bench, "collect", server=server)
    bench.expect_equal(collected.code, 0, "exit code of collect", collected)
    bench.expect_equal([row[0] for row in collected.rows], items, "records", collected)
    bench.expect_equal({item: collected.sections[item] for item in ("zzqx blorp", "glorp", "fnord")},
                       {"zzqx blorp": "Snacks", "glorp": "Bakery", "fnord": "Beverages"}, "sections", collected)
    bench.expect(bench.tool.database.exists(), "no database was made", collected)
    before = len(server.requests)
    live = bench.tool.run("categorize", "items.txt", server=server)
    bench.expect_equal((live.code, live.out, len(server.requests)), (0, collected.out, before), "a live run after it asks nothing", live)


@case("a batch asks about the same items as a live run, also those below their threshold", apis=["anthropic"])
def batch_asks_as_live(bench):
    items = [line.split("\t")[0] for line in (bench.root / "corpus/messy.tsv").read_text().splitlines()
             if line and not line.startswith("#")][:300]
    (bench.tool.folder / "items.txt").write_text("".join(f"{item}\n" for item in items))
    live, later = bench.server(), bench.server()
    run = bench.tool.run("categorize", "items.txt", "--llm-cache", "off", server=live)
    submitted = batch(bench, "submit", "--llm-cache", "off", server=later)
    bench.expect_equal((run.code, submitted.code), (0, 0), "exit codes", run.err, submitted)
    asked_live, asked_later = ({line.lower() for line in sum(server.asked, [])} for server in (live, later))
    bench.expect(asked_live, "a live run asks nothing: choose other items for this case")
    bench.expect_equal(sorted(asked_later - asked_live), [], "what only the batch asks")
    bench.expect_equal(sorted(asked_live - asked_later), [], "what only a live run asks")


@case("an expired request of a batch leaves its items undecided, and collect names the command that asks them again", apis=["anthropic"])
def expired_batch(bench):
    items = [f"zzqx {number}" for number in range(8)]
    (bench.tool.folder / "items.txt").write_text("".join(f"{item}\n" for item in items))
    server = bench.server(knows=dict.fromkeys(items, "Snacks"))
    server.ends[1] = "expired"
    batch(bench, "submit", server=server)
    collected = batch(bench, "collect", server=server)
    bench.expect_equal(collected.code, 2, "exit code of collect", collected)
    bench.expect_equal([row[1] for row in collected.rows], ["Snacks"] * 4 + ["Other"] * 4, "sections", collected)
    remedy = re.search(r"`aisle (llm batch submit [^`]+)`", collected.err)
    bench.expect("expired" in collected.err and remedy, "no remedy is named", collected.err)
    server.ends.clear()
    again = bench.tool.run(*remedy[1].split(), "--llm-batch", 4, server=server)
    bench.expect_equal(again.code, 0, "exit code of the command that was named", again)
    bench.expect_equal(server.asked[2:], [items[4:]], "what is asked again", again)
    collected = batch(bench, "collect", server=server)
    bench.expect_equal((collected.code, {row[1] for row in collected.rows}), (0, {"Snacks"}), "exit code and sections", collected)


@case("kept answers make the next run free, and exported ones a run on another machine")
def kept_answers(bench):
    server = bench.server(knows=KNOWN)
    first = bench.categorize(FEW, server)
    again = bench.categorize(FEW, server)
    bench.expect_equal((again.code, again.out, len(server.requests)), (0, first.out, 1), "the second run's exit code, answers, and requests",
                       again)
    exported = bench.tool.run("llm", "cache", "export")
    sections = [json.loads(line)["section"] for line in exported.out.splitlines()]
    bench.expect_equal(sorted(sections), sorted(KNOWN[item] for item in FEW), "exported sections", exported)
