"""The loop of a list app: its list is checked, its people accept, and what they accepted is theirs to look through and to take back."""
import contextlib
import json
import os
import re
import shlex
import shutil
import signal
import sys
import threading

from asked import Drops
from bench import case
from items import FEW


@contextlib.contextmanager
def started_by(bench, command):
    """Lets a command of the shell start the tool, which it finds in `$tool`, with the words of the run."""
    script, tool = bench.tool.folder / "start", bench.tool.binary
    script.write_text(f"#!/bin/sh\ntool={shlex.quote(str(tool))}\n{command}\n")
    script.chmod(0o755)
    bench.tool.binary = script
    try:
        yield
    finally:
        bench.tool.binary = tool


def check_list(bench, server, items, *words):
    """Checks a list of plain items."""
    (bench.tool.folder / "list.txt").write_text("".join(f"{item}\n" for item in items))
    return bench.tool.run("check", "list.txt", *words, server=server)


def taught(bench):
    """Who taught a correction, from which model, and who accepted it, by item."""
    return {row[1]: (row[2], row[4], row[5], row[8]) for row in bench.tool.run("corrections", "list").rows}


@case("a check takes the caller's ids and sections, and gives each id back as it was, with what is suggested for its item")
def callers_ids(bench):
    server = bench.server(knows={"oat milk": "Dairy & Eggs", "kale": "Produce", "bananas": "Snacks", "eggs": "Dairy & Eggs"})
    run = bench.tool.run("check", "--input-format", "jsonl", "--format", "jsonl", server=server, items=[
        '{"id":7,"item":"oat milk","category":"Snacks"}', '{"id":"7","item":"Oat Milk","category":"Snacks"}',
        '{"id":1.50,"item":"oat milk","category":"Bakery"}', '{"id":"k1","item":"kale","category":"Produce"}', '{"item":"bananas"}'])
    bench.expect_equal(run.code, 0, "exit code", run)
    bench.expect_equal(server.asked, [["oat milk\tSnacks", "oat milk\tBakery", "kale\tProduce", "bananas\tProduce"]],
                       "what is asked, with where it stands", run)
    told = [json.loads(line) for line in run.out.splitlines()]
    bench.expect_equal([(line["number"], line.get("id"), line["item"], line["from"], line["to"]) for line in told], [
        (1, 7, "oat milk", "Snacks", "Dairy & Eggs"), (1, "7", "oat milk", "Snacks", "Dairy & Eggs"),
        (2, 1.5, "oat milk", "Bakery", "Dairy & Eggs"), (3, None, "bananas", "Produce", "Snacks")], "suggestions", run)
    bench.expect_equal(re.findall(r'"id":([^,]+)', run.out), ["7", '"7"', "1.50"], "ids, as they are written", run)
    named = bench.tool.run("check", "--input-format", "jsonl", "--id", "product.sku", "--category", "aisle", server=server, items=[
        '{"product":{"sku":8},"item":"eggs","aisle":"Bakery"}', '{"product":{"sku":9},"item":"eggs","aisle":"Bakery"}'])
    bench.expect_equal([(row[1:4], row[6:]) for row in named.rows], [(["eggs", "Bakery", "Dairy & Eggs"], [name]) for name in "89"],
                       "suggestions for fields of other names", named)


@case("Ctrl-C during a check keeps what was suggested until then, and the next check asks about the others only")
def interrupted_check(bench):
    over = threading.Event()

    def answer(asked):
        if len(server.requests) != 3:
            return server.says(asked)
        os.kill(int((bench.tool.folder / "pid").read_text()), signal.SIGINT)
        over.wait(20)
        return Drops()

    items = FEW[:6]
    server = bench.server(knows=dict.fromkeys(items, "Snacks"), answer=answer)
    with started_by(bench, 'echo $$ > pid; exec "$tool" "$@"'):
        try:
            run = check_list(bench, server, items, "--llm-batch", 2, "--llm-parallel", 1)
        finally:
            over.set()
    bench.expect_equal((run.code, [row[1] for row in run.rows]), (130, items[:4]), "exit code and suggestions that are shown", run)
    bench.expect("interrupted 2" in run.err, "standard error does not say how many items are left", run)
    pending = bench.tool.run("suggestions")
    bench.expect_equal([(row[1], row[3], row[-1]) for row in pending.rows], [(item, "Snacks", "pending") for item in items[:4]],
                       "suggestions that are kept", pending)
    before = len(server.requests)
    again = check_list(bench, server, items)
    bench.expect_equal((again.code, [row[1] for row in again.rows]), (0, items), "exit code and suggestions of the next check", again)
    bench.expect_equal([[line.split("\t")[0] for line in lines] for lines in server.asked[before:]], [items[4:]],
                       "what the next check asks", again)
    bench.expect_equal(check_list(bench, server, items).code, 0, "exit code of a check of the unchanged list")
    bench.expect_equal(len(server.requests), before + 1, "requests after a check of the unchanged list")


