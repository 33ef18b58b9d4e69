"""What the scripts of this folder share: options, JSON over HTTP, asking aisle, and the exit codes."""
import argparse
import http.client
import json
import os
import pathlib
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

sys.dont_write_bytecode = True
CODES = "Exit codes: 0 done; 1 done, but aisle does not know some items, which are named; 2 something failed; 64 usage."
PROGRAM = f"tools/integrations/{pathlib.Path(sys.argv[0]).name}"


class Failure(Exception):
    """What went wrong, where, and what to do."""


class Parser(argparse.ArgumentParser):
    """The options that all scripts have."""

    def __init__(self, description, program, token, page):
        super().__init__(prog=PROGRAM, description=description, formatter_class=argparse.RawDescriptionHelpFormatter,
                         epilog=f"environment: {token} is {page}; AISLE_TOKEN is a token of aisle, where it needs one.\n\n{CODES}")
        self.program, self.token, self.page = program, token, page
        self.add_argument("--url", type=address, required=True, help=f"the address of {program}")
        self.add_argument("--server", type=address, default="http://127.0.0.1:8400", metavar="URL", help="aisle (default: %(default)s)")
        self.add_argument("--store", metavar="ID", help="the store (default: that of the server)")
        self.add_argument("--name", action="append", type=renaming, default=[], metavar="SECTION=NAME",
                          help=f"what a section is called in {program}, if not as in the store; repeatable")
        self.add_argument("--fallback", action="store_true", help="put items that aisle does not know into the store's last section")
        self.add_argument("--dry-run", action="store_true", help="print what would be written, and write nothing")

    def error(self, message):
        print(f"{PROGRAM}: {message}; see {PROGRAM} --help", file=sys.stderr)
        sys.exit(64)

    def open(self, header="Authorization", scheme="Bearer "):
        """The options, the program, and aisle."""
        options = self.parse_args()
        token = os.environ.get(self.token, "").strip()
        if not token.isascii() or not token.isprintable() or not token:
            self.error(f"{self.token} is not set; it is {self.page}")
        program = API(self.program, options.url, {header: scheme + token}, "--url", f"set {self.token} to {self.page}")
        return options, program, Aisle(options)


def address(text):
    parts = urllib.parse.urlsplit(text)
    is_plain = text.isascii() and text.isprintable() and " " not in text and not parts.query and not parts.fragment
    if parts.scheme not in ("http", "https") or not parts.hostname or not is_plain:
        raise argparse.ArgumentTypeError(f"`{text}` is not an address like http://127.0.0.1:8400")
    return text.rstrip("/")


def renaming(text):
    section, equals, name = (part.strip() for part in text.partition("="))
    if not (section and equals and name):
        raise argparse.ArgumentTypeError(f"`{text}` is not SECTION=NAME")
    return section, name


