"""The programs' clients from PyPI against the fakes, and what the scripts send against the clients' types.

Each case is skipped where its client is not installed: `pip install -r tools/integrations/requirements.txt`."""
import importlib
import sys
import unittest

check = sys.modules["__main__"]


def client(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        raise unittest.SkipTest(f"{name.partition('.')[0]} is not installed") from None


class Clients(unittest.TestCase):
    def script(self, case, items=None, *more, categories=()):
        """A fake of a case's program after a run of the case's script."""
        runner = case()
        runner.setUp()
        self.addCleanup(runner.tearDown)
        program = runner.program(items, categories)
        runner.run_script(program, *more)
        self.assertEqual(program.faults, [])
        return program

    def test_kitchenowl(self):
        types = client("kitchenowl_python.types")
        program = self.script(check.TestKitchenOwl)
        item = next(item for item in program.all_items() if item["category_id"])
        self.assertGreaterEqual(types.KitchenOwlItem.__annotations__.keys() | {"category"}, item.keys())
        self.assertEqual(item["category"].keys(), types.KitchenOwlShoppingListCategory.__annotations__.keys())

    def test_mealie(self):
        models = client("aiomealie.models")
        program = self.script(check.TestMealie)
        food = next(iter(program.all_foods(page="1", perPage="-1")["items"]))
        self.assertEqual(models.Food.from_dict(food).label_id, food["labelId"])
        self.assertEqual(models.Label.from_dict(program.labels[0]).name, program.labels[0]["name"])
        key = program.put_on_list("kale")
        item = models.ShoppingItem.from_dict(program.get_item(key))
        self.assertEqual((item.display, item.label_id), ("kale", None))
        change = models.MutateShoppingItem(item_id=key, list_id=program.list, label_id=program.labels[0]["id"], note="kale", quantity=1)
        sent = {**program.items[key], "labelId": program.labels[0]["id"]}
        self.assertGreaterEqual(sent.items(), change.to_dict(omit_none=True).items())

    def test_tandoor(self):
        tandoor, models = client("tandoor_client"), client("tandoor_client.models")
        program = self.script(check.TestTandoor, None, "--order")
        with tandoor.AuthenticatedClient(base_url=program.url, token="right-token", raise_on_unexpected_status=True) as api:
            for name, count in (("food", len(program.foods)), ("supermarket_category", len(program.categories)), ("supermarket", 1)):
                page = client(f"tandoor_client.api.api.api_{name}_list").sync(client=api, page=1, page_size=100)
                self.assertEqual((page.count, program.faults), (count, []))
        for method, path, body in program.writes():
            kind = {"/api/food/batch_update/": models.FoodBatchUpdate, "/api/supermarket-category/": models.SupermarketCategory,
                    "/api/supermarket/": models.Supermarket}.get(path, models.SupermarketCategoryRelation)
            parsed = kind.from_dict(body)  # raises where something that is required is missing
            self.assertEqual(parsed.additional_properties, {}, f"{method} {path} sends what is not known")
            self.assertGreaterEqual(parsed.to_dict().items() if kind is models.FoodBatchUpdate else body.items(), body.items())

    def test_grocy(self):
        pygrocy2 = client("pygrocy2.grocy")
        data = client("pygrocy2.grocy_api_client")
        program = self.script(check.TestGrocy)
        host, port = program.url.rsplit(":", 1)
        api = pygrocy2.Grocy(host, "right-token", port=int(port))
        self.assertEqual([group.name for group in api.product_groups()], [group["name"] for group in program.groups])
        for product in program.all_products():
            self.assertEqual(data.ProductData(**product).product_group_id, product["product_group_id"] or None)
        made = [request for request in program.writes() if request[0] == "POST"][0]
        changed = [request for request in program.writes() if request[0] == "PUT"][0]
        count = len(program.requests)
        api.add_generic(pygrocy2.EntityType.PRODUCT_GROUPS, {"name": "Another"})
        api.update_generic(pygrocy2.EntityType.PRODUCTS, int(changed[1].rsplit("/", 1)[1]), changed[2])
        self.assertEqual(program.requests[count:], [(*made[:2], {"name": "Another"}), changed])
        self.assertEqual(program.faults, [])

    def test_home_assistant(self):
        home = client("homeassistant_api")
        program = self.script(check.TestHomeAssistant)
        asked, changed = program.requests[:2]
        count = len(program.requests)
        with_client = home.Client(f"{program.url}/api", "right-token")
        _, answer = with_client.trigger_service_with_response("todo", "get_items", **asked[2])
        self.assertEqual(len(answer["todo.shopping_list"]["items"]), len(check.ITEMS))
        with_client.trigger_service("todo", "update_item", **changed[2])
        self.assertEqual(program.requests[count:], [asked, changed])