@case("a section that the store lacks can be suggested and accepted; the command that is named adds it, at its place, and it is used")
def new_section(bench):
    shutil.copytree(bench.root / "taxonomies", bench.tool.folder / "taxonomies")
    bench.tool.root = bench.tool.folder
    server = bench.server(knows={"dog leash": "Pet Supplies"})
    run = check_list(bench, server, ["dog leash"], "--new-sections")
    bench.expect_equal((run.code, [row[1:4] for row in run.rows]), (0, [["dog leash", "Other", "Pet Supplies"]]),
                       "exit code and suggestions", run)
    accepted = bench.tool.run("suggestions", "accept", run.rows[0][0])
    remedy = re.search(r"`aisle (stores add-section [^`]+)`", accepted.err)
    bench.expect(accepted.code == 0 and remedy, "no remedy is named", accepted)
    orphans = bench.tool.run("corrections", "list", "--orphans")
    bench.expect_equal([row[1] for row in orphans.rows], ["dog leash"], "corrections that are not used yet", orphans)
    added = bench.tool.run(*shlex.split(remedy[1]), "--after", "Snacks")
    bench.expect_equal(added.code, 0, "exit code of the command that was named", added)
    orphans, checked = bench.tool.run("corrections", "list", "--orphans"), bench.tool.run("stores", "check", "kroger")
    bench.expect_equal((orphans.rows, checked.code), ([], 0), "orphans, and exit code of `stores check`", orphans, checked)
    walk = bench.tool.run("categorize", "--format", "list", items=["cola", "dog leash", "pretzels", "dish soap"])
    bench.expect_equal(re.findall(r"^(\S.*)  1$", walk.out, re.MULTILINE), ["Snacks", "Pet Supplies", "Beverages", "Household & Cleaning"],
                       "sections in the order of the walk", walk)


@case("a section that a person chose is the person's: to forget the model's corrections leaves it")
def chosen_section(bench):
    items = ["oat milk", "kale", "bananas"]
    server = bench.server(knows=dict.fromkeys(items, "Snacks"))
    run = check_list(bench, server, items)
    bench.expect_equal((run.code, len(run.rows)), (0, 3), "exit code and suggestions", run)
    model = server.requests[0].model
    terminal = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"
    with started_by(bench, f'exec {shlex.quote(sys.executable)} -c "{terminal}" "$tool" "$@"'):
        review = bench.tool.run("suggestions", "review", "--by", "jane", items=["aeBakery", "q"])
    bench.expect_equal(review.code, 0, "exit code of the review", review)
    chosen = bench.tool.run("suggestions", "accept", run.rows[2][0], "--section", "Beverages", "--by", "joe")
    bench.expect_equal(chosen.code, 0, "exit code of accept", chosen)
    persons = {"kale": ("Bakery", "jane", "", ""), "bananas": ("Beverages", "joe", "", "")}
    bench.expect_equal(taught(bench), {"oat milk": ("Snacks", "llm", model, "jane"), **persons}, "corrections", review, chosen)
    forgotten = bench.tool.run("corrections", "forget", "--model", model)
    bench.expect_equal((forgotten.code, taught(bench)), (0, persons), "exit code, and corrections that are left", forgotten)
    used = bench.tool.run("categorize", items=items)
    bench.expect_equal(used.sections, {"oat milk": "Dairy & Eggs", "kale": "Bakery", "bananas": "Beverages"}, "sections", used)


@case("a correction says who accepted it: in the list, in an export, and after an import elsewhere")
def accepter(bench):
    items = ["oat milk", "kale"]
    server = bench.server(knows=dict.fromkeys([*items, "bananas"], "Snacks"))
    run = check_list(bench, server, items)
    by_name = bench.tool.run("suggestions", "accept", run.rows[0][0], "--by", "jane")
    plainly = bench.tool.run("suggestions", "accept", run.rows[1][0])
    at_once = check_list(bench, server, ["bananas"], "--accept-all")
    bench.tool.run("correct", "eggs", "Snacks")
    bench.expect_equal([by_name.code, plainly.code, at_once.code], [0, 0, 0], "exit codes", by_name, plainly, at_once)
    me, model = taught(bench)["eggs"][1], server.requests[0].model
    accepters = {"oat milk": "jane", "kale": me, "bananas": me}
    models = {item: ("Snacks", "llm", model, who) for item, who in accepters.items()}
    bench.expect_equal(taught(bench), {"eggs": ("Snacks", me, "", ""), **models}, "corrections", at_once)
    exported = bench.tool.run("corrections", "export")
    lines = [json.loads(line) for line in exported.out.splitlines()]
    bench.expect_equal({line["item"]: line.get("accepted-by") for line in lines}, {**accepters, "eggs": None}, "accepters", exported)
    (bench.tool.folder / "corrections.jsonl").write_text(exported.out)
    imported = bench.tool.run("corrections", "import", "corrections.jsonl", "--db", "other.db")
    elsewhere = bench.tool.run("corrections", "export", "--db", "other.db")
    bench.expect_equal((imported.code, elsewhere.out), (0, exported.out), "exit code of import, and what is exported elsewhere", imported)
