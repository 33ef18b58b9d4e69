"""`aisle serve`, as far as the scripts ask it: a table instead of keywords."""
from .base import Fake, Refused

SECTIONS = {
    "Produce": ("kale", "bananas", "limes"), "Meat & Seafood": ("chicken",), "Dairy & Eggs": ("milk", "yogurt"),
    "Snacks": ("pretzels",), "Other": (),
}


class Aisle(Fake):
    routes = (
        ("POST", "/v1/categorize", {"items": [str], "store?": str}, "categorize"),
        ("GET", "/v1/me", None, "me"),
        ("GET", "/v1/stores/([^/]+)", None, "store"),
    )

    def __init__(self, token=None):
        self.token = f"Bearer {token}" if token else None
        super().__init__()

    def categorize(self, body):
        if not 1 <= len(body["items"]) <= 10_000:
            raise Refused(422, {"detail": "1 to 10,000 items"})
        return {"store": body.get("store", "kroger"), "results": [self.decide(item) for item in body["items"]]}

    @staticmethod
    def decide(item):
        found = next((name for name, words in SECTIONS.items() if any(word in item.lower() for word in words)), None)
        return {"item": item, "section": found or "Other", "section_id": (found or "other").lower().replace(" & ", "-"), "color": "gray",
                "confidence": 0.9 if found else 0, "strategy": "keyword" if found else "none"}

    def me(self):
        return {"name": None, "can": "check", "version": "0.1.0", "store": "kroger", "model": None, "needs_token": False}

    def store(self, name):
        if name != "kroger":
            raise Refused(404, {"detail": f"no store `{name}`; did you mean kroger?"})
        sections = [{"id": section.lower(), "name": section, "color": "gray", "shelves": []} for section in SECTIONS]
        return {"id": name, "name": "Kroger", "fallback": "Other", "sections": sections}
