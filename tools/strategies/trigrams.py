#!/usr/bin/env python3
"""An external strategy on the standard library alone: naive Bayes over the letters of the store's keywords.

It knows no word, only which runs of three to five letters the sections' keywords are made of, so it has an opinion on misspelled and
unheard-of goods. docs/external-strategies.md describes what it reads and writes.
"""
import collections, json, math, re, sys

CERTAIN = 0.5  # the probability below which it abstains


def pieces(text):
    """The runs of letters of a text: `kale` has ` ka`, `kal`, `ale`, `le `, ` kal` and so on."""
    text = " " + " ".join(re.findall(r"[^\W\d_]+", text.lower())) + " "
    return {text[at:at + size] for size in (3, 4, 5) for at in range(len(text) - size + 1)}


class Sections:
    def __init__(self, shelves):
        self.counts = collections.defaultdict(collections.Counter)  # section -> piece -> keywords with it
        for shelf in shelves:
            for keyword in shelf["keywords"]:
                if not keyword.startswith("?"):  # a descriptor, which says nothing of the section
                    self.counts[shelf["section"]].update(pieces(keyword))
        self.sizes = {section: sum(counts.values()) for section, counts in self.counts.items()}

    def answer(self, item):
        known = [piece for piece in sorted(pieces(item)) if any(piece in counts for counts in self.counts.values())]
        if len(known) < 3:
            return {"type": "abstain"}
        scores = {  # runs of letters overlap, so each tells less than it would alone: hence the root
            section: sum(math.log((counts[piece] + 0.1) / (self.sizes[section] + 1e4)) for piece in known) / len(known) ** 0.5
            for section, counts in self.counts.items()}
        best = max(sorted(scores), key=scores.get)
        confidence = 1 / sum(math.exp(score - scores[best]) for score in scores.values())
        if confidence < CERTAIN:
            return {"type": "abstain"}
        telling = max(known, key=lambda piece: self.counts[best][piece] / sum(counts[piece] for counts in self.counts.values()))
        return {"type": "match", "section": best, "confidence": round(confidence, 4), "evidence": f"letters `{telling.strip()}`"}


sections = None
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        reply = {"type": "hello", "protocol": 1, "name": "trigrams", "version": "1.0", "wants": ["shelves"],
                 "summary": "naive Bayes over the letters of the store's keywords"}
    elif message["type"] == "shelves":
        sections, reply = Sections(message["shelves"]), {"type": "ready"}
    else:
        reply = {"type": "decided", "id": message["id"], "answers": [sections.answer(item) for item in message["items"]]}
    print(json.dumps(reply), flush=True)