def port(text):
    host, _, number = text.rpartition(":")
    if not number.isdecimal() or int(number) > 65535:
        raise argparse.ArgumentTypeError(f"`{text}` is no [HOST:]PORT")
    return host.strip("[]") or "127.0.0.1", int(number)


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A token is for one address alone."""

    def redirect_request(self, *_):
        return None


class API:
    """The JSON API of a program. Where it is busy (429, 503), it is asked again when it says so, three times."""
    opener = urllib.request.build_opener(NoRedirect)

    def __init__(self, program, url, headers, option, remedy):
        self.program, self.url, self.headers, self.option, self.remedy = program, url, headers, option, remedy

    def __call__(self, method, path, body=None, missing=None):
        """The answer, checked to be JSON; `None` where it is empty, and `missing` for what is not there (404), if given."""
        url = self.url + path
        data = None if body is None else json.dumps(body).encode()
        headers = {"Accept": "application/json", **self.headers, **({} if data is None else {"Content-Type": "application/json"})}
        for attempt in range(4):
            try:
                with self.opener.open(urllib.request.Request(url, data, headers, method=method), timeout=60) as answer:
                    text = answer.read()
                return json.loads(text) if text.strip() else None
            except urllib.error.HTTPError as error:
                if error.code in (429, 503) and attempt < 3:
                    wait = error.headers.get("Retry-After", "")
                    time.sleep(min(int(wait), 60) if wait.isdecimal() else 2 ** attempt)
                elif error.code == 404 and missing is not None:
                    return missing
                else:
                    said = reason(error)
                    parts = [f"{error.code} {error.reason}" + (f": {said}" if said else ""), self.advice(error, said)]
                    raise Failure(f"{method} {url}: {'; '.join(filter(None, parts))}") from None
            except json.JSONDecodeError:
                raise Failure(f"{method} {url}: the answer is no JSON; does {self.option} name {self.program}?") from None
            except (OSError, ValueError, http.client.HTTPException) as error:
                cause = getattr(error, "reason", error)
                raise Failure(f"{method} {url}: {getattr(cause, 'strerror', None) or cause or type(cause).__name__}; "
                              f"is {self.program} running there? {self.option} names its address") from None

    def list(self, path):
        """The array that stands at a path."""
        answer = self("GET", path)
        if not isinstance(answer, list):
            raise TypeError(f"{self.url}{path}: no array")
        return answer

    def advice(self, error, said):
        """What to do, where the answer does not say it."""
        if error.code < 400:
            return f"it leads to {error.headers.get('Location')}; give the address itself with {self.option}"
        if error.code in (429, 503):
            return "try again later"
        if error.code == 401 or error.code == 403 and not said:
            return self.remedy
        return f"does {self.option} name {self.program}?" if error.code in (404, 405) and not said else ""


def reason(error):
    """What the answer says is wrong, if it is JSON, in one line."""
    try:
        body = json.loads(error.read(4096))
        text = next((body[key] for key in ("detail", "message", "msg", "error_message") if body.get(key)), "")
    except (ValueError, AttributeError, OSError):
        text = ""
    text = " ".join((text if isinstance(text, str) else json.dumps(text)).split())
    return "".join(c for c in text[:300] if c.isprintable())


class Aisle:
    """The server that knows the sections."""

    def __init__(self, options):
        token = os.environ.get("AISLE_TOKEN", "").strip()
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.api = API("`aisle serve`", options.server, headers, "--server", "set AISLE_TOKEN to one of `aisle serve token add`")
        self.options, self.names, self.left = options, dict(options.name), 0

    def plan(self, things, name):
        """Pairs of a thing and its section, in order. What aisle does not know is left out, and said."""
        things = [thing for thing in things if name(thing).strip()]
        pairs = []
        for start in range(0, len(things), 500):
            part = things[start:start + 500]
            body = {"items": [name(thing)[:500] for thing in part], **({"store": self.options.store} if self.options.store else {})}
            results = self.api("POST", "/v1/categorize", body)["results"]
            if len(results) != len(part):
                raise Failure(f"{self.api.url}/v1/categorize: {len(results)} answers to {len(part)} items; --server names another program")
            for thing, result in zip(part, results):
                if result["strategy"] == "none" and not self.options.fallback:
                    self.left += 1
                    print(f"{PROGRAM}: aisle does not know `{visible(name(thing))}`", file=sys.stderr)
                else:
                    pairs.append((thing, self.names.get(result["section"], result["section"])))
        return pairs

    def store(self):
        """The store's name, and those of its sections in walking order."""
        store = self.options.store or self.api("GET", "/v1/me")["store"]
        answer = self.api("GET", f"/v1/stores/{urllib.parse.quote(store, safe='')}")
        return answer["name"], [self.names.get(section["name"], section["name"]) for section in answer["sections"]]


def key(name):
    """What two names have in common that a person takes for one: `🥬 Produce` and `produce`."""
    return "".join(c for c in name.casefold() if c.isalnum()) or name


def find(named, name, of=lambda thing: thing["name"]):
    """The one of the name, or else one that a person takes for it; `None` where there is none."""
    return next((thing for thing in named if of(thing) == name), None) or next((t for t in named if key(of(t)) == key(name)), None)


def visible(text):
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def say(item, section):
    """A line of the result. That nobody reads it any more is no reason to stop."""
    try:
        print(f"{visible(item)}\t{visible(section)}", flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(main):
    """Runs a script: `main` returns what it asked aisle with."""
    try:
        sys.exit(1 if main().left else 0)
    except Failure as failure:
        print(f"{PROGRAM}: {failure}", file=sys.stderr)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        print(f"{PROGRAM}: an answer has another form than expected ({error!r}); do --url and --server name the right programs?",
              file=sys.stderr)
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(2)
