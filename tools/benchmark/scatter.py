"""Draws accuracy against items a second as an SVG, the same for the same figures.

Both axes are logarithmic, the upright one in what is wrong: from 90 to 95% is as far as from 80 to 90.
"""
import html
import math
from dataclasses import dataclass

WIDTH, HEIGHT = 760, 470
LEFT, RIGHT, TOP, BOTTOM = 62, 24, 52, 62
CHARACTER = 7.4  # the width of one at the labels' size, generously
LINE = 17
GAP = 9  # between a point and its label
NEAR = 7  # as near to a point nothing else is to be
TICKS = (0, 20, 40, 50, 60, 70, 80, 85, 90, 95, 97, 98, 99, 99.5, 99.9)  # in percent

STYLE = """
text { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328 }
.title { font-size: 15px; font-weight: 600 }
.tick, .axis { fill: #59636e }
.tick { font-size: 12px }
.ground { fill: #ffffff }
.grid { stroke: #d1d9e0; stroke-width: 1 }
.leader { stroke: #8c959f; stroke-width: 1 }
.own { fill: #0969da; stroke: #0969da }
.peer { fill: #bc4c00; stroke: #bc4c00 }
.whisker { stroke-width: 1.5; opacity: .55 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .tick, .axis { fill: #9198a1 }
  .ground { fill: #0d1117 }
  .grid { stroke: #2f353d }
  .leader { stroke: #656c76 }
  .own { fill: #4493f8; stroke: #4493f8 }
  .peer { fill: #f0883e; stroke: #f0883e }
}
""".strip()


@dataclass(frozen=True)
class Point:
    """What is drawn of a strategy: shares in 0…1, `rate` in items a second; `is_own` for one of aisle's."""
    name: str
    rate: float
    value: float
    low: float
    high: float
    is_own: bool


@dataclass(frozen=True)
class Box:
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other):
        return self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom

    def contains(self, x, y):
        return self.left < x < self.right and self.top < y < self.bottom

    def nearest(self, x, y):
        """The point of the box that is nearest to another."""
        return min(max(x, self.left), self.right), min(max(y, self.top), self.bottom)


class Axes:
    """Where figures are drawn: from a power of ten to another, and from a round share to another below 1."""

    def __init__(self, points):
        self.first = math.floor(math.log10(min(point.rate for point in points)))
        self.last = max(self.first + 1, math.ceil(math.log10(max(point.rate for point in points))))
        low, high = 100 * min(point.low for point in points), 100 * max(point.high for point in points)
        bottom = max((tick for tick in TICKS if tick <= low), default=TICKS[0])
        top = min((tick for tick in TICKS if tick >= high and tick > bottom), default=TICKS[-1])
        self.ticks = [tick for tick in TICKS if bottom <= tick <= top]

    def x(self, rate):
        return LEFT + (math.log10(rate) - self.first) / (self.last - self.first) * (WIDTH - LEFT - RIGHT)

    def y(self, share):
        bottom, top, here = (math.log(1 - percent / 100) for percent in (self.ticks[0], self.ticks[-1], min(100 * share, self.ticks[-1])))
        return HEIGHT - BOTTOM - (here - bottom) / (top - bottom) * (HEIGHT - TOP - BOTTOM)


def labels(points, axes):
    """A place for each point's name: a `Box` a point, near it, beside all points, whiskers and other names as far as there is room."""
    spots = [(axes.x(point.rate), axes.y(point.value)) for point in points]
    taken = [Box(x - NEAR, y - NEAR, x + NEAR, y + NEAR) for x, y in spots]
    taken += [Box(x - 2, axes.y(point.high), x + 2, axes.y(point.low)) for point, (x, _) in zip(points, spots)]
    boxes, leaders = {}, []
    for number in sorted(range(len(points)), key=lambda number: (spots[number][1], spots[number][0], points[number].name)):
        here = spots[number]

        def trouble(box):
            end = box.nearest(*here)
            line = _between(here, end)
            over = sum(box.overlaps(other) for other in [*taken, *boxes.values()])
            hit = sum(box.contains(*spot) for leader in leaders for spot in leader)
            hit += sum(other.contains(*spot) for other in boxes.values() for spot in line)
            hit += sum(math.dist(one, two) < 3 for leader in leaders for one in leader for two in line)
            hit += sum(math.dist(other, spot) < NEAR for other in spots if other != here for spot in line)
            hit += sum(math.dist(other, box.nearest(*other)) < math.dist(here, end) for other in spots)  # whose name is it?
            return over, hit

        boxes[number] = _least(_candidates(*here, CHARACTER * len(points[number].name)), trouble)
        leaders.append(_between(here, boxes[number].nearest(*here)))
    return [boxes[number] for number in range(len(points))]


