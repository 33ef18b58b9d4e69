"""Every operation of the API: what it answers, and each of its own errors."""

import re
import time

from bench import case
from listening import Listener
from running import expect, target

ITEMS = ["oat milk", "2 lbs chicken thighs", "kale", "zzqx blorp", "crème fraîche", "ünïcödé 🥬", " oat\tmilk ", ""]


@case("the server is healthy, and says so to anyone")
def health(bench):
    expect(bench.server.get("/health") == {"status": "healthy"}, "another answer")


@case("figures are in Prometheus' format: each sample has a type, a name, and a number, and no item is told")
def metrics(bench):
    bench.server.post("/v1/categorize", {"items": ["sentinel zucchini"]})
    answer = bench.server.expect(200, "GET", "/metrics")
    expect(answer.header("content-type").startswith("text/plain"), "another type", answer.header("content-type"))
    text, typed = answer.body.decode(), set()
    expect("zucchini" not in text, "an item is told")
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            typed.add(line.split()[2])
        elif line and not line.startswith("#"):
            name, value = line.split("{")[0].split()[0], line.rsplit(" ", 1)[1]
            float(value)
            expect(
                any(name in (each, f"{each}_bucket", f"{each}_sum", f"{each}_count", f"{each}_total") for each in typed),
                "a sample has no type",
                line,
            )
    expect(typed, "no figures", answer)


@case("the server serves the OpenAPI file of the sources, byte for byte or in other words")
def openapi(bench):
    served = bench.server.get("/openapi.json")
    differ = [
        path
        for path in {**served["paths"], **bench.description.file["paths"]}
        if served["paths"].get(path) != bench.description.file["paths"].get(path)
    ]
    expect(not differ, f"differs in {', '.join(sorted(differ))}")
    expect(served["components"] == bench.description.file["components"], "differs in components")


@case("without a token on loopback, everything is allowed")
def me(bench):
    value = bench.server.get("/v1/me")
    expect(
        (value["name"], value["can"], value["store"], value["model"], value["needs_token"]) == (None, "check", "kroger", None, False),
        "another answer",
        value,
    )


@case("items and records come back in order, with their sections, as given")
def categorize(bench):
    records = [{"id": 7, "name": "kale", "more": {"a": [1.5, None, True, "x"]}}, {"name": "oat milk"}]
    answer = bench.server.post("/v1/categorize", {"store": "kroger", "items": [*ITEMS, *records], "unknown": 1})
    expect([each["item"] for each in answer["results"]] == [*ITEMS, "kale", "oat milk"], "other items", answer)
    expect([each.get("record") for each in answer["results"]] == [None] * len(ITEMS) + records, "other records", answer)
    first, nonsense = answer["results"][0], answer["results"][3]
    expect((first["section"], first["section_id"], first["color"]) == ("Dairy & Eggs", "dairy-eggs", "blue"), "oat milk", first)
    expect(first["confidence"] > 0.8 and first["strategy"] != "none", "oat milk", first)
    expect("keyword" not in first and "rule" not in first, "explains without being asked", first)
    expect((nonsense["strategy"], nonsense["confidence"], nonsense["section"]) == ("none", 0, "Other"), "nonsense", nonsense)
    field = bench.server.post("/v1/categorize", {"items": [{"title": "kale", "name": "bread"}], "field": "title"})
    expect(field["results"][0]["section"] == "Produce", "another field", field)
    expect(field["store"] == "kroger", "the default store", field)


@case("items in other languages, of any store, beside each other")
def languages(bench):
    def section(item, language, store="kroger"):
        answer = bench.server.post("/v1/categorize", {"store": store, "language": language, "items": [item]})
        expect(answer["store"] == store, "another store", answer)
        return answer["results"][0]["section"]

    for _ in range(2):  # opened for this question, and open already
        expect(section("Waschpulver", "de") == "Household & Cleaning", "German is not read")
        expect(section("leche de avena", "es,en") == section("oat milk", None) == "Dairy & Eggs", "milk is elsewhere")
        expect(section("Waschpulver", None) == "Other", "English has become German")
        expect(section("Hähnchenbrustfilet", "de", "walmart").startswith("Meat"), "another store in German")


@case("with explain, the answer names keyword, span, rule, and source")
def explain(bench):
    found = bench.server.post("/v1/categorize", {"items": ["organic oat milk"], "explain": True})["results"][0]
    expect({"shelf", "keyword", "span", "rule", "source"} <= set(found), "something is missing", found)
    expect(found["shelf"] == "plant-milk" and found["span"].startswith("8-"), "another reason", found)
    expect(re.search("shelves/plant-milk.txt:[0-9]+$", found["source"]), "the source is another", found)


