"""Programs that call another service today, and call this one instead."""

from bench import case
from running import expect

CATEGORIES = (
    "uncategorized produce dairy meat bakery grocery liquor seafood nonfood frozen canned beverages baking spices condiments".split()
)
# A store without the categories' names can tell them only as far as its sections go.
EXPECTED = {
    "2 lbs chicken breast": {"meat"},
    "oat milk": {"dairy"},
    "kale": {"produce"},
    "salmon fillets": {"seafood", "meat"},
    "sliced bread": {"bakery"},
    "ground cumin": {"spices", "baking"},
    "frozen peas": {"frozen"},
    "dish soap": {"nonfood"},
    "zzqx blorp": {"uncategorized"},
}


@case("RecipeSage's requests are answered field by field as its own service does, one result for each item, in order")
def recipe_sage(bench):
    items = list(EXPECTED)
    answer = bench.server.post("/categorize", {"items": items})
    expect(list(answer) == ["results", "processing_time_ms"] or set(answer) == {"results", "processing_time_ms"}, "other fields", answer)
    expect([each["item"] for each in answer["results"]] == items, "other items", answer)
    expect(all(set(each) == {"item", "category", "confidence", "probabilities"} for each in answer["results"]), "other fields", answer)
    wrong = [f"{each['item']}: {each['category']}" for each in answer["results"] if each["category"] not in EXPECTED[each["item"]]]
    expect(not wrong, "other categories", *wrong)
    expect(len(bench.server.post("/categorize", {"items": ["kale"] * 50})["results"]) == 50, "50 items")
    for value in (
        {"items": []},
        {"items": ["kale"] * 51},
        {"items": [""]},
        {"items": ["kale", " \t"]},
        {"items": [7]},
        {"items": "kale"},
        {},
        [],
    ):
        bench.server.expect(422, "POST", "/categorize", value)
    bench.server.expect(400, "POST", "/categorize", body=b"{")
    categories = bench.server.get("/categories")
    expect(sorted(categories["categories"]) == sorted(CATEGORIES), "other categories", categories)
    expect(bench.server.get("/health") == {"status": "healthy"}, "health")


@case("the edge function refuses what is no request of the app's")
def edge_function(bench):
    for value in (
        {},
        {"action": "other"},
        {"action": 7},
        {"action": "sanity_check"},
        {"action": "sanity_check", "items": "x"},
        {"action": "sanity_check", "items": [{"name": "kale"}]},
        {"action": "analyze"},
        {"action": "analyze", "imageBase64": "!", "mediaType": "image/jpeg"},
        {"action": "analyze", "imageBase64": "/9j/", "mediaType": "text/html"},
        [],
        None,
    ):
        bench.server.expect({400, 422, 501}, "POST", "/v1/app", value)
    bench.server.expect(400, "POST", "/v1/app", body=b"{")
    bench.server.expect(401, "POST", "/v1/app", {"action": "sanity_check", "items": []}, token="wrong")
