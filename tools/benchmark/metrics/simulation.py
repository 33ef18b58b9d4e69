"""Sends simulated changes through the gate: how many regressions it catches, and how often noise fails it."""
import json
import random

import numpy as np
from scipy.stats import binom
from statsmodels.stats.proportion import proportion_confint

ITEMS, RIGHT = 4_000, 3_720
SIZES = [30, 60, 100, 299, 300, 1_000, 4_000]
# Each change gives 2.5% of the items, 100 on average, another verdict. The shares of all items that are lost and won:
KINDS = [("true drop of 1.5 points", 0.0200, 0.0050), ("true drop of 1.0 point", 0.0175, 0.0075),
         ("true drop of 0.5 points", 0.0150, 0.0100), ("noise: as likely won as lost", 0.0125, 0.0125)]


def run(tool, ledger, folder, options, progress):
    from .checks import is_regression
    header = {"format": "aisle-baseline", "version": 1, "tool": "0", "store": "shop", "chain": "keyword", "taxonomy": "0" * 16,
              "corpus": "0" * 16}
    head = json.dumps(header, indent=2)[:-2] + ',\n  "answers": [\n'
    lines = {flag: ['{"item":"item %05d","expected":["A"],"section":"%s","confidence":0.9,"strategy":"keyword","reason":"x"}'
                    % (number, "A" if flag else "B") for number in range(ITEMS)] for flag in (True, False)}
    before, after = folder / "before.json", folder / "after.json"
    is_right = [number % 100 < 93 for number in range(ITEMS)]

    def write(path, flags):
        path.write_text(head + ",\n".join(lines[flag][number] for number, flag in enumerate(flags)) + "\n  ]\n}\n")

    write(before, is_right)
    rates = ["", f"{options.simulate:,} simulated changes of each kind, {ITEMS:,} items, {RIGHT / ITEMS:.0%} right before, "
                 "2.5% of the items changed, alpha 0.05"]
    for kind, lost_share, won_share in KINDS:
        progress(f"simulating: {kind}")
        rng = random.Random(f"{options.seed} {kind}")
        chances = {True: lost_share * ITEMS / RIGHT, False: won_share * ITEMS / (ITEMS - RIGHT)}
        failed = 0
        for number in range(options.simulate):
            flags = [flag != (rng.random() < chances[flag]) for flag in is_right]
            write(after, flags)
            code = tool.run("compare", before, after, "--show", "0", codes=(0, 1)).returncode
            won, lost = sum(map(int.__gt__, flags, is_right)), sum(map(int.__lt__, flags, is_right))
            ledger.where = f"change {number} of --seed {options.seed}: {won} won, {lost} lost"
            ledger.equal("gate: simulated changes", "scipy", code, 1 if is_regression(won, lost, ITEMS) else 0)
            failed += code
        expected = chance_of_failing(ITEMS, chances)
        ledger.where = f"--seed {options.seed}: {kind}"
        ledger.close("gate: rate of failing", "exact chance", failed / options.simulate, expected,
                     4 * np.sqrt(expected * (1 - expected) / options.simulate) + 1 / options.simulate)
        low, high = proportion_confint(failed, options.simulate, method="wilson")
        what = "false alarms" if lost_share == won_share else "caught"
        rates.append(f"  {kind:<30}{what:<14}{failed:>6,} of {options.simulate:,}  {failed / options.simulate:>6.1%} "
                     f"({low:.1%}–{high:.1%}; exact chance {expected:.1%})")
    rates += ["", "The exact chance that the gate fails, by the number of items:",
              "     items   a drop of 5 points   of 2 points   as likely won as lost   nothing changes"]
    for items in SIZES:
        right = round(items * RIGHT / ITEMS)
        cells = [chance_of_failing(items, {True: lost * items / right, False: won * items / (items - right)})
                 for lost, won in [(0.055, 0.005), (0.025, 0.005), (0.0125, 0.0125), (0, 0)]]
        rates.append(f"    {items:>6,}" + "".join(f"{cell:>{width}.1%}" for cell, width in zip(cells, [21, 14, 24, 18])))
    return rates


def chance_of_failing(items, chances):
    """The exact chance that a change fails the gate: lost and won items are independent binomials."""
    right = round(items * RIGHT / ITEMS)
    most = min(items, 500)
    lost, won = np.meshgrid(np.arange(most + 1), np.arange(most + 1), indexing="ij")
    chance = binom.pmf(lost, right, chances[True]) * binom.pmf(won, items - right, chances[False])
    p_values = np.minimum(1, 2 * binom.cdf(np.minimum(lost, won), lost + won, 0.5))
    return float(chance[(lost > won) & ((p_values < 0.05) | (items < 300))].sum())