@case("10,000 items are answered, and those of 1 MiB; other stores have other sections")
def many_items(bench):
    answer = bench.server.post("/v1/categorize", {"items": [f"{number} cans of beans" for number in range(10_000)]})
    expect(len(answer["results"]) == 10_000 and answer["results"][9_999]["item"] == "9999 cans of beans", "other items")
    # A server that was built for tests reads a store of another language for seconds.
    for store in bench.server.get("/v1/stores")["stores"][:: 4 if bench.options.quick else 1]:
        answer = bench.server.post("/v1/categorize", {"store": store["id"], "items": ["kale"]})
        sections = bench.server.get(f"/v1/stores/{store['id']}")["sections"]
        expect(answer["store"] == store["id"], "another store", answer)
        expect(answer["results"][0]["section_id"] in [each["id"] for each in sections], "a section of another store", answer)


@case("stores are listed, with one default; each shows sections in walking order, and each shelf its keywords")
def stores(bench):
    listed = bench.server.get("/v1/stores")["stores"]
    expect([each["id"] for each in listed if each["is_default"]] == ["kroger"], "the default", listed)
    expect(len(listed) > 10 and len({each["id"] for each in listed}) == len(listed), "another list", listed)
    store = bench.server.get("/v1/stores/kroger")
    names = [each["name"] for each in store["sections"]]
    expect((store["name"], store["fallback"], names[:2]) == ("Kroger", "Other", ["Produce", "Bakery"]), "another store", store)
    summary = next(each for each in listed if each["id"] == "kroger")
    expect(summary["sections"] == len(names), f"{summary['sections']} sections in the list, {len(names)} in the store")
    expect(len({each["id"] for each in store["sections"]}) == len(names), "two sections with one id")
    shelf = bench.server.get("/v1/stores/kroger/shelves/plant-milk")
    expect((shelf["store"], shelf["shelf"], shelf["section"]) == ("kroger", "plant-milk", "Dairy & Eggs"), "another shelf", shelf)
    expect("oat milk" in shelf["keywords"], "no `oat milk`", shelf["keywords"][:10])
    bench.server.expect(404, "GET", "/v1/stores/krogr", said="kroger")
    bench.server.expect(404, "GET", "/v1/stores/krogr/search?q=milk", said="kroger")
    bench.server.expect(404, "GET", "/v1/stores/kroger/shelves/plant-milks", said="plant-milk")
    bench.server.expect(404, "GET", "/v1/nothing")


@case("a search finds keywords and shelves that contain the text, best first, up to the limit")
def search(bench):
    found = bench.server.get("/v1/stores/kroger/search?q=oat%20milk")["results"]
    expect(found and found[0]["keyword"].lstrip("!?") == "oat milk" and found[0]["shelf"] == "plant-milk", "another first", found[:3])
    expect(all("oat milk" in each["keyword"].lower() or "oat-milk" in each["shelf"] for each in found), "does not contain it", found)
    expect(len(bench.server.get("/v1/stores/kroger/search?q=milk&limit=3")["results"]) == 3, "another limit")
    expect(bench.server.get("/v1/stores/kroger/search?q=zzqxzz")["results"] == [], "something was found")
    named = bench.server.get("/v1/stores/kroger/search?q=plant-milk")["results"]
    expect(named and named[0]["shelf"] == "plant-milk", "a shelf is not found by its name", named[:3])
    expect(bench.server.get("/v1/stores/kroger/search?q=OAT+Milk")["results"] == found, "case or plus matters")
    for query in (
        "",
        "?q=",
        "?q=milk&limit=0",
        "?q=milk&limit=-1",
        "?q=milk&limit=abc",
        "?q=milk&limit=201",
        "?q=milk&limit=99999999999999999999",
    ):
        bench.server.expect(400, "GET", "/v1/stores/kroger/search" + query)


