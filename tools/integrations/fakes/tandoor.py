"""Tandoor's foods, supermarket categories, and supermarkets, in pages of at most three."""
from .base import Fake, Refused

FIELDS = ("substitute", "inherit_fields", "child_inherit_fields")
LISTS = {f"{field}_{change}": [int] for field in FIELDS for change in ("add", "remove", "set")}


class Tandoor(Fake):
    routes = (
        ("GET", "/api/food/", None, "all_foods"),
        ("PUT", "/api/food/batch_update/", {"foods": [int], "category": int, **LISTS}, "batch"),
        ("GET", "/api/supermarket-category/", None, "all_categories"),
        ("POST", "/api/supermarket-category/", {"name": str}, "add_category"),
        ("GET", "/api/supermarket/", None, "all_markets"),
        ("POST", "/api/supermarket/", {"name": str, "category_to_supermarket": list}, "add_market"),
        ("POST", "/api/supermarket-category-relation/", {"category": {"id": int, "name": str}, "supermarket": int, "order": int}, "relate"),
        ("PATCH", r"/api/supermarket-category-relation/(\d+)/", {"order": int}, "reorder"),
    )

    def __init__(self, items, categories=()):
        self.categories, self.markets = [], []
        for name in categories:
            self.named(name)
        self.foods = [self.food(place, name, self.named(label) if label else None) for place, (name, label) in enumerate(items.items(), 1)]
        super().__init__()

    @staticmethod
    def food(place, name, category):
        return {"id": place, "name": name, "plural_name": None, "description": "", "shopping": "", "parent": None, "numchild": 0,
                "full_name": name, "substitute_onhand": False, "supermarket_category": category}

    def named(self, name):
        return next((each for each in self.categories if each["name"] == name), None) or self.add_category({"name": name})

    def sections(self):
        return {food["name"]: (food["supermarket_category"] or {}).get("name") for food in self.foods}

    def order(self):
        relations = sorted(self.markets[0]["category_to_supermarket"], key=lambda relation: relation["order"])
        return [relation["category"]["name"] for relation in relations]

    def page(self, path, items, page, page_size):
        size = min(3, int(page_size))
        start = size * (int(page) - 1)
        more = f"{self.url}{path}?page={int(page) + 1}&page_size={page_size}" if start + size < len(items) else None
        results = items[start:start + size]
        return {"count": len(items), "next": more, "previous": None, "timestamp": "2026-11-01T10:00:00Z", "results": results}

    def all_foods(self, **query):
        return self.page("/api/food/", self.foods, **query)

    def all_categories(self, **query):
        return self.page("/api/supermarket-category/", self.categories, **query)

    def all_markets(self, **query):
        return self.page("/api/supermarket/", self.markets, **query)

    def add_category(self, body):
        if any(each["name"] == body["name"] for each in self.categories):
            raise Refused(400, {"name": ["This field must be unique."]})
        made = {"id": 50 + len(self.categories), "name": body["name"], "description": None, "open_data_slug": None}
        self.categories.append(made)
        return made

    def batch(self, body):
        category = next(each for each in self.categories if each["id"] == body["category"])
        for food in self.foods:
            if food["id"] in body["foods"]:
                food["supermarket_category"] = category
        return body

    def add_market(self, body):
        made = {"id": 7 + len(self.markets), "name": body["name"], "category_to_supermarket": [], "description": None, "shopping_lists": []}
        self.markets.append(made)
        return made

    def relate(self, body):
        market = next(each for each in self.markets if each["id"] == body["supermarket"])
        category = next(each for each in self.categories if each["id"] == body["category"]["id"])
        relations = market["category_to_supermarket"]
        if any(relation["category"]["id"] == category["id"] for relation in relations):
            raise Refused(400, {"detail": "the category is in the supermarket already"})
        relations.append({"id": 90 + len(relations), "category": category, "supermarket": market["id"], "order": body["order"]})
        return relations[-1]

    def reorder(self, number, body):
        relation = next(each for market in self.markets for each in market["category_to_supermarket"] if each["id"] == int(number))
        relation["order"] = body["order"]
        return relation
