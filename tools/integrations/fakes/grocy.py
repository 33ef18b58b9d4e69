"""Grocy's products and product groups."""
from .base import Fake, Refused

TIME = "2026-11-01 10:00:00"


class Grocy(Fake):
    header, token = "GROCY-API-KEY", "right-token"
    routes = (
        ("GET", "/api/objects/products", None, "all_products"),
        ("GET", "/api/objects/product_groups", None, "all_groups"),
        ("POST", "/api/objects/product_groups", {"name": str}, "add_group"),
        ("PUT", r"/api/objects/products/(\d+)", {"product_group_id": int}, "put_product"),
    )

    def __init__(self, items, categories=()):
        self.groups = []
        for name in categories:
            self.named(name)
        self.products = [{"id": place, "name": name, "description": None, "product_group_id": self.named(group)["id"] if group else None,
                          "location_id": 1, "qu_id_stock": 1, "qu_id_purchase": 1, "default_best_before_days": 0,
                          "row_created_timestamp": TIME} for place, (name, group) in enumerate(items.items(), 1)]
        super().__init__()

    def named(self, name):
        found = next((group for group in self.groups if group["name"] == name), None)
        if not found:
            found = {"id": 30 + len(self.groups), "name": name, "description": None, "row_created_timestamp": TIME}
            self.groups.append(found)
        return found

    def sections(self):
        names = {group["id"]: group["name"] for group in self.groups}
        return {product["name"]: names.get(product["product_group_id"]) for product in self.products}

    def all_products(self):
        # An empty text is what a form that was left empty saves.
        return [{**product, "product_group_id": product["product_group_id"] or ("" if product["id"] % 2 else None)}
                for product in self.products]

    def all_groups(self):
        return self.groups

    def add_group(self, body):
        if any(group["name"] == body["name"] for group in self.groups):
            raise Refused(400, {"error_message": "UNIQUE constraint failed: product_groups.name"})
        return {"created_object_id": str(self.named(body["name"])["id"])}

    def put_product(self, number, body):
        product = next(product for product in self.products if product["id"] == int(number))
        if body["product_group_id"] not in {group["id"] for group in self.groups}:
            raise Refused(400, {"error_message": "no such group"})
        product.update(body)