@case("a correction is taught, answers from then on, is listed, replaced, forgotten, and undone")
def corrections(bench):
    with bench.running() as server:

        def section(item):
            return server.post("/v1/categorize", {"items": [item]})["results"][0]["section"]

        taught = server.post("/v1/corrections", {"item": "oat milk", "section": "Snacks", "by": "jane"})
        expect(
            (taught["item"], taught["section"], taught["section_id"], taught["replaced"]) == ("oat milk", "Snacks", "snacks", None),
            "taught",
            taught,
        )
        expect(section("oat milk") == section("2 cartons of Oat Milk") == "Snacks", "it does not answer")
        listed = server.get("/v1/corrections")
        expect(
            [(each["store"], each["item"], each["section"], each["section_id"], each["by"]) for each in listed["corrections"]]
            == [("kroger", "oat milk", "Snacks", "snacks", "jane")]
            and listed["next"] is None,
            "the list",
            listed,
        )
        again = server.post("/v1/corrections", {"item": "Oat Milk", "section": "beverages", "store": "kroger"})
        expect(again["section"] == "Beverages" and again["replaced"]["section"] == "Snacks", "by a section's id", again)
        shelf = server.post("/v1/corrections", {"item": "flapjack", "section": "plant-milk"})
        expect(shelf["section"] == "Dairy & Eggs", "by a shelf's id", shelf)
        expect(server.get("/v1/corrections?q=flap")["corrections"][0]["shelf"] == "plant-milk", "its shelf")
        expect(server.post("/v1/undo", {"action": again["action"]}) == {"undone": "correct Oat Milk -> Beverages"}, "undone")
        expect(section("oat milk") == "Snacks", "undo brings back another section")
        server.expect(409, "POST", "/v1/undo", {"action": again["action"]})
        expect(server.expect(200, "DELETE", target("/v1/corrections", item="OAT milk")).json["forgotten"], "forgotten")
        expect(section("oat milk") == "Dairy & Eggs", "it still answers")
        server.post("/v1/undo", {})
        expect(section("oat milk") == "Snacks", "the last action is not undone")
        history = server.get("/v1/history")
        expect(
            [each["action"] for each in history["actions"]] == sorted((each["action"] for each in history["actions"]), reverse=True),
            "not the newest first",
            history,
        )
        whats = [each["what"] for each in history["actions"]]
        expect("correct flapjack -> Dairy & Eggs" in whats and "correct oat milk -> Snacks" in whats, "the history", whats)
        server.stop()
        server.start()
        expect(section("oat milk") == "Snacks", "lost when the server was started again")


@case("what cannot be taught is refused with a reason, and nothing changes")
def corrections_refused(bench):
    with bench.running() as server:
        server.expect(422, "POST", "/v1/corrections", {"item": "oat milk", "section": "Snakcs"}, said="Snacks")
        server.expect(404, "POST", "/v1/corrections", {"item": "oat milk", "section": "Snacks", "store": "krogr"}, said="kroger")
        for value in (
            {},
            {"item": "x"},
            {"section": "Snacks"},
            {"item": "", "section": "Snacks"},
            {"item": " ", "section": "Snacks"},
            {"item": 7, "section": "Snacks"},
            {"item": "x", "section": None},
            {"item": "x", "section": ""},
            {"item": "nul\0", "section": "Snacks"},
            {"item": "x" * 1025, "section": "Snacks"},
            {"item": "!!!", "section": "Snacks"},
            {"item": "x", "section": "Snacks", "by": "y" * 1025},
            {"item": "x", "section": "Snacks", "by": 7},
            [],
            None,
            "x",
            7,
        ):
            server.expect(422, "POST", "/v1/corrections", value)
        server.expect({200}, "DELETE", "/v1/corrections?item=nothing")
        server.expect(400, "DELETE", "/v1/corrections")
        server.expect(404, "DELETE", "/v1/corrections?item=x&store=krogr")
        server.expect(409, "POST", "/v1/undo", {})
        for value in ({"action": 99_999}, {"action": 0}, {"action": -1}):
            server.expect({409, 422}, "POST", "/v1/undo", value)
        for value in ({"action": "x"}, {"action": 1.5}, []):
            server.expect(422, "POST", "/v1/undo", value)
        expect(server.get("/v1/corrections")["corrections"] == [], "something was taught")
        expect(server.get("/v1/history")["actions"] == [], "something was done")


