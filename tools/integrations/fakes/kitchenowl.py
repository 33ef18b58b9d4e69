"""KitchenOwl's items and categories."""
from .base import Fake, Refused


class KitchenOwl(Fake):
    routes = (
        ("GET", "/api/household/1/item", None, "all_items"),
        ("GET", "/api/household/1/category", None, "all_categories"),
        ("POST", "/api/household/1/import", {"items": [{"name": str, "category": str}]}, "fill"),
        ("POST", r"/api/category/(\d+)", {"ordering": int}, "move"),
    )

    def __init__(self, items, categories=()):
        self.categories = []
        for name in categories:
            self.category(name)
        self.items = [{"id": place, "name": name, "household_id": 1, "icon": None, "default": False, "category_id": None}
                      for place, name in enumerate(items, 1)]
        for item, name in zip(self.items, items.values()):
            if name:
                item["category_id"] = self.category(name)["id"]
        super().__init__()

    def category(self, name):
        found = next((category for category in self.categories if category["name"] == name), None)
        if not found:
            found = {"id": 10 + len(self.categories), "name": name, "ordering": len(self.categories), "household_id": 1, "description": "",
                     "default": False, "default_key": None, "created_at": 1, "updated_at": 1}
            self.categories.append(found)
        return found

    def sections(self):
        names = {category["id"]: category["name"] for category in self.categories}
        return {item["name"]: names.get(item["category_id"]) for item in self.items}

    def order(self):
        return [category["name"] for category in sorted(self.categories, key=lambda category: category["ordering"])]

    def all_items(self):
        by_id = {category["id"]: category for category in self.categories}
        return [{**item, **({"category": by_id[item["category_id"]]} if item["category_id"] else {})} for item in self.items]

    def all_categories(self):
        return sorted(self.categories, key=lambda category: category["ordering"])

    def fill(self, body):
        for given in body["items"]:
            item = next((item for item in self.items if item["name"] == given["name"]), None)
            if not item:
                raise Refused(422, {"msg": f"would make an item {given['name']}"})
            item["category_id"] = item["category_id"] or self.category(given["category"])["id"]
        return {"msg": "DONE"}

    def move(self, number, body):
        ordered = self.all_categories()
        moved = next((category for category in ordered if category["id"] == int(number)), None)
        if not moved:
            raise Refused(404)
        ordered.remove(moved)
        ordered.insert(body["ordering"], moved)
        for place, category in enumerate(ordered):
            category["ordering"] = place
        return moved
