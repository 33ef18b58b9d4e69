"""The page as it is served: what a browser gets, also without JavaScript."""

import html.parser
import re
import urllib.parse

from bench import case
from running import expect

EVIL = [
    '<img src=x onerror=alert(1)>',
    '"><script>alert(1)</script>',
    "'-alert(1)-'",
    "</textarea><script>alert(1)</script>",
    "&lt;b&gt;",
    "javascript:alert(1)",
    "{{7*7}}",
    "<!--",
    "\u202eevil",
    "]]>",
]
FORM = [("Content-Type", "application/x-www-form-urlencoded")]


class Reader(html.parser.HTMLParser):
    """The tags and texts of a page."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.texts = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.texts.append(data)


def form(server, **fields):
    answer = server.expect(200, "POST", "/", body=urllib.parse.urlencode(fields).encode(), headers=FORM)
    expect(answer.type == "text/html" and "utf-8" in answer.header("content-type").lower(), "another type", answer.header("content-type"))
    return answer.body.decode()


def has_nothing_inline(text):
    for tag, attributes in Reader(text).tags:
        names = [name for name in attributes if name.startswith("on") or name == "style"]
        expect(not names, f"<{tag}> has {', '.join(names)}, which the policy forbids")
        expect(tag != "style" and (tag != "script" or attributes.get("src")), f"an inline <{tag}>")
        for name in ("src", "href", "action"):
            value = attributes.get(name) or ""
            expect(not re.match(r"(?:[a-z]+:|//)", value.strip(), re.I), f"<{tag} {name}={value!r}> leaves the server")


@case("the page, its style, and its script come from the server alone, and the two files know whether they changed")
def files(bench):
    page = bench.server.expect(200, "GET", "/")
    expect(page.type == "text/html" and "utf-8" in page.header("content-type").lower(), "another type", page.header("content-type"))
    has_nothing_inline(page.body.decode())
    reader = Reader(page.body.decode())
    expect(
        any(tag == "form" and (attributes.get("method") or "").lower() == "post" for tag, attributes in reader.tags),
        "no form for those without JavaScript",
    )
    expect(any(tag == "html" and attributes.get("lang") for tag, attributes in reader.tags), "no language")
    for path, kind in (("/app.css", "text/css"), ("/app.js", "text/javascript")):
        answer = bench.server.expect(200, "GET", path)
        expect(
            answer.type in (kind, kind.replace("text", "application")) and answer.body, f"{path}: {answer.type}, {len(answer.body)} bytes"
        )
        again = bench.server.ask("GET", path, headers=[("If-None-Match", answer.header("etag"))])
        expect(again.status == 304 and not again.body, f"{path} with its ETag", again)
        other = bench.server.ask("GET", path, headers=[("If-None-Match", '"other"')])
        expect(other.status == 200, f"{path} with another ETag", other)
        words = answer.body.decode()
        expect("http://" not in words.replace("http://www.w3.org/", "") and "https://" not in words, f"{path} names another site")
        expect("eval(" not in words and "innerHTML" not in words, f"{path} makes markup or code of texts")


@case("a list posted as a form comes back by section in walking order, and what was typed stays in the form")
def posted(bench):
    text = form(bench.server, items="oat milk\r\n2 lbs chicken thighs\nkale\n\n", store="kroger")
    has_nothing_inline(text)
    seen = "\n".join(each.strip() for each in Reader(text).texts if each.strip())
    places = [seen.find(name) for name in ("Produce", "Meat & Seafood", "Dairy & Eggs")]
    expect(-1 not in places, f"a section is missing: {places}", seen[:4000])
    for item in ("oat milk", "2 lbs chicken thighs", "kale"):
        expect(item in seen, f"`{item}` is missing", seen[:2000])
    expect("Trader" in "\n".join(Reader(form(bench.server, items="kale", store="trader-joes")).texts), "another store")
    form(bench.server, items="", store="kroger")
    form(bench.server, items="kale")


@case("items are text: markup in them is shown, and never obeyed")
def escaped(bench):
    text = form(bench.server, items="\n".join(EVIL), store="kroger")
    has_nothing_inline(text)
    reader = Reader(text)
    expect(not [tag for tag, _ in reader.tags if tag == "img"], "an item became an image")
    expect(
        len([tag for tag, _ in reader.tags if tag == "script"])
        == len([tag for tag, _ in Reader(form(bench.server, items='kale', store='kroger')).tags if tag == "script"]),
        "an item became a script",
    )
    seen = "\n".join(reader.texts)
    for item in EVIL[:7]:
        expect(item in seen, f"`{item}` is not shown as it is")
    expect(EVIL[0] not in text, "an item is in the page's source as it is")
    for field in ("store", "token"):
        answer = bench.server.ask("POST", "/", body=urllib.parse.urlencode({"items": "kale", field: EVIL[0]}).encode(), headers=FORM)
        expect(
            answer.status in (200, 401, 404, 422) and (answer.type != "text/html" or EVIL[0].encode() not in answer.body),
            f"{field}",
            answer,
        )
    taught = bench.server.post("/v1/corrections", {"item": EVIL[0], "section": "Snacks", "by": EVIL[1]})
    expect(taught["item"] == EVIL[0], "an item is changed", taught)
    has_nothing_inline(form(bench.server, items=EVIL[0], store="kroger"))
    bench.server.expect(200, "POST", "/v1/undo", {"action": taught["action"]})


@case("a form that is too large, of another type, or not in UTF-8 is an error, not a failure")
def bad_forms(bench):
    bench.server.expect(413, "POST", "/", body=b"items=" + b"x" * (1 << 20), headers=FORM)
    bench.server.expect(413, "POST", "/", body=b"items=" + b"x%0A" * 10_001, headers=FORM)
    bench.server.expect(415, "POST", "/", body=b"items=kale", headers=[("Content-Type", "text/plain")])
    for body in (
        b"items=%ff%fe",
        b"items=%zz",
        b"items=a%00b",
        b"%%%=&&&==",
        b"",
        b"store=kroger",
        b"items=a&items=b",
        b"items=" + b"%" * 1000,
    ):
        answer = bench.server.ask("POST", "/", body=body, headers=FORM)
        expect(answer.status in (200, 400, 422), f"{body[:40]!r}", answer)
    answer = bench.server.ask("POST", "/", body=b"items=kale&store=krogr", headers=FORM)
    expect(answer.status in (404, 422) and b"kroger" in answer.body, "a misspelled store", answer)
