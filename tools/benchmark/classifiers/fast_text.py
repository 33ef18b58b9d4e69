"""fastText's classifier over words, pairs of words and the letters within words (Joulin and others, 2016, arXiv:1607.01759)."""
import os
import random
import tempfile

import fasttext

import text

LABEL = "__label__"
# The best of those tried by cross-validation on the corpus's tune split; the two million buckets that are usual gain nothing that is
# more than noise, and cost speed. One thread, so that a run repeats exactly.
SETTINGS = {"wordNgrams": 2, "minn": 3, "maxn": 6, "dim": 50, "lr": 0.1, "epoch": 25, "bucket": 200_000, "loss": "softmax",
            "seed": 1, "thread": 1, "verbose": 0}


def train(rows, path):
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".txt", dir=os.path.dirname(path)) as file:
        # It knows no weights. It learns in the file's order, so a section must not come after the other.
        lines = [f"{LABEL}{section.replace(' ', '_')} {words}\n" for words, section, _ in rows]
        random.Random(1).shuffle(lines)
        file.writelines(lines)
        file.flush()
        fasttext.train_supervised(input=file.name, **SETTINGS).save_model(path)


def predict(path, texts):
    labels, _ = fasttext.load_model(path).predict(texts)
    return [label[0][len(LABEL):].replace("_", " ") if label else "" for label in labels]


if __name__ == "__main__":
    text.main(train, predict)
