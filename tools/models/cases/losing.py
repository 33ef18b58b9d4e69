"""What a model may lose: nothing without a word, and nothing that asking again would bring."""
import json

from asked import Drops, Fails
from bench import case
from cases.asking import expect_known
from items import FEW, FORTY, KNOWN


def splits(bench, ending):
    """One item spoils every request that it is in; all others are answered all the same."""
    def answer(asked):
        return server.says(asked, ending=ending if "bin bags" in asked.lines.values() else "complete")

    server = bench.server(knows=KNOWN, answer=answer)
    run = bench.categorize(FORTY, server)
    known = {item: section for item, section in KNOWN.items() if item != "bin bags"}
    bench.expect_equal({item: run.sections[item] for item in known}, known, "sections", run.err)
    bench.expect_equal([item for item, section in run.sections.items() if section == "Other" and item != "cat litter"], ["bin bags"],
                       "undecided", run.err)
    bench.expect(3 <= len(server.requests) <= 16, f"{len(server.requests)} requests to find one item among 40", server.asked)
    bench.expect(run.code == 2, "an undecided item does not show in the exit code", run)
    bench.expect("1 item" in run.err, "standard error does not say how many items stay undecided", run.err)


@case("a refusal splits the request, so that it costs one item and not forty")
def refusal(bench):
    splits(bench, "refused")


@case("an answer that is cut off splits the request")
def truncation(bench):
    splits(bench, "truncated")


@case("a content filter splits the request", apis=["openai"])
def content_filter(bench):
    splits(bench, "filtered")


@case("an answer that is too long for a request of 40 is asked for in parts, until it fits")
def long_answers(bench):
    server = bench.server(knows=KNOWN, answer=lambda asked: server.says(
        asked, ending="truncated" if len(asked.ids) > 10 else "complete"))
    expect_known(bench, bench.categorize(FORTY, server), FORTY)
    bench.expect(len(server.requests) <= 7, f"{len(server.requests)} requests", server.asked)


@case("items that an answer leaves out are asked about again, alone")
def missing(bench):
    def answer(asked):
        says = server.says(asked)
        if len(server.requests) == 1:
            del says.sections[asked.ids[2]], says.sections[asked.ids[5]]
        return says

    server = bench.server(knows=KNOWN, answer=answer)
    expect_known(bench, bench.categorize(FEW, server), FEW)
    bench.expect_equal(server.asked[1:], [[FEW[2], FEW[5]]], "what is asked again")


@case("an id that an answer has twice, with different sections, is asked about again")
def repeated(bench):
    def answer(asked):
        says = server.says(asked)
        if len(server.requests) == 1:
            text = json.dumps(says.sections)
            says.raw = text[:-1] + f', "{asked.ids[0]}": "Snacks"}}'
        return says

    server = bench.server(knows=KNOWN, answer=answer)
    # A tool's input is read by the server's own JSON library, where the last of two fields wins.
    expect_known(bench, bench.categorize(FEW, server), FEW)
    bench.expect_equal(server.asked[1:], [[FEW[0]]], "what is asked again")


@case("a model that refuses everything is asked a bounded number of times, and all stays undecided, with a word")
def always_refused(bench):
    server = bench.server(answer=lambda asked: server.says(asked, ending="refused"))
    run = bench.categorize(FORTY, server)
    bench.expect_equal((run.code, len(run.rows)), (2, 40), "exit code and rows", run)
    bench.expect(len(server.requests) <= 80, f"{len(server.requests)} requests about 40 items")
    bench.expect("40 items" in run.err, "standard error does not say how many items stay undecided", run.err)


@case("asking again stays within --max-requests")
def splits_within_caps(bench):
    server = bench.server(answer=lambda asked: server.says(asked, ending="truncated"))
    run = bench.categorize(FORTY, server, "--max-requests", 4)
    bench.expect_equal((len(run.rows), len(server.requests)), (40, 4), "rows and requests", run)
    bench.expect("--max-requests 4 is reached" in run.err, "standard error does not name the cap", run.err)


