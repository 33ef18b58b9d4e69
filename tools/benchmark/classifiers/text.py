"""What the classifiers share: how they read texts, and how they are called.

`train DATA MODEL` learns from text<TAB>section<TAB>weight rows; `predict MODEL` writes the section of each line of standard input.
"""
import re
import sys

PARTS = re.compile(r"\w+|[%/&]")


def plain(text):
    """A text in lower case, its words and numbers apart from each other and from the signs around them."""
    return " ".join(PARTS.findall(text.lower()))


def rows(path):
    """The rows of a file of training data: text, section and weight."""
    with open(path, encoding="utf-8", newline="\n") as file:
        for line in file:
            text, section, weight = line.rstrip("\n").split("\t")
            yield plain(text), section, float(weight)


def main(train, predict):
    """Runs what the command line says; `predict` gets a model and texts, and returns as many sections."""
    kind, *paths = sys.argv[1:]
    if kind == "train":
        train(list(rows(paths[0])), paths[1])
    else:
        lines = sys.stdin.buffer.read().decode(errors="replace").split("\n")[:-1]
        sys.stdout.buffer.write("".join(f"{section}\n" for section in predict(paths[0], [plain(line) for line in lines])).encode())
