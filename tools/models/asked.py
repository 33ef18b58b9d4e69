"""What a request asks and what a model answers, in words that hold for both APIs."""
import dataclasses
import json
import re

NUMBERED = re.compile(r"^\s*(\d+)(?:[.):]\s*|\s+)(.+?)\s*$")


@dataclasses.dataclass
class Asked:
    """A request that fits the SDK's types."""
    api: str
    model: str
    system: str
    text: str  # what the user says
    form: str  # how the answer is to come: schema, object (llama.cpp's way to tell one), json, tool, or text
    schema: dict | None
    limit: int  # the most tokens of the answer
    body: dict
    tool: str = ""
    effort: str | None = None
    photos: list[tuple[str, bytes]] = dataclasses.field(default_factory=list)  # the media type and the bytes

    @property
    def is_keyed(self):
        """Whether the answer is an object with the items' ids for fields."""
        return bool(self.schema) and bool(self.schema.get("properties")) and all(
            name.isdigit() for name in self.schema["properties"])

    @property
    def wants_array(self):
        """Whether the answer is an array of objects."""
        return bool(self.schema) and "items" in self.schema.get("properties", {})

    @property
    def lines(self):
        """The items that are asked about, by id, as the user's message has them."""
        try:
            listed = json.loads(self.text)["items"]
            return {str(item["id"]): item["item"] for item in listed}
        except (ValueError, KeyError, TypeError):
            numbered = dict(match.groups() for line in self.text.splitlines() if (match := NUMBERED.match(line)))
        return {name: numbered[name] for name in self.schema["properties"] if name in numbered} if self.is_keyed else numbered

    @property
    def ids(self):
        return list(self.schema["properties"]) if self.is_keyed else list(self.lines)

    @property
    def choices(self):
        """What the schema allows as an item's answer; nothing where it allows any text."""
        if not self.schema:
            return []
        if self.is_keyed:
            part = next(iter(self.schema["properties"].values()))
        else:
            try:
                part = self.schema["properties"]["items"]["items"]["properties"]["section"]
            except KeyError:
                return []
        while "$ref" in part:
            part = self.schema[part["$ref"].split("/")[1]][part["$ref"].split("/")[2]]
        return part.get("enum", [])


@dataclasses.dataclass
class Says:
    """A model's answer: what it says of each id, and how the answer comes and ends."""
    sections: dict
    blocks: int = 1  # in how many content blocks
    is_fenced: bool = False  # as Markdown shows code
    is_array: bool = False  # as an array of objects, whatever the schema says
    thinks: bool = False  # a block of thought comes first
    ending: str = "complete"  # or refused, truncated, filtered
    raw: str | None = None  # the text, instead of the sections
    tokens: tuple[int, int] | None = None  # what it says it took in and gave out, instead of a count

    def parts(self):
        """The JSON values of the blocks."""
        pairs = list(self.sections.items())
        size = max(1, -(-len(pairs) // self.blocks))
        for start in range(0, max(1, len(pairs)), size):
            part = pairs[start:start + size]
            yield {"items": [{"id": name, "section": section} for name, section in part]} if self.is_array else dict(part)

    def texts(self):
        """The texts of the blocks."""
        for part in self.parts():
            text = self.raw if self.raw is not None else json.dumps(part, ensure_ascii=False, separators=(",", ":"))
            if self.ending == "truncated":
                text = text[:len(text) // 2]
            yield f"Here is the answer:\n\n```json\n{text}\n```\n" if self.is_fenced else text


@dataclasses.dataclass
class Fails:
    """An answer that is an error."""
    status: int
    kind: str
    message: str
    headers: dict = dataclasses.field(default_factory=dict)
    field: str | None = None  # the field of the request that is to blame


@dataclasses.dataclass
class Drops:
    """A connection that breaks instead of an answer; after the request was read."""


def tokens(text):
    """About how many tokens a text has; enough for what a server claims, which `aisle` only holds against the bytes."""
    return max(1, (len(text.encode()) + 3) // 4)
