"""What spoils a case, to see that the case notices. Each is a fault that `aisle` could have: in what it asks, says, writes, or keeps."""
import json
import re

import bench
from tool import Mutation


def _message(body):
    """The last message of a request, or of the first one of a batch."""
    return (body["requests"][0]["params"] if "requests" in body else body)["messages"][-1]


def _unknown_field(body):
    _message(body)["surprise"] = 1


def _temperature(body):
    body["temperature"] = 0


def _schema(body):
    if "output_config" in body:
        return body["output_config"]["format"]["schema"]
    return body["response_format"]["json_schema"]["schema"]


def _optional_item(body):
    _schema(body)["required"].pop()


def _repeated_sections(body):
    schema = _schema(body)
    section = schema.pop("$defs")["section"]
    schema["properties"] = {name: section for name in schema["properties"]}


def _broken_line(body):
    message = _message(body)
    message["content"] = message["content"].replace("7 up", "\n7 up")


def _no_way_to_doubt(body):
    section = _schema(body)["$defs"]["section"]
    section["enum"] = section["enum"][:len(section["enum"]) // 2]


def _no_context(body):
    message = _message(body)
    message["content"] = "\n".join(line for line in message["content"].splitlines() if not line.startswith("-"))


def _prompt_without_goods(body):
    def cut(text):
        return "\n".join(line.split(":")[0] for line in text.splitlines())

    if "system" in body:
        body["system"][0]["text"] = cut(body["system"][0]["text"])
    else:
        body["messages"][0]["content"] = cut(body["messages"][0]["content"])


def _kroger_always(body):
    text = json.dumps(body).replace("Drugstore Corner", "Household \\u0026 Cleaning")
    body.update(json.loads(text))


def _section_of_the_undecided(body):
    message = _message(body)
    message["content"] = message["content"].replace("zzqx blorp", "zzqx blorp\tOther")


def _no_effort(body):
    body.pop("reasoning_effort", None)
    body.get("output_config", {}).pop("effort", None)


def _wordy_items(body):
    message = _message(body)
    message["content"] = message["content"].replace("\n", "\nthe item that has the number ")


def _photo(change):
    """Lets a change at the bytes of the photo."""
    import base64

    def mutate(body):
        for part in _message(body)["content"]:
            if part["type"] == "image":
                part["source"]["data"] = base64.b64encode(change(base64.b64decode(part["source"]["data"]))).decode()
            elif part["type"] == "image_url":
                head, _, data = part["image_url"]["url"].partition(",")
                part["image_url"]["url"] = head + "," + base64.b64encode(change(base64.b64decode(data))).decode()
    return mutate


def _redrawn(change, **kept):
    """The photo, changed by Pillow."""
    import io

    from PIL import Image

    def mutate(data):
        out = io.BytesIO()
        change(Image.open(io.BytesIO(data)).convert("RGB")).save(out, "JPEG", **kept)
        return out.getvalue()
    return mutate


def _other_code(ended, _):
    ended.code = 2 if ended.code == 0 else 0


def _silence(ended, _):
    ended.err = ""


def _lost_record(ended, _):
    ended.out = "".join(ended.out.splitlines(keepends=True)[:-1])


def _no_output(ended, _):
    ended.out = ended.err = ""


def _amnesia(_, folder):
    (folder / "aisle.db").unlink(missing_ok=True)


def _written(pattern, put):
    """Writes the output otherwise, where it fits a pattern."""
    def spoil(ended, _):
        ended.out = re.sub(pattern, put, ended.out)
    return spoil


def _unwritten_section(_, folder):
    for path in folder.glob("taxonomies/*.yaml"):
        path.write_text("".join(line for line in path.read_text().splitlines(keepends=True) if "Pet Supplies" not in line))


def _without(option, values=1):
    """Leaves an option of a command out, with its values."""
    def words(given):
        place = given.index(option) if option in given else len(given)
        return given[:place] + given[place + 1 + values:]
    return words


def _forgets_all(words):
    return words[:2] + ["--all"] if words[:2] == ["corrections", "forget"] else words


def _asks_anew(words):
    return words + ["--llm-cache", "refresh"] if words[0] == "check" else words


def _caps(factor):
    """Multiplies the caps of a command."""
    return lambda words: [str(int(factor * int(word))) if previous in ("--max-tokens", "--max-requests") else word
                          for previous, word in zip(["", *words], words)]


def _one_at_a_time(words):
    return words + ["--llm-batch", "1"] if words[0] == "categorize" and "--llm-batch" not in words else words


SPOILERS = {
    "a field that the API does not have": Mutation(_unknown_field),
    "a temperature": Mutation(_temperature),
    "an item that the schema does not require": Mutation(_optional_item),
    "the sections in the schema once for each item": Mutation(_repeated_sections),
    "a line break within an item": Mutation(_broken_line),
    "a schema without a way to doubt": Mutation(_no_way_to_doubt),
    "no context": Mutation(_no_context),
    "a prompt without the goods of sections": Mutation(_prompt_without_goods),
    "a prompt that is not of the store": Mutation(_kroger_always),
    "a section shown for an undecided item": Mutation(_section_of_the_undecided),
    "no effort": Mutation(_no_effort),
    "many words for each item": Mutation(_wordy_items),
    "a photo with EXIF": Mutation(_photo(lambda data: data[:2] + b"\xff\xe1\x00\x10Exif\0\0GPS-SECR" + data[2:])),
    "a photo upside down": Mutation(_photo(_redrawn(lambda picture: picture.rotate(180)))),
    "a photo of its full size": Mutation(_photo(_redrawn(lambda picture: picture.resize((9_000, 3_000))))),
    "a photo with a text chunk": Mutation(_photo(lambda data: data + b"secret-of-png")),
    "another exit code": Mutation(ended=_other_code),
    "nothing on standard error": Mutation(ended=_silence),
    "a record that is lost": Mutation(ended=_lost_record),
    "nothing is left of the output": Mutation(ended=_no_output),
    "a database that is lost": Mutation(ended=_amnesia),
    "ids that are lost": Mutation(ended=_written(r'"id":[^,]+,', "")),
    "an id for each suggestion, and not for each item": Mutation(ended=_written(r'(?m)^({"number":(\d+),.*\n){"number":\2,.*\n', r"\1")),
    "numbers that become texts": Mutation(ended=_written(r'"id":([\d.]+)', r'"id":"\1"')),
    "an accepter that is not listed": Mutation(ended=_written(r"(?m)(\tllm\t.*\t)\w+$", r"\1")),
    "an accepter that is not exported": Mutation(ended=_written(r',"accepted-by":"[^"]*"', "")),
    "a section that is not written": Mutation(ended=_unwritten_section),
    "no --id": Mutation(words=_without("--id")),
    "no --category": Mutation(words=_without("--category")),
    "no --new-sections": Mutation(words=_without("--new-sections", values=0)),
    "no --after": Mutation(words=_without("--after")),
    "no --section": Mutation(words=_without("--section")),
    "no --by": Mutation(words=_without("--by")),
    "all is forgotten": Mutation(words=_forgets_all),
    "answers that are asked for again": Mutation(words=_asks_anew),
    "a cap that is passed": Mutation(words=_caps(3)),
    "a cap that leaves much unspent": Mutation(words=_caps(0.2)),
    "one item in each request": Mutation(words=_one_at_a_time),
}

# What each case must notice, besides a field that the API does not have, and another exit code.
NOTICED = {
    "structured_output": ["a temperature"],
    "keyed_schema": ["an item that the schema does not require"],
    "largest_schema": ["the sections in the schema once for each item"],
    "numbered_items": ["a line break within an item"],
    "other_rejections": ["nothing on standard error"],
    "callers_ids": ["ids that are lost", "an id for each suggestion, and not for each item", "numbers that become texts", "no --id",
                    "no --category", "a record that is lost"],
    "interrupted_check": ["a database that is lost", "answers that are asked for again", "a record that is lost",
                          "nothing on standard error"],
    "new_section": ["no --new-sections", "no --after", "a section that is not written", "a database that is lost"],
    "chosen_section": ["no --section", "all is forgotten", "a database that is lost"],
    "accepter": ["no --by", "an accepter that is not listed", "an accepter that is not exported", "a database that is lost"],
    "refusal": ["nothing on standard error", "a record that is lost"],
    "truncation": ["nothing on standard error"],
    "content_filter": ["nothing on standard error"],
    "long_answers": ["one item in each request"],
    "missing": ["one item in each request"],
    "repeated": ["one item in each request"],
    "always_refused": ["nothing on standard error", "a record that is lost"],
    "splits_within_caps": ["a cap that is passed"],
    "off_list": ["a database that is lost"],
    "undecided_in_check": ["nothing on standard error", "a database that is lost"],
    "off_list_in_check": ["a database that is lost"],
    "failing_server": ["a record that is lost"],
    "broken_connections": ["a record that is lost"],
    "unsure": ["a schema without a way to doubt"],
    "context": ["no context"],
    "context_in_cache": ["a database that is lost"],
    "prompt": ["a prompt without the goods of sections"],
    "prompt_of_another_store": ["a prompt that is not of the store"],
    "undecided_item_in_check": ["a section shown for an undecided item"],
    "newest_models": ["a temperature"],
    "no_exif": ["a photo with EXIF"],
    "upright": ["a photo upside down"],
    "scaled": ["a photo of its full size"],
    "png_text": ["a photo with a text chunk"],
    "effort": ["no effort"],
    "batches": ["a record that is lost", "a database that is lost"],
    "expired_batch": ["nothing on standard error"],
    "kept_answers": ["a database that is lost"],
    "cap_waits": ["a cap that leaves much unspent"],
    "estimates": ["a cap that leaves much unspent"],
    "smaller_requests": ["a cap that leaves much unspent"],
    "faults_at_random": ["a record that is lost"],
    "evaluation": ["nothing is left of the output"],
    "undecided_in_evaluation": ["nothing on standard error", "nothing is left of the output"],
    "token_counts": ["many words for each item"],
}
# What asks nothing, and what looks at no exit code.
WITHOUT_REQUESTS = {"doctor"}
WITHOUT_CODES = {"doctor", "splits_within_caps", "smaller_requests", "estimates", "numbered_items", "unsure", "context", "context_in_cache",
                 "prompt", "prompt_of_another_store", "undecided_item_in_check", "token_counts", "batch_asks_as_live"}


def prove(binary, root, pattern, report):
    """Spoils every case in every way that it must notice, and gives the names of those that did not, and how many there were."""
    failed, count, seen = [], 0, set()
    for name, _, api, function in bench.CASES:
        if function in seen or pattern and pattern not in name:
            continue
        seen.add(function)
        spoilers = list(NOTICED.get(function.__name__, []))
        if function.__name__ not in WITHOUT_REQUESTS:
            spoilers.append("a field that the API does not have")
        if function.__name__ not in WITHOUT_CODES:
            spoilers.append("another exit code")
        for spoiler in spoilers:
            count += 1
            problem, _ = bench.find_problem(binary, root, api, function, SPOILERS[spoiler])
            if not problem:
                failed.append(f"{name}: {spoiler}")
            report("ok   " if problem else "wrong", name, spoiler, problem)
    return failed, count
