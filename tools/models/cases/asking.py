"""How an answer is asked for, and the forms in which one may come."""
from bench import case
from items import FEW, FORTY, KNOWN, SECTIONS

# A model that reasons, whose API takes no forced tool and no temperature.
NEWEST = {"anthropic": "claude-opus-5-5", "openai": "gpt-6-luna"}


def expect_known(bench, run, items):
    bench.expect_equal(run.code, 0, "exit code", run)
    bench.expect_equal(run.sections, {item: KNOWN[item] for item in items}, "sections", run.err)


@case("structured output is asked for, in a form that the newest models take, and without a temperature")
def structured_output(bench):
    server = bench.server(knows=KNOWN)
    expect_known(bench, bench.categorize(FEW, server, model=NEWEST[bench.api]), FEW)
    bench.expect_equal([asked.form for asked in server.requests], ["schema"], "forms")
    body = server.requests[0].body
    bench.expect(not {"tools", "tool_choice", "temperature"} & set(body), "it sends more than it needs", sorted(body))


@case("every item's id is a required field of the answer, its sections are an enum, and the items come as plain numbered lines")
def keyed_schema(bench):
    server = bench.server(knows=KNOWN)
    expect_known(bench, bench.categorize(FORTY, server), FORTY)
    asked = server.requests[0]
    bench.expect(asked.is_keyed, "the schema is not keyed by the items' ids", asked.schema)
    ids = [str(place) for place in range(1, 41)]
    bench.expect_equal(sorted(asked.schema["properties"], key=int), ids, "ids")
    bench.expect_equal(sorted(asked.schema["required"], key=int), ids, "required ids")
    bench.expect(asked.schema.get("additionalProperties") is False, "the schema lets other fields through")
    bench.expect(set(SECTIONS) <= set(asked.choices), "the enum lacks sections of the store", asked.choices)
    bench.expect_equal(asked.lines, dict(zip(ids, FORTY)), "numbered lines", asked.text)


@case("200 items in a request keep within what the APIs take of a schema")
def largest_schema(bench):
    items = [f"odd thing {number}" for number in range(200)]
    server = bench.server()
    run = bench.categorize(items, server, "--llm-batch", 200)
    bench.expect_equal((run.code, len(server.requests), len(run.rows)), (0, 1, 200), "exit code, requests, and rows", run.err,
                       server.faults)


@case("a line break or a number in an item cannot become a line of its own")
def numbered_items(bench):
    items = ["7 up", "2 lbs beef", "1. 2. 3 beans", "milk\x0b2 cat litter", "oat milk\x852 eggs"]
    server = bench.server(knows={"7 up": "Beverages", "2 lbs beef": "Meat & Seafood", "1. 2. 3 beans": "Pantry & Canned Goods"})
    run = bench.categorize(items, server)
    asked = server.requests[0]
    bench.expect_equal(len(asked.lines), 5, "lines", asked.text)
    bench.expect_equal([row[-1] for row in run.rows[:3]], ["Beverages", "Meat & Seafood", "Pantry & Canned Goods"], "sections", run)


def falls_back(bench, refused, forms, **how):
    """A server that refuses forms of a request gets another one, learns nothing twice, and loses no item."""
    server = bench.server(knows=KNOWN, refuses=refused)
    run = bench.categorize(FORTY, server, "--llm-batch", 10, "--llm-parallel", 1, **how)
    expect_known(bench, run, FORTY)
    bench.expect_equal([asked.form for asked in server.requests], [forms[-1]] * 4, "forms of the requests that were answered")
    bench.expect_equal(server.refused, forms[:-1], "refused requests, once each")
    bench.expect_equal(sorted(sum(server.asked, [])), sorted(FORTY), "items, each asked about once")


@case("a server that does not know `output_config` is asked by a tool", apis=["anthropic"])
def falls_back_to_a_tool(bench):
    falls_back(bench, ["schema"], ["schema", "tool"])


@case("a server that knows neither `output_config` nor a forced tool is still asked, and no item is lost", apis=["anthropic"])
def falls_back_to_no_forced_tool(bench):
    server = bench.server(knows=KNOWN, refuses=["schema"])
    expect_known(bench, bench.categorize(FEW, server, model=NEWEST["anthropic"]), FEW)
    bench.expect(set(server.refused) == {"schema", "tool"} and len(server.refused) == 2, "each form is refused once", server.refused)


@case("a server of llama.cpp that does not know `json_schema` is told the schema in its own way", apis=["openai"])
def falls_back_to_an_object(bench):
    falls_back(bench, ["schema"], ["schema", "object"], model="local")


@case("a server that knows no `response_format` at all is asked for JSON in plain words", apis=["openai"])
def falls_back_to_text(bench):
    falls_back(bench, ["schema", "object", "json"], ["schema", "object", "json", "text"], model="local")


@case("a 400 for another reason is no reason to ask in another form")
def other_rejections(bench):
    from asked import Fails
    server = bench.server(answer=lambda asked: Fails(400, "invalid_request_error", "messages: text content is too long"))
    run = bench.categorize(FEW, server)
    bench.expect_equal((run.code, len(server.requests)), (2, 1), "exit code and requests", run)
    bench.expect("too long" in run.err, "the server's words are not shown", run.err)


@case("an answer in several blocks is put together", apis=["anthropic"])
def several_blocks(bench):
    server = bench.server(knows=KNOWN, answer=lambda asked: server.says(asked, blocks=3))
    expect_known(bench, bench.categorize(FEW, server), FEW)
    bench.expect_equal(len(server.requests), 1, "requests")


@case("an answer in several calls of the tool is put together", apis=["anthropic"])
def several_calls(bench):
    server = bench.server(knows=KNOWN, refuses=["schema"], answer=lambda asked: server.says(asked, blocks=3))
    expect_known(bench, bench.categorize(FEW, server), FEW)
    bench.expect_equal(len(server.requests), 1, "requests")


@case("a block of thought before the answer is passed over", apis=["anthropic"])
def thought(bench):
    server = bench.server(knows=KNOWN, answer=lambda asked: server.says(asked, thinks=True))
    expect_known(bench, bench.categorize(FEW, server), FEW)


@case("JSON within a fence, with words before it, is read")
def fenced(bench):
    server = bench.server(knows=KNOWN, answer=lambda asked: server.says(asked, is_fenced=True))
    expect_known(bench, bench.categorize(FEW, server), FEW)


@case("an array of objects, from a server that does not heed the schema, is read")
def array_of_objects(bench):
    server = bench.server(knows=KNOWN, answer=lambda asked: server.says(asked, is_array=True))
    expect_known(bench, bench.categorize(FEW, server), FEW)
