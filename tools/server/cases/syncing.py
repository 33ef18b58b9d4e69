"""Machines that are not always online, and the server that they share."""

import datetime
import json
import random

from bench import case
from running import JSON, expect, target
from wire import Cut, request

SECTIONS = ["Snacks", "Produce", "Bakery", None]
START = 1_790_000_000_000  # milliseconds


def moment(milliseconds):
    made = datetime.datetime.fromtimestamp(milliseconds // 1000, datetime.UTC)
    return f"{made:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03}Z"


def change(item, section, time, by="jane", **more):
    return {"store": "kroger", "item": item, "section": section, "by": by, "time": moment(START + time)} | more


class Machine:
    """A client with its own knowledge, that pushes and pulls."""

    def __init__(self, name):
        self.name, self.known, self.unsent, self.after = name, {}, [], None

    def learn(self, one):
        old = self.known.get(one["item"])
        if old is None or old["time"] < one["time"]:
            self.known[one["item"]] = one

    def teach(self, item, section, time):
        one = change(item, section, time, by=self.name)
        self.learn(one)
        self.unsent.append(one)

    def push(self, server, size):
        while self.unsent:
            server.post("/v1/changes", {"changes": self.unsent[:size]})
            self.unsent = self.unsent[size:]

    def pull(self, server, limit):
        while True:
            page = server.get(target("/v1/changes", after=self.after, limit=limit))
            expect(len(page["changes"]) <= limit, "more than the limit")
            for one in page["changes"]:
                self.learn(one)
            expect(not page["more"] or page["next"] != self.after, "there is more, but the cursor stays")
            self.after = page["next"]
            if not page["more"]:
                return


@case("two machines that push and pull in any order come to know the same, and the later change of an item wins")
def converge(bench):
    for seed in range(3 if bench.options.quick else 20):
        generator = random.Random(seed)
        with bench.running() as server:
            machines = [Machine("jane"), Machine("joe")]
            times = random.Random(seed).sample(range(100_000), 300)
            latest = {}
            for number, time in enumerate(times):
                machine, item, section = generator.choice(machines), f"thing {generator.randrange(40)}", generator.choice(SECTIONS)
                machine.teach(item, section, time)
                if item not in latest or latest[item][0] < time:
                    latest[item] = (time, section)
                if number % 20 == 19:
                    machine.push(server, generator.choice([1, 7, 1000]))
                    machine.pull(server, generator.choice([1, 7, 1000]))
            for _ in range(2):
                for machine in machines:
                    machine.push(server, 1000)
                    machine.pull(server, 1000)
            wanted = {item: section for item, (_, section) in latest.items()}
            for machine in machines:
                known = {item: one["section"] for item, one in machine.known.items()}
                differ = [f"{item}: {known.get(item)}, not {section}" for item, section in wanted.items() if known.get(item) != section]
                expect(not differ, f"seed {seed}: {machine.name} knows other sections", *differ[:5])
            listed = server.get("/v1/corrections?limit=1000")["corrections"]
            expect(
                {each["item"]: each["section"] for each in listed} == {item: section for item, section in wanted.items() if section},
                f"seed {seed}: the server knows other sections",
            )


@case("what is sent twice, or is older, changes nothing; a later forgetting forgets, and an older teaching does not come back")
def later_wins(bench):
    with bench.running() as server:

        def push(*changes):
            answer = server.post("/v1/changes", {"changes": list(changes)})
            return answer["added"], answer["replaced"], answer["unchanged"]

        def section():
            return [each["section"] for each in server.get("/v1/corrections")["corrections"]]

        expect(push(change("oat milk", "Snacks", 1000)) == (1, 0, 0) and section() == ["Snacks"], "new")
        expect(push(change("oat milk", "Snacks", 1000)) == (0, 0, 1), "twice")
        expect(push(change("Oat Milk", "Bakery", 500)) == (0, 0, 1) and section() == ["Snacks"], "older")
        expect(push(change("OAT  MILK", "Produce", 1001)) == (0, 1, 0) and section() == ["Produce"], "later, by a millisecond")
        push(change("oat milk", None, 2000))
        expect(section() == [], "forgotten")
        push(change("oat milk", "Snacks", 1500))
        expect(section() == [], "an older teaching comes back")
        push(change("oat milk", "Snacks", 2500, model="m-1", accepted_by="joe"))
        found = server.get("/v1/corrections")["corrections"][0]
        expect(
            (found["section"], found["by"], found["model"], found["accepted_by"], found["time"])
            == ("Snacks", "jane", "m-1", "joe", moment(START + 2500)),
            "what is known of it",
            found,
        )
        pulled = server.get("/v1/changes")
        last = [each for each in pulled["changes"] if each["item"].lower() == "oat milk"][-1]
        expect(last["section"] == "Snacks" and last["time"] == moment(START + 2500), "the last change", pulled)
        expect(push(change("kale", "Snacks", 1), change("kale", "Bakery", 2))[1:] != (0, 2) and "Bakery" in section(), "twice in one push")
        local = server.post("/v1/corrections", {"item": "tofu", "section": "Snacks"})
        after = server.get(target("/v1/changes", after=pulled["next"]))
        expect([each["item"] for each in after["changes"]][-1:] == ["tofu"] and not after["more"], "taught here, after the cursor", after)
        server.post("/v1/undo", {"action": local["action"]})
        undone = server.get(target("/v1/changes", after=after["next"]))["changes"]
        expect([(each["item"], each["section"]) for each in undone] == [("tofu", None)], "undone here, after the cursor", undone)
        server.expect(200, "DELETE", "/v1/corrections?item=kale")
        expect(server.get(target("/v1/changes", after=after["next"]))["changes"][-1]["section"] is None, "forgotten here")
        expect(server.get(target("/v1/changes", after=server.get("/v1/changes")["next"]))["changes"] == [], "nothing new")


@case("changes that are wrong are refused as a whole, with a reason")
def refused(bench):
    with bench.running() as server:
        good = change("kale", "Snacks", 1)
        for bad in (
            change("", "Snacks", 1),
            good | {"time": "yesterday"},
            good | {"time": 7},
            good | {"store": ""},
            good | {"section": 7},
            good | {"item": 7},
            good | {"item": "nul\0"},
            good | {"item": "x" * 1025},
            "kale",
            None,
            {name: value for name, value in good.items() if name != "time"},
            {name: value for name, value in good.items() if name != "store"},
            # Only null says that something was forgotten.
            {name: value for name, value in good.items() if name != "section"},
        ):
            server.expect(422, "POST", "/v1/changes", {"changes": [change("bread", "Snacks", 1), bad]})
        server.expect({200, 422}, "POST", "/v1/changes", {"changes": []})
        for value in ({}, {"changes": "x"}, []):
            server.expect(422, "POST", "/v1/changes", value)
        server.expect({413, 422}, "POST", "/v1/changes", {"changes": [{"item": "a"}] * 10_001})
        expect(server.get("/v1/corrections")["corrections"] == [], "a part was taken")
        answer = server.expect({200, 400}, "GET", "/v1/changes?after=nonsense")
        expect(answer.status == 400 or answer.json.get("anew"), "a cursor that it does not know is taken", answer)
        for query in ("limit=0", "limit=10001", "limit=x"):
            server.expect(400, "GET", "/v1/changes?" + query)


@case("a push that is cut off at any byte is taken as a whole or not at all, and sent again it is")
def cut_off(bench):
    with bench.running() as server:
        body = json.dumps({"changes": [change(f"thing {number}", "Snacks", number) for number in range(50)]}).encode()
        data = request("POST", "/v1/changes", body, JSON, server.host)
        for end in range(0, len(data) + 1, len(data) // 20):
            with server.connect() as connection:
                connection.send(data[:end])
                connection.finish()
                try:
                    connection.receive()
                except Cut:
                    pass
            count = len(server.get("/v1/corrections?limit=1000")["corrections"])
            expect(count in (0, 50), f"cut off after {end} bytes: {count} of 50")
        server.expect(200, "POST", "/v1/changes", body=body)
        expect(len(server.get("/v1/corrections?limit=1000")["corrections"]) == 50, "not all of them")
