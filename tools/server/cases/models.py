"""What asks a language model: a strict server in its place, the one of tools/check-models, says what it is told to say."""

import base64
import contextlib
import json
import pathlib
import subprocess
import sys
import time

from bench import case
from running import expect

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "models"))
KEY = "sentinel-key-of-the-model"
LIST = {"sections": [{"name": "List", "type": "grocery", "items": ["oat milk", "kale"]}]}
SECRET = "a-secret-of-at-least-thirty-two-bytes"


@contextlib.contextmanager
def running(bench, *words, folder=None, **how):
    """A server with a model."""
    from server import Server

    model = Server("anthropic", **how)
    try:
        with bench.running(
            "--llm", "anthropic", "--llm-url", model.url, *words, folder=folder, environment={"AISLE_LLM_KEY": KEY}
        ) as server:
            yield server, model
            expect(not model.faults and not model.problems, "the model is asked wrongly", *model.faults[:3], *model.problems[:3])
            expect(KEY not in server.said(), "the key is in the log")
            expect(KEY.encode() not in server.ask("GET", "/metrics").body, "the key is in the metrics")
    finally:
        model.stop()


def photo():
    from pictures import jpeg_with_secrets

    return base64.b64encode(jpeg_with_secrets(64, 48, orientation=1)).decode()


def user(name, **more):
    import jwt

    return jwt.encode({"sub": name, "exp": int(time.time()) + 300} | more, SECRET, "HS256")


@case("a checked list gives suggestions that wait, with the caller's ids; the same list is not asked about again")
def check(bench):
    with running(bench, knows={"kale": "Produce", "oat milk": "Dairy & Eggs", "bread": "Bakery"}) as (server, model):
        expect(server.get("/v1/me")["model"], "no model in /v1/me")
        asked = {
            "list": "weekly",
            "items": [{"id": 7, "name": "kale", "category": "Snacks"}, {"id": "m", "name": "oat milk", "category": "Dairy & Eggs"}],
        }
        answer = server.post("/v1/check", asked)
        found = [(each["item"], each["from"], each["to"], each.get("item_id")) for each in answer["suggestions"]]
        expect(
            found == [("kale", "Snacks", "Produce", 7)] and answer["undecided"] == 0 and answer["unchanged_since"] is None,
            "the answer",
            answer,
        )
        waiting = server.get("/v1/suggestions")["suggestions"]
        expect([each["id"] for each in waiting] == [each["id"] for each in answer["suggestions"]], "what waits", waiting)
        before = len(model.requests)
        again = server.post("/v1/check", asked)
        expect(len(model.requests) == before and again["undecided"] == 0, "the model is asked again", again)
        for value in ({}, {"items": []}, {"items": [{}]}, {"items": ["kale"]}, {"items": [{"name": 7}]}, {"items": "x"}):
            server.expect(422, "POST", "/v1/check", value)
        server.expect(404, "POST", "/v1/check", {"store": "krogr", "items": [{"name": "kale"}]}, said="kroger")


@case(
    "the app's sanity check gives its items back, with other categories where the model would move them; analyze gives what is on a photo"
)
def app(bench):
    with running(bench, knows={"kale": "Produce", "Kale": "Produce"}) as (server, _):
        # Also those that differ in spelling alone, or in nothing.
        items = [{"id": id, "name": name, "category": "Snacks"} for id, name in (("a-1", "kale"), ("a-2", "Kale"), ("a-1", "kale"))]
        answer = server.post("/v1/app", {"action": "sanity_check", "items": items})
        expect(answer == {"items": [item | {"category": "Produce"} for item in items]}, "another answer", answer)
    from asked import Says

    with running(bench, answer=lambda asked: Says(LIST, raw=json.dumps(LIST))) as (server, _):
        answer = server.post("/v1/app", {"action": "analyze", "imageBase64": photo(), "mediaType": "image/jpeg"})
        expect(answer == LIST, "another answer", answer)
        for image in ("!", "", base64.b64encode(b"not a photo").decode()):
            server.expect(422, "POST", "/v1/app", {"action": "analyze", "imageBase64": image, "mediaType": "image/jpeg"})


@case("a user of the app's issuer has three photos a month, also after a restart; subscribers have no limit, and checks do not count")
def scan_limit(bench):
    from asked import Says

    folder = bench.make_folder()
    (folder / "secret").write_text(SECRET + "\n")
    (folder / "secret").chmod(0o600)
    image = {"action": "analyze", "imageBase64": photo(), "mediaType": "image/jpeg"}
    with running(
        bench,
        "--jwt-secret-file",
        folder / "secret",
        "--jwt-can",
        "check",
        folder=folder,
        answer=lambda asked: Says(LIST, raw=json.dumps(LIST)),
    ) as (server, _):
        for _ in range(3):
            server.post("/v1/app", image, token=user("jane"))
        server.stop()
        server.start()
        refused = server.expect(403, "POST", "/v1/app", image, token=user("jane"))
        expect(
            refused.type == "application/json"
            and refused.json == {"error": "scan_limit_reached", "scansUsed": 3, "scanLimit": 3, "upgradeRequired": True},
            "another answer",
            refused,
        )
        server.post("/v1/app", image, token=user("joe"))
        for _ in range(4):
            server.post("/v1/app", image, token=user("rich", subscriber=True))
        server.expect(401, "POST", "/v1/app", image, token=user("jane")[:-3] + "abc")


@case("a model that fails is 502, and 500 for the app, as that expects; nothing is suggested")
def failing(bench):
    from asked import Fails

    with running(bench, answer=lambda asked: Fails(400, "invalid_request_error", "no")) as (server, _):
        server.expect(502, "POST", "/v1/check", {"items": [{"name": "kale", "category": "Snacks"}]})
        server.expect(500, "POST", "/v1/app", {"action": "sanity_check", "items": [{"id": "1", "name": "kale", "category": "Snacks"}]})
        server.expect(500, "POST", "/v1/app", {"action": "analyze", "imageBase64": photo(), "mediaType": "image/jpeg"})
        expect(server.get("/v1/suggestions")["suggestions"] == [], "something is suggested")


@case("the report of an evaluation is served as it was written")
def report_of_an_evaluation(bench):
    folder = bench.make_folder()
    ended = subprocess.run(
        [str(bench.options.command), "eval", "--db", "off", "--reporter", "json", "--output", str(folder / "report.json")],
        cwd=bench.root,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    expect(ended.returncode == 0, f"aisle eval: exit {ended.returncode}", ended.stderr)
    with bench.running("--report", folder / "report.json") as server:
        answer = server.expect(200, "GET", "/v1/report")
        expect(answer.json == json.loads((folder / "report.json").read_text()), "another report")
        (folder / "report.json").unlink()
        server.expect(404, "GET", "/v1/report", said="aisle eval")
