"""Examples that were worked out in print."""
import random

from .shop import Item, Shop, corpus

# Newcombe (1998), Two-sided confidence intervals for the single proportion, Statistics in Medicine 17, table I, method 3.
WILSON = [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0000, 0.1611), (1, 29, 0.0061, 0.1718)]

# Agresti (1990), Categorical Data Analysis, table 10.1: approval of the prime minister, asked twice; both, lost, won, neither.
# The exact p-value is 3.716e-05 (Fay 2011, R package exact2x2).
APPROVAL, APPROVAL_P = (794, 150, 86, 570), 3.716e-05


def check(tool, ledger, folder):
    shop = Shop(random.Random(0), 2)
    right, wrong = shop.sections
    words = {right: "bodanuki", wrong: "fumatole"}
    shop.shelves, shop.shelf_of = {}, {}
    shop.strength = dict.fromkeys(words.values(), "")
    place = folder / "published"
    home = {word: section for section, word in words.items()}
    shop.write(place / "shop", home)

    def items(flags):
        return [Item(f"{words[right if flag else wrong]} {number}", None, (right,), (right,), ())
                for number, flag in enumerate(flags)]

    for count, total, low, high in WILSON:
        ledger.where = f"{count} of {total}"
        corpus(place / "wilson.tsv", items([True] * count + [False] * (total - count)))
        report, _ = tool.json("eval", "--taxonomies", place / "shop", "--store", "shop", "--corpus", place / "wilson.tsv")
        for name, value in [("low", low), ("high", high)]:
            ledger.close("Wilson interval", "Newcombe 1998", report["metrics"]["accuracy"][name], value, 0.00005)
    ledger.where = "approval ratings"
    both, lost, won, neither = APPROVAL
    before = [True] * (both + lost) + [False] * (won + neither)
    after = [True] * both + [False] * lost + [True] * won + [False] * neither
    corpus(place / "ratings.tsv", items(before))
    tool.bless(place / "before.json", place / "shop", place / "ratings.tsv")
    # The same people, other answers: the names of the sections are exchanged where the opinion changed.
    text = (place / "before.json").read_text()
    lines = {line.split('"')[3]: line for line in text.splitlines() if '"item"' in line}
    for item, flag in zip(items(before), after):
        line = lines[item.text]
        is_right = f'"section":"{right}"' in line
        if is_right != flag:
            text = text.replace(line, line.replace(f'"section":"{right if is_right else wrong}"',
                                                   f'"section":"{wrong if is_right else right}"'))
    (place / "after.json").write_text(text)
    report, code = tool.json("compare", place / "before.json", place / "after.json")
    ledger.close("McNemar's exact p", "Agresti 1990", report["comparison"]["difference"]["p_value"], APPROVAL_P)
    ledger.equal("gate: exit code", "Agresti 1990", code, 1)
