"""Mealie's foods, labels, and shopping lists. A PUT replaces what is there, as in Mealie: what the client leaves out is lost."""
import uuid

from .base import Fake, Refused

TIME = "2026-11-01T10:00:00.000000Z"
FOOD = {"id": str, "name": str, "pluralName": (str, None), "description": str, "extras": dict, "aliases": list, "labelId": (str, None),
        "householdsWithIngredientFood?": list, "groupId?": str}
ITEM = {"id": str, "shoppingListId": str, "labelId": (str, None), "note": str, "quantity": (int, float), "checked": bool, "position": int,
        "foodId": (str, None), "unitId": (str, None), "display?": str, "extras?": dict, "recipeReferences?": list}
SETTING = {"id": str, "shoppingListId": str, "labelId": str, "position": int, ...: None}


def number(text):
    return str(uuid.uuid5(uuid.NAMESPACE_URL, text))


class Mealie(Fake):
    routes = (
        ("GET", "/api/groups/labels", None, "all_labels"),
        ("POST", "/api/groups/labels", {"name": str, "color?": str}, "add_label"),
        ("GET", "/api/foods", None, "all_foods"),
        ("PUT", "/api/foods/([0-9a-f-]{36})", FOOD, "put_food"),
        ("GET", "/api/households/shopping/lists", None, "all_lists"),
        ("GET", "/api/households/shopping/lists/([0-9a-f-]{36})", None, "get_list"),
        ("PUT", "/api/households/shopping/lists/([0-9a-f-]{36})/label-settings", [SETTING], "put_settings"),
        ("GET", "/api/households/shopping/items/([0-9a-f-]{36})", None, "get_item"),
        ("PUT", "/api/households/shopping/items/([0-9a-f-]{36})", ITEM, "put_item"),
    )

    def __init__(self, items, categories=()):
        self.labels, self.settings, self.list = [], [], number("list")
        for name in categories:
            self.add_label({"name": name})
        self.foods = {}
        for name, label in items.items():
            self.foods[number(name)] = {
                "id": number(name), "name": name, "pluralName": None if label else f"{name}s", "description": f"about {name}",
                "extras": {"from": "market"}, "aliases": [{"name": "another"}], "householdsWithIngredientFood": [],
                "groupId": number("group"),
                "labelId": self.named(label)["id"] if label else None, "createdAt": TIME, "updatedAt": TIME}
        self.items = {}
        super().__init__()

    def named(self, name):
        return next((label for label in self.labels if label["name"] == name), None) or self.add_label({"name": name})

    def sections(self):
        names = {label["id"]: label["name"] for label in self.labels}
        return {food["name"]: names.get(food["labelId"]) for food in self.foods.values()}

    def order(self):
        names = {label["id"]: label["name"] for label in self.labels}
        return [names[setting["labelId"]] for setting in sorted(self.settings, key=lambda setting: setting["position"])]

    def put_on_list(self, display, label=None):
        key = number(display)
        self.items[key] = {
            "id": key, "shoppingListId": self.list, "display": display, "note": display, "quantity": 1.0, "checked": False, "position": 0,
            "foodId": None, "unitId": None, "labelId": self.named(label)["id"] if label else None, "extras": {"a": "b"},
            "recipeReferences": [], "createdAt": TIME, "updatedAt": TIME}
        return key

    @staticmethod
    def page(items, page, perPage):
        if (page, perPage) != ("1", "-1"):
            raise Refused(422, {"detail": "this fake knows only page=1&perPage=-1"})
        return {"page": 1, "per_page": -1, "total": len(items), "total_pages": 1, "items": items, "next": None, "previous": None}

    def with_label(self, thing):
        return {**thing, "label": next((label for label in self.labels if label["id"] == thing["labelId"]), None)}

    def all_labels(self, **query):
        return self.page(self.labels, **query)

    def add_label(self, body):
        if any(label["name"] == body["name"] for label in self.labels):
            raise Refused(400, {"detail": {"message": "Label already exists", "error": True}})
        label = {"id": number(f"label {body['name']}"), "name": body["name"], "color": "#959595", "groupId": number("group")}
        self.labels.append(label)
        place = len(self.settings)
        self.settings.append(
            {"id": number(f"setting {place}"), "shoppingListId": self.list, "labelId": label["id"], "position": place})
        return label

    def all_foods(self, **query):
        return self.page([self.with_label(food) for food in self.foods.values()], **query)

    def put_food(self, key, body):
        if key not in self.foods or body["labelId"] not in {label["id"] for label in self.labels}:
            raise Refused(404)
        self.foods[key] = {**body, "createdAt": TIME, "updatedAt": TIME}
        return self.with_label(self.foods[key])

    def all_lists(self, **query):
        return self.page([{"id": self.list, "name": "Shopping"}], **query)

    def get_list(self, key):
        return {"id": key, "name": "Shopping", "listItems": [], "labelSettings": [self.with_label(setting) for setting in self.settings]}

    def put_settings(self, key, body):
        if {setting["id"] for setting in body} != {setting["id"] for setting in self.settings}:
            raise Refused(422, {"detail": "settings were lost"})
        self.settings = [{name: setting[name] for name in ("id", "shoppingListId", "labelId", "position")} for setting in body]
        return self.get_list(key)

    def get_item(self, key):
        if key not in self.items:
            raise Refused(404, {"detail": {"message": "Not found"}}, is_expected=True)
        return self.with_label(self.items[key])

    def put_item(self, key, body):
        self.items[key] = {**body, "createdAt": TIME, "updatedAt": TIME}
        return {"createdItems": [], "updatedItems": [self.with_label(self.items[key])], "deletedItems": []}