def _least(candidates, trouble):
    """The first candidate with the least trouble; none is looked at after one without any."""
    best, least = None, None
    for candidate in candidates:
        found = trouble(candidate)
        if least is None or found < least:
            best, least = candidate, found
        if not any(found):
            break
    return best


def _candidates(x, y, width):
    """Boxes of one line that lie within the frame, the nearest to a point first."""
    boxes = list(_around(x, y, width))
    return sorted(boxes, key=lambda box: (math.dist((x, y), box.nearest(x, y)), box.top, box.left))


def _around(x, y, width):
    for step in range(-24, 25):
        top = y - LINE / 2 + step * LINE / 2
        for shift in (0, 12, 30, 60, 100):
            for left in (x + GAP + shift, x - GAP - shift - width, x - width / 2):
                if LEFT + 4 <= left and left + width <= WIDTH - 8 and TOP - 4 <= top and top + LINE <= HEIGHT - BOTTOM - 4:
                    yield Box(left, top, left + width, top + LINE)


def _between(start, end):
    """Spots along a line, its first point left out."""
    count = 24
    return [(start[0] + (end[0] - start[0]) * step / count, start[1] + (end[1] - start[1]) * step / count)
            for step in range(1, count + 1)]


def svg(points, title, note):
    """The drawing of at least one point, with a title above it and a note below."""
    points = list(points)
    axes = Axes(points)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" '
             'aria-labelledby="title summary">',
             f'<title id="title">{html.escape(title)}</title>',
             f'<desc id="summary">{html.escape("; ".join(_spoken(point) for point in points))}</desc>',
             f"<style>\n{STYLE}\n</style>",
             f'<rect class="ground" width="{WIDTH}" height="{HEIGHT}" rx="6"/>',
             f'<text class="title" x="{LEFT}" y="28">{html.escape(title)}</text>']
    bottom = HEIGHT - BOTTOM
    for power in range(axes.first, axes.last + 1):
        x = axes.x(10.0**power)
        lines += [_line("grid", x, TOP, x, bottom),
                  f'<text class="tick" x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{_count(power)}</text>']
    for percent in axes.ticks:
        y = axes.y(percent / 100)
        lines += [_line("grid", LEFT, y, WIDTH - RIGHT, y),
                  f'<text class="tick" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{percent:g}%</text>']
    lines += [f'<text class="axis" x="{(LEFT + WIDTH - RIGHT) / 2:.1f}" y="{bottom + 38}" text-anchor="middle">'
              "items a second, one thread</text>",
              f'<text class="tick" x="{LEFT}" y="{HEIGHT - 8}">{html.escape(note)}</text>']
    for point, box in zip(points, labels(points, axes)):
        x, y = axes.x(point.rate), axes.y(point.value)
        end = box.nearest(x, y)
        kind = "own" if point.is_own else "peer"
        if math.dist((x, y), end) > 2 * GAP:
            lines.append(_line("leader", x, y, *end))
        lines += [_line(f"{kind} whisker", x, axes.y(point.low), x, axes.y(point.high)),
                  f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="4.5"><title>{html.escape(_spoken(point))}</title></circle>',
                  f'<text x="{(box.left + box.right) / 2:.1f}" y="{box.top + 13:.1f}" text-anchor="middle">'
                  f"{html.escape(point.name)}</text>"]
    return "\n".join([*lines, "</svg>", ""])


def _line(kind, x1, y1, x2, y2):
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _spoken(point):
    return f"{point.name}: {point.value:.1%} right, {point.rate:,.0f} items a second"


def _count(power):
    """A power of ten as people say it."""
    if power < 0:
        return f"{10.0**power:g}"
    unit = ("", " K", " M", " G")[min(power // 3, 3)]
    return f"{10 ** (power - 3 * min(power // 3, 3))}{unit}"
