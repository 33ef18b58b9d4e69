"""What the model is told, and what its answer means."""
import shutil

from bench import case
from items import FEW, KNOWN, SECTIONS


def unsure_word(asked):
    """What the schema lets a model say that does not know."""
    return next((choice for choice in asked.choices if choice not in SECTIONS), None)


@case("a model can say that it is unsure, and an answer that it is sure of is worth more")
def unsure(bench):
    items = ["rai", "til", "oat milk", "kale"]

    def answer(asked):
        says = server.says(asked)
        bench.expect(unsure_word(asked), "the schema has no way to say `unsure`", asked.choices)
        for name, item in asked.lines.items():
            if item == "rai":
                says.sections[name] = unsure_word(asked)
        return says

    server = bench.server(knows={"til": "Pantry & Canned Goods", "oat milk": "Dairy & Eggs", "kale": "Produce"}, answer=answer)
    run = bench.categorize(items, server, "--explain")
    bench.expect(server.requests, "nothing was asked", run)
    bench.expect_equal(len(run.rows), 4, "rows", run)
    rows = {row[0]: row for row in run.rows}
    bench.expect_equal(rows["oat milk"][1], "Dairy & Eggs", "a sure answer", run)
    bench.expect(rows["rai"][3] != "llm" or float(rows["rai"][2]) < float(rows["oat milk"][2]),
                 "an unsure answer is worth as much as a sure one", run)
    bench.expect(unsure_word(server.requests[0]) not in [row[1] for row in run.rows], "`unsure` goes out as a section", run)


@case("the neighbors of an item on its list go along as context, and are not asked about")
def context(bench):
    items = ["kale", "til", "oat milk", "rai", "bananas"]
    server = bench.server(knows={"til": "Pantry & Canned Goods", "rai": "Pantry & Canned Goods"})
    run = bench.tool.run("categorize", server=server, items=items)
    asked = server.requests[0] if server.requests else None
    bench.expect(asked, "nothing was asked", run)
    everything = sum(server.asked, [])
    bench.expect(any("til" in line for line in everything), "`til` is not asked about", server.asked)
    bench.expect(not any("bananas" in line for line in everything), "an item that is decided is asked about", server.asked)
    bench.expect("bananas" in asked.text or "bananas" in asked.system, "the neighbors are not told", asked.text)


@case("an answer that another context led to is not served from the cache")
def context_in_cache(bench):
    server = bench.server(knows={"drop": "Snacks"})
    sweet = ["licorice", "chocolate", "drop", "gummy bears"]
    clean = ["bleach", "dish soap", "drop", "paper towels"]
    bench.tool.run("categorize", server=server, items=sweet)
    before = len(server.requests)
    bench.expect(before, "`drop` was not asked about: choose another item for this case")
    bench.tool.run("categorize", server=server, items=sweet)
    bench.expect_equal(len(server.requests), before, "the same list again asks nothing; requests")
    server.knows = {"drop": "Household & Cleaning"}
    run = bench.tool.run("categorize", server=server, items=clean)
    bench.expect(len(server.requests) > before, "an answer is served for another context", run)


@case("the prompt says what the store's files say: what a section holds, and where a kind of good goes")
def prompt(bench):
    server = bench.server(knows=KNOWN)
    bench.categorize(FEW, server)
    told = server.requests[0].system.lower()
    lines = {name: next((line for line in told.splitlines() if name.lower() in line), "") for name in SECTIONS}
    for section, words in {"Household & Cleaning": ["office", "hardware", "batteries"], "Other": ["pet"]}.items():
        for word in words:
            bench.expect(word in lines[section], f"`{section}` is told without `{word}`", lines[section])
    for name in SECTIONS:
        bench.expect(lines[name], f"the prompt lacks {name}", told)


@case("what the prompt tells is the store's data: another store, other words")
def prompt_of_another_store(bench):
    folder = bench.tool.folder / "stores"
    shutil.copytree(bench.root / "taxonomies", folder)
    kroger = folder / "kroger.yaml"
    kroger.write_text(kroger.read_text().replace("Household & Cleaning", "Drugstore Corner"))
    server = bench.server(knows=KNOWN)
    run = bench.categorize(FEW[:2], server, "--taxonomies", folder)
    bench.expect(server.requests, "nothing was asked", run)
    told = server.requests[0].system
    bench.expect("Drugstore Corner" in told and "Household & Cleaning" not in told, "the prompt tells of another store", told)


@case("in a check, an item that the local chain leaves undecided has no section shown as its present one")
def undecided_item_in_check(bench):
    (bench.tool.folder / "list.txt").write_text("zzqx blorp\nkale\n")
    server = bench.server(knows={"zzqx blorp": "Snacks", "kale": "Produce"})
    run = bench.tool.run("check", "list.txt", server=server)
    bench.expect(server.requests, "nothing was asked", run)
    lines = server.requests[0].text.splitlines()
    undecided = next((line for line in lines if "zzqx blorp" in line), "")
    decided = next((line for line in lines if "kale" in line), "")
    bench.expect("Produce" in decided, "an item's present section is not told", server.requests[0].text)
    bench.expect(not any(section in undecided for section in SECTIONS), "an undecided item is shown in a section", undecided)