@case("lists come a page at a time, newest first, each entry once, also while others write")
def pages(bench):
    with bench.running() as server:
        for number in range(25):
            server.post("/v1/corrections", {"item": f"thing number {number:02}", "section": "Snacks"})
        server.post("/v1/corrections", {"item": "elsewhere", "section": "Produce", "store": "walmart"})
        items, after, count = [], None, 0
        while True:
            page = server.get(target("/v1/corrections", limit=10, after=after, store="kroger"))
            items += [each["item"] for each in page["corrections"]]
            after, count = page["next"], count + 1
            if count == 1:
                server.post("/v1/corrections", {"item": "in between", "section": "Snacks"})
            if after is None:
                break
            expect(len(page["corrections"]) == 10, "a short page that is not the last")
        expect(items == [f"thing number {number:02}" for number in reversed(range(25))], "other items", items)
        expect([each["item"] for each in server.get("/v1/corrections?store=walmart")["corrections"]] == ["elsewhere"], "another store's")
        expect(len(server.get("/v1/corrections?q=number+1")["corrections"]) == 10, "q finds others")
        expect(len(server.get("/v1/corrections?q=NUMBER%2007")["corrections"]) == 1, "q minds case")
        expect(server.get("/v1/corrections?q=%25")["corrections"] == [], "a percent sign is a wildcard")
        actions, before = [], None
        while True:
            page = server.get(target("/v1/history", limit=10, before=before))
            actions += [each["action"] for each in page["actions"]]
            before = page["next"]
            if before is None:
                break
        expect(len(actions) == len(set(actions)) == 27 and actions == sorted(actions, reverse=True), "the history", actions)
        for query in ("limit=0", "limit=1001", "limit=x", "limit=", "limit=1.5", "after=nonsense!"):
            server.expect(400, "GET", "/v1/corrections?" + query)
        server.expect(404, "GET", "/v1/corrections?store=krogr", said="kroger")
        for query in ("limit=0", "limit=x", "before=nonsense!"):
            server.expect(400, "GET", "/v1/history?" + query)


@case("suggestions wait, are accepted, dismissed, edited, and undone, all or none")
def suggestions(bench):
    with bench.running() as server:

        def wait(*items, to="Snacks", **more):
            return server.post("/v1/suggestions", {"suggestions": [{"item": item, "to": to, **more} for item in items]})["waiting"]

        def waiting():
            return [each["item"] for each in server.get("/v1/suggestions")["suggestions"]]

        def decide(ids, verdict, **more):
            return server.post("/v1/suggestions/decide", {"ids": ids, "verdict": verdict, **more})

        milk, kale, there = server.post(
            "/v1/suggestions",
            {
                "suggestions": [
                    {"item": "oat milk", "to": "Snacks", "confidence": 0.8, "by": "llm", "model": "m-1"},
                    {"item": "kale", "to": "snacks"},
                    {"item": "bread", "to": "Bakery"},
                ]
            },
        )["waiting"]
        expect(milk and kale and there is None, "who waits", milk, kale, there)
        listed = server.get("/v1/suggestions?store=kroger")["suggestions"]
        first = listed[0]
        expect([each["id"] for each in listed] == [milk, kale], "the oldest first", listed)
        expect(
            (first["item"], first["from"], first["to"], first["confidence"], first["by"], first["model"])
            == ("oat milk", "Dairy & Eggs", "Snacks", 0.8, "llm", "m-1"),
            "the suggestion",
            first,
        )
        expect(server.get("/v1/suggestions?store=walmart")["suggestions"] == [], "another store's")
        decided = decide([milk], "accept", by="jane")
        expect(decided["decided"] == 1 and waiting() == ["kale"], "accepted", decided)
        correction = server.get("/v1/corrections")["corrections"][0]
        expect(
            (correction["item"], correction["section"], correction["by"], correction["accepted_by"], correction["model"])
            == ("oat milk", "Snacks", "llm", "jane", "m-1"),
            "its correction",
            correction,
        )
        server.expect(409, "POST", "/v1/suggestions/decide", {"ids": [kale, milk], "verdict": "accept"})
        expect(waiting() == ["kale"], "one of two was decided")
        server.expect(404, "POST", "/v1/suggestions/decide", {"ids": [kale, 99_999], "verdict": "accept"})
        expect(waiting() == ["kale"], "one of two was decided")
        server.post("/v1/undo", {"action": decided["action"]})
        expect(sorted(waiting()) == ["kale", "oat milk"] and server.get("/v1/corrections")["corrections"] == [], "undone")
        decide([kale], "dismiss")
        expect(wait("kale") == [None], "a dismissed one waits again")
        decide([milk], "accept", section="Beverages")
        expect(server.get("/v1/corrections")["corrections"][0]["section"] == "Beverages", "edited")
        for value in (
            {"ids": [], "verdict": "accept"},
            {"ids": [1], "verdict": "maybe"},
            {"ids": ["x"], "verdict": "accept"},
            {"verdict": "accept"},
            {"ids": [1]},
            {"ids": 1, "verdict": "accept"},
            [],
        ):
            server.expect(422, "POST", "/v1/suggestions/decide", value)
        again = wait("tofu")
        server.expect(422, "POST", "/v1/suggestions/decide", {"ids": again, "verdict": "accept", "section": "Snakcs"}, said="Snacks")
        for value in (
            {"suggestions": []},
            {},
            {"suggestions": [{"item": "kale"}]},
            {"suggestions": [{"to": "Snacks"}]},
            {"suggestions": "x"},
            {"suggestions": [{"item": "kale", "to": "Snacks", "confidence": 2}]},
            {"suggestions": ["kale"]},
        ):
            server.expect(422, "POST", "/v1/suggestions", value)
        server.expect(
            422,
            "POST",
            "/v1/suggestions",
            {"suggestions": [{"item": "leek", "to": "Snacks"}, {"item": "kale", "to": "Snakcs"}]},
            said="Snacks",
        )
        expect(waiting() == ["tofu"], "one of two was taken")
        server.expect(404, "POST", "/v1/suggestions", {"store": "krogr", "suggestions": [{"item": "kale", "to": "Snacks"}]})
        server.expect(404, "GET", "/v1/suggestions?store=krogr")


