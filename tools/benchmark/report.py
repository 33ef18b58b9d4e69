"""The table of figures, as Markdown and as JSON."""
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
from dataclasses import dataclass, asdict
from typing import Optional


@dataclass
class Figure:
    """A figure with its target; `met` is `None` where there is no target."""
    name: str
    shown: str
    unit: str = ""
    value: Optional[float] = None
    low: Optional[float] = None
    high: Optional[float] = None
    target: str = ""
    met: Optional[bool] = None


class Report:
    def __init__(self):
        self.figures = []
        self.samples = {}

    def ratio(self, name, spread, at_least=None, at_most=None):
        """A ratio as its median over the rounds, with quartiles."""
        sign, below, target = ("≥", False, at_least) if at_most is None else ("≤", True, at_most)
        self._add(name, f"{_short(spread.median)}× ({_short(spread.low)}–{_short(spread.high)})", "ratio", spread.median,
                  spread.low, spread.high, target,
                  lambda value: f"{sign} {value:g}×" if value >= 100 else f"{sign} {value:.1f}×", below=below)

    def ratio_above(self, name, spread, at_least):
        """A ratio near 1 that shall be large, as its median over the rounds, with quartiles."""
        self._add(name, f"{spread.median:.2f}× ({spread.low:.2f}–{spread.high:.2f})", "ratio", spread.median, spread.low, spread.high,
                  at_least, lambda value: f"≥ {value:.1f}×")

    def ratio_below(self, name, spread, at_most):
        """A ratio that shall be small, as its median over the rounds, with quartiles."""
        self._add(name, f"{spread.median:.2f}× ({spread.low:.2f}–{spread.high:.2f})", "ratio", spread.median, spread.low, spread.high,
                  at_most, lambda value: f"≤ {value:.1f}×", below=True)

    def share(self, name, share, at_least=None):
        low, high = share.interval()
        self._add(name, f"{share.value:.1%} ({low:.1%}–{high:.1%}), n = {share.total:,}", "share", share.value, low, high,
                  at_least, lambda value: f"≥ {value:.0%}")

    def milliseconds(self, name, spread, at_most=None):
        spread = [1000 * value for value in (spread.median, spread.low, spread.high)]
        self._add(name, "{:.1f} ms ({:.1f}–{:.1f})".format(*spread), "ms", *spread, at_most,
                  lambda value: f"≤ {value:g} ms", below=True)

    def seconds(self, name, spread, at_most=None):
        self._add(name, f"{spread.median:.2f} s ({spread.low:.2f}–{spread.high:.2f})", "s", spread.median, spread.low,
                  spread.high, at_most, lambda value: f"≤ {value:g} s", below=True)

    def megabytes(self, name, value, at_most=None):
        value /= 2**20
        self._add(name, f"{value:.1f} MiB", "MiB", value, None, None, at_most, lambda value: f"≤ {value:g} MiB", below=True)

    def rate(self, name, spread, at_least=None):
        self._add(name, f"{spread.median / 1e6:.2f} M/s ({spread.low / 1e6:.2f}–{spread.high / 1e6:.2f})", "lines/s",
                  spread.median, spread.low, spread.high, at_least, lambda value: f"≥ {value / 1e6:.1f} M/s")

    def per_second(self, name, spread, at_least=None):
        self._add(name, f"{spread.median:,.0f} ({spread.low:,.0f}–{spread.high:,.0f})", "/s", spread.median, spread.low, spread.high,
                  at_least, lambda value: f"≥ {value:,.0f}")

    def _add(self, name, shown, unit, value, low, high, target, wording, below=False):
        met = None if target is None else value <= target if below else value >= target
        self.figures.append(Figure(name, shown, unit, value, low, high, "" if target is None else wording(target), met))

    def table(self):
        """The lines of the table."""
        rows = [("figure", "value", "target", "met?"), ("---",) * 4]
        words = {None: "", True: "yes", False: "no"}
        rows += [(figure.name, figure.shown, figure.target, words[figure.met]) for figure in self.figures]
        widths = [max(len(row[column]) for row in rows) for column in range(4)]
        lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in rows]
        lines[1] = "| " + " | ".join("-" * width for width in widths) + " |"
        return lines

    def markdown(self, machine):
        return "\n".join([f"{machine['date']} · {machine['cpu']} · {machine['cores']} cores · Swift {machine['swift']} · "
                          f"{machine['keywords']:,} keywords · load {machine['load']:.1f} at the start", "", *self.table(), ""])

    def json(self, machine, settings):
        return json.dumps({"machine": machine, "settings": settings, "figures": [asdict(figure) for figure in self.figures],
                           "samples": self.samples}, indent=2, ensure_ascii=False) + "\n"

    def record(self, group, samples):
        """Keeps the single runs, for the JSON file."""
        self.samples[group] = {name: [asdict(sample) for sample in runs] for name, runs in samples.items()}


def describe_machine(store):
    swift = _text_of(["swift", "--version"])
    version = re.search(r"Swift version (\S+)", swift)
    return {"date": datetime.date.today().isoformat(), "cpu": _cpu_model(), "cores": len(_cores()),
            "swift": version[1] if version else "unknown", "system": platform.platform(), "load": os.getloadavg()[0],
            "keywords": len(store.keywords)}


def _cores():
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)


def _cpu_model():
    try:
        found = re.search(r"model name\s*: (.+)", pathlib.Path("/proc/cpuinfo").read_text())
    except OSError:
        found = None
    return found[1].strip() if found else _text_of(["sysctl", "-n", "machdep.cpu.brand_string"]).strip() or platform.machine()


def _text_of(arguments):
    try:
        return subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode(errors="replace")
    except OSError:
        return ""


def _short(value):
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:,.0f}"
