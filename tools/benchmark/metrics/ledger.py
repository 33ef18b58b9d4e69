"""Keeps what was compared with what, and how far apart they were at most."""
import math

SHOWN = 20


class Ledger:
    """One line a figure and what it was compared with."""
    EXACT = 0.0
    # Reports round figures to six decimals.
    ROUNDED = 1e-6

    def __init__(self):
        self.lines = {}
        self.faults = []
        self.where = ""

    def equal(self, name, against, ours, theirs):
        """Counts, names and other things that are the same or not."""
        self._add(name, against, 0.0 if ours == theirs else math.inf, self.EXACT, ours, theirs)

    def close(self, name, against, ours, theirs, allowed=ROUNDED):
        """Figures; `None` of ours is a figure that is not defined, as `nan` is of theirs."""
        theirs = float(theirs)
        if ours is None or math.isnan(theirs):
            distance = 0.0 if ours is None and math.isnan(theirs) else math.inf
        else:
            distance = abs(ours - theirs)
        self._add(name, against, distance, allowed, ours, theirs)

    def _add(self, name, against, distance, allowed, ours, theirs):
        count, apart, limit, faults = self.lines.get((name, against), (0, 0.0, allowed, 0))
        is_fault = distance > allowed * (1 + 1e-9)
        if is_fault and len(self.faults) < SHOWN:
            self.faults.append(f"{name}: aisle says {_short(ours)}, {against} {_short(theirs)} ({self.where})")
        if distance * limit > apart * allowed or distance > apart and not allowed:
            apart, limit = distance, allowed  # the comparison that is nearest to its limit, or furthest beyond
        self.lines[name, against] = (count + 1, apart, limit, faults + is_fault)

    def table(self):
        rows = [("", "figure", "against", "compared", "apart at most", "allowed")]
        for (name, against), (count, apart, limit, faults) in self.lines.items():
            rows.append(("no" if faults else "ok", name, against, f"{count:,}", _apart(apart), _apart(limit)))
        widths = [max(len(row[column]) for row in rows) for column in range(6)]
        return "\n".join("  ".join(cell.rjust(width) if column > 2 else cell.ljust(width)
                                   for column, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows)


def _apart(distance):
    return "0" if distance == 0 else "differs" if distance == math.inf else f"{distance:.1e}"


def _short(value):
    text = repr(value)
    return text if len(text) < 160 else text[:157] + "…"