@case("a section that the store does not have decides nothing, and is asked about anew by the next run")
def off_list(bench):
    def answer(asked):
        says = server.says(asked)
        for name, item in asked.lines.items():
            if item == "bin bags" and server.is_wild:
                says.sections[name] = "ADMIN"
        return says

    server = bench.server(knows=KNOWN, answer=answer)
    server.is_wild = True
    run = bench.categorize(FEW, server)
    bench.expect_equal(run.sections["bin bags"], "Other", "the section of an item with an off-list answer", run)
    bench.expect("ADMIN" not in run.out, "an off-list section goes out", run.out)
    server.is_wild = False
    before = len(server.requests)
    expect_known(bench, bench.categorize(FEW, server), FEW)
    bench.expect_equal(server.asked[before:], [["bin bags"]], "what the next run asks")


@case("in a check, what stays undecided shows in the exit code, and the list does not count as checked")
def undecided_in_check(bench):
    items = ["kale", "oat milk", "bananas"]
    path = bench.tool.folder / "list.txt"
    path.write_text("".join(f"{item}\n" for item in items))
    knows = {"kale": "Produce", "oat milk": "Dairy & Eggs", "bananas": "Produce"}

    def answer(asked):
        is_bad = server.is_refusing and any("bananas" in line for line in asked.lines.values())
        return server.says(asked, ending="refused" if is_bad else "complete")

    server = bench.server(knows=knows, answer=answer)
    server.is_refusing = True
    run = bench.tool.run("check", "list.txt", server=server)
    bench.expect_equal(run.code, 2, "exit code of a check with an undecided item", run)
    bench.expect("2 items checked" in run.err and "refused 1" in run.err, "the undecided item is not reported as such", run)
    server.is_refusing = False
    before = len(server.requests)
    again = bench.tool.run("check", "list.txt", server=server)
    bench.expect_equal(again.code, 0, "exit code of the check after it", again)
    bench.expect(len(server.requests) > before, "a list with an undecided item counts as checked", again.err)
    bench.expect_equal(len(server.asked[before]), 1, "items that are asked about again", server.asked[before:])
    unchanged = bench.tool.run("check", "list.txt", server=server)
    bench.expect_equal((unchanged.code, len(server.requests)), (0, before + 1), "a check of the unchanged list asks nothing", unchanged)


@case("an answer off the list replaces no pending suggestion, and is no agreement")
def off_list_in_check(bench):
    (bench.tool.folder / "list.txt").write_text("oat milk\nkale\n")
    knows = {"oat milk": "Snacks", "kale": "Produce"}

    def answer(asked):
        says = server.says(asked)
        if server.is_wild:
            says.sections = dict.fromkeys(says.sections, "ADMIN")
        return says

    server = bench.server(knows=knows, answer=answer)
    server.is_wild = False
    first = bench.tool.run("check", "list.txt", server=server)
    bench.expect_equal((first.code, len(first.rows)), (0, 1), "exit code and suggestions of the first check", first)
    server.is_wild = True
    second = bench.tool.run("check", "list.txt", "--llm-cache", "refresh", server=server)
    bench.expect_equal(second.code, 2, "exit code of a check whose answers are off the list", second)
    bench.expect("100.0%" not in second.err and "ADMIN" not in second.out, "an answer off the list counts", second)
    pending = bench.tool.run("suggestions")
    bench.expect("oat milk" in pending.out and "Snacks" in pending.out, "the pending suggestion is gone", pending)


@case("a server that fails for good is asked no more than it must be, and every record comes out")
def failing_server(bench):
    server = bench.server(answer=lambda asked: Fails(529, "overloaded_error", "Overloaded", {"retry-after": "0"}))
    run = bench.categorize(FORTY, server, "--llm-batch", 2)
    bench.expect_equal((run.code, len(run.rows)), (2, 40), "exit code and rows", run)
    bench.expect(len(server.requests) <= 15, f"{len(server.requests)} requests to a server that always fails")


@case("a request whose connection breaks is sent again openly: the log has as many requests as the server got")
def broken_connections(bench):
    server = bench.server(knows=KNOWN, answer=lambda asked: Drops() if len(server.requests) in (2, 4) else server.says(asked))
    expect_known(bench, bench.categorize(FEW, server, "--llm-batch", 2, "--llm-parallel", 1), FEW)
    log = bench.tool.run("llm", "log")
    bench.expect_equal(len([row for row in log.rows if len(row) > 5]), len(server.requests), "requests in the log", log)
