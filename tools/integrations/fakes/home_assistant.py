"""A to-do list of Home Assistant, by its REST API."""
from .base import Fake, Refused


class HomeAssistant(Fake):
    entity = "todo.shopping_list"
    routes = (
        ("POST", "/api/services/todo/get_items", {"entity_id": str, "status?": [str]}, "get_items"),
        ("POST", "/api/services/todo/update_item", {"entity_id": str, "item": str, "rename": str}, "update_item"),
    )

    def __init__(self, items, categories=()):
        self.items = [{"uid": f"uid-{place}", "summary": f"[{section}] {name}" if section else name, "status": "needs_action"}
                      for place, (name, section) in enumerate(items.items())]
        self.items.append({"uid": "uid-done", "summary": "bananas", "status": "completed"})
        super().__init__()

    def writes(self):
        return [request for request in super().writes() if "get_items" not in request[1]]

    def sections(self):
        found = {}
        for item in self.items:
            if item["status"] == "completed":
                continue
            head, bracket, name = item["summary"].partition("] ")
            found.update({name: head[1:]} if bracket else {item["summary"]: None})
        return found

    def get_items(self, body, return_response=None):
        if return_response is None:
            raise Refused(400, {"message": "Service call requires responses but caller did not ask for responses."})
        items = [item for item in self.items if item["status"] in body.get("status", ["needs_action"])]
        return {"changed_states": [], "service_response": {body["entity_id"]: {"items": items}} if body["entity_id"] == self.entity else {}}

    def update_item(self, body):
        found = [item for item in self.items if body["item"] in (item["uid"], item["summary"])]
        if body["entity_id"] != self.entity or not found:
            raise Refused(500, {"message": "Unable to find to-do list item"})
        found[0]["summary"] = body["rename"]
        return []