@case("without a model, check and the edge function say so")
def no_model(bench):
    bench.server.expect(501, "POST", "/v1/check", {"items": [{"name": "kale"}]})
    bench.server.expect(501, "POST", "/v1/app", {"action": "sanity_check", "items": [{"id": "1", "name": "kale", "category": "Snacks"}]})
    bench.server.expect(501, "POST", "/v1/app", {"action": "analyze", "imageBase64": "/9j/4AAQSkZJRg==", "mediaType": "image/jpeg"})


@case("without a report, the error says how to make one")
def report(bench):
    bench.server.expect(404, "GET", "/v1/report", said="aisle eval")


@case("whoever listens hears of corrections, suggestions, and undo as they happen, several at once")
def events(bench):
    with bench.running() as server:
        listeners = [Listener(server) for _ in range(5)]
        # Changes within half a second are told as one.
        server.post("/v1/corrections", {"item": "oat milk", "section": "Snacks"})
        time.sleep(0.7)
        server.post("/v1/suggestions", {"suggestions": [{"item": "kale", "to": "Snacks"}]})
        time.sleep(0.7)
        server.post("/v1/undo", {})
        for listener in listeners:
            heard = listener.wait_for(3)
            kinds = [kind for kind, _ in heard]
            expect(heard[:1] == [("corrections", {"items": ["oat milk"]})], "the first event", heard)
            expect("suggestions" in kinds and kinds.count("corrections") + kinds.count("suggestions") >= 3, "the others", heard)
            listener.close()
        server.post("/v1/corrections", {"item": "kale", "section": "Snacks"})
        took = server.stop()
        expect(took <= 5, f"it took {took:.1f} s to end")


@case("a listener does not keep the server from ending, and hears a comment every 15 s", is_slow=True)
def events_idle(bench):
    with bench.running() as server:
        listener = Listener(server, timeout=20)
        while not listener.comments:
            listener.read_line()
        took = server.stop()
        expect(took <= 5, f"it took {took:.1f} s to end")


@case("stores are read again when their files change")
def stores_change(bench):
    folder = bench.make_folder()
    taxonomies = folder / "taxonomies"
    (taxonomies / "shelves").mkdir(parents=True)
    (taxonomies / "shelves/leaves.txt").write_text("# Leaves.\nkale\n")
    store = taxonomies / "corner.yaml"
    text = "store: corner\nname: Corner\nfallback: Other\nsections:\n  - name: {}\n    shelves: [leaves]\n  - name: Other\n"
    store.write_text(text.format("Greens"))
    with bench.running(folder=folder, environment={"AISLE_TAXONOMIES": str(taxonomies), "AISLE_STORE": "corner"}) as server:

        def section():
            return server.post("/v1/categorize", {"items": ["kale"]})["results"][0]["section"]

        expect(section() == "Greens", "the first section", section())
        listener = Listener(server)
        changed = taxonomies / "corner.new"
        changed.write_text(text.format("Salads"))
        changed.rename(store)
        expect(listener.wait_for(1) == [("stores", {"store": "corner"})], "the event", listener.heard)
        expect(section() == "Salads", "the old section")
        store.write_text("store: [")
        time.sleep(2)
        expect(section() == "Salads", "a broken file takes the store away")
