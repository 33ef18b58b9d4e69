"""The two APIs: reading a request by the SDK's types, and writing answers by the SDK's models."""
import base64
import copy
import json

import anthropic.types as claude
import openai.types as gpt
from anthropic.lib._parse._transform import transform_schema
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from anthropic.types.messages import BatchCreateParams, MessageBatch, MessageBatchIndividualResponse
from anthropic.types.shared.error_response import ErrorResponse
from openai.lib._pydantic import _ensure_strict_json_schema
from openai.types.chat import ChatCompletion
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from openai.types.shared import ErrorObject

import strict
from asked import Asked, tokens

TIME = "2026-11-23T12:00:00Z"


class Anthropic:
    """Anthropic's Messages."""
    name = "anthropic"
    path = "/v1/messages"
    models = "/v1/models"
    fields_of_forms = {"schema": "output_config", "tool": "tool_choice", "temperature": "temperature"}

    def headers_problem(self, headers):
        if not headers.get("x-api-key"):
            return "x-api-key header is required"
        return None if headers.get("anthropic-version") == "2023-06-01" else "anthropic-version: header is required"

    def read(self, body):
        """The request in the bytes of a body. Raises `strict.NotOfType`."""
        strict.request(MessageCreateParamsNonStreaming, body)
        return self.asked(json.loads(body))

    def read_batch(self, body):
        """The requests of a batch, with their names."""
        strict.request(BatchCreateParams, body)
        return [(request["custom_id"], self.asked(request["params"])) for request in json.loads(body)["requests"]]

    def asked(self, body):
        content = body["messages"][-1]["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        system = body.get("system", "")
        output = body.get("output_config") or {}
        form, schema, tool = "text", None, ""
        if output.get("format"):
            form, schema = "schema", output["format"]["schema"]
            check_schema(schema, _anthropic_form)
        elif body.get("tools"):
            form, schema, tool = "tool", body["tools"][0]["input_schema"], body["tools"][0]["name"]
        return Asked(
            api=self.name, model=body["model"], system=system if isinstance(system, str) else "".join(part["text"] for part in system),
            text="\n".join(block["text"] for block in blocks if block["type"] == "text"), form=form, schema=schema,
            limit=body["max_tokens"], body=body, tool=tool, effort=output.get("effort"),
            photos=[(block["source"]["media_type"], base64.b64decode(block["source"]["data"], validate=True))
                    for block in blocks if block["type"] == "image"])

    def write(self, asked, says, number):
        """The body of an answer."""
        return strict.answer(claude.Message, self.message(asked, says, number))

    def message(self, asked, says, number):
        content = [{"type": "thinking", "thinking": "Kohlrabi is a vegetable.", "signature": "c2ln"}] if says.thinks else []
        if asked.form == "tool" and not says.is_fenced and says.ending != "refused":
            content += [{"type": "tool_use", "id": f"toolu_{place}", "name": asked.tool, "input": part}
                        for place, part in enumerate(says.parts())]
            if says.ending == "truncated":
                content[-1]["input"] = {}
        elif says.ending != "refused":
            content += [{"type": "text", "text": text} for text in says.texts()]
        reason = {"complete": "tool_use" if asked.form == "tool" and not says.is_fenced else "end_turn", "truncated": "max_tokens",
                  "refused": "refusal", "filtered": "refusal"}[says.ending]
        plain, out = says.tokens or (tokens(json.dumps(asked.body)), sum(tokens(json.dumps(block)) for block in content))
        message = {
            "id": f"msg_{number}", "type": "message", "role": "assistant", "model": asked.model, "content": content,
            "stop_reason": reason, "stop_sequence": None,
            "usage": {"input_tokens": plain, "output_tokens": asked.limit if reason == "max_tokens" else out,
                      "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "service_tier": "standard"}}
        if reason == "refusal":
            message["stop_details"] = {"type": "refusal", "category": "general_harms", "explanation": None}
        return message

    def error(self, fails, number):
        return strict.answer(ErrorResponse, {
            "type": "error", "error": {"type": fails.kind, "message": fails.message}, "request_id": f"req_{number}"})

    def list_of_models(self, names):
        models = [json.loads(strict.answer(claude.ModelInfo, {
            "type": "model", "id": name, "display_name": name, "created_at": TIME, "lifecycle": "active"})) for name in names]
        return json.dumps({"data": models, "first_id": names[0], "last_id": names[-1], "has_more": False})

    def batch(self, name, counts, results_url):
        """A batch as its own resource: in progress until there is a URL for its results."""
        return strict.answer(MessageBatch, {
            "id": name, "type": "message_batch", "created_at": TIME, "expires_at": "2026-11-24T12:00:00Z", "archived_at": None,
            "cancel_initiated_at": None, "ended_at": TIME if results_url else None, "results_url": results_url,
            "processing_status": "ended" if results_url else "in_progress", "request_counts": counts})

    def result(self, name, result):
        return strict.answer(MessageBatchIndividualResponse, {"custom_id": name, "result": result})


class OpenAI:
    """OpenAI's Chat Completions, as OpenAI, llama.cpp, and others speak it."""
    name = "openai"
    path = "/v1/chat/completions"
    models = "/v1/models"
    fields_of_forms = {"schema": "response_format", "object": "response_format", "json": "response_format", "temperature": "temperature"}

    def headers_problem(self, headers):
        return None if (headers.get("authorization") or "").startswith("Bearer ") else "You didn't provide an API key."

    def read(self, body):
        """The request in the bytes of a body. Raises `strict.NotOfType`.

        One field is let through that the SDK's types do not have: llama.cpp's own way to tell a schema, beside `json_object`.
        """
        try:
            values = json.loads(body)
        except ValueError as problem:
            raise strict.NotOfType(str(problem)) from None
        form = values.get("response_format") if isinstance(values, dict) else None
        if isinstance(form, dict) and form.get("type") == "json_object":
            typed = {**values, "response_format": {name: value for name, value in form.items() if name != "schema"}}
            strict.request(CompletionCreateParamsNonStreaming, json.dumps(typed))
        else:
            strict.request(CompletionCreateParamsNonStreaming, body)
        return self.asked(values)

    def asked(self, body):
        form, schema = "text", None
        told = body.get("response_format") or {}
        if told.get("type") == "json_schema":
            form, schema = "schema", told["json_schema"]["schema"]
            if told["json_schema"].get("strict") is not True:
                raise strict.NotOfType("response_format.json_schema.strict: is not true")
            check_schema(schema, _openai_form)
        elif told.get("type") == "json_object":
            form, schema = "object" if "schema" in told else "json", told.get("schema")
        content = body["messages"][-1]["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        system = [message["content"] for message in body["messages"] if message["role"] in ("system", "developer")]
        return Asked(
            api=self.name, model=body["model"], system="\n".join(system),
            text="\n".join(block["text"] for block in blocks if block["type"] == "text"), form=form, schema=schema,
            limit=body.get("max_completion_tokens") or body.get("max_tokens") or 4_096, body=body,
            effort=body.get("reasoning_effort"),
            photos=[_data_url(block["image_url"]["url"]) for block in blocks if block["type"] == "image_url"])

    def write(self, asked, says, number):
        """The body of an answer."""
        text = "".join(says.texts())
        message = {"role": "assistant", "content": text, "refusal": None}
        if says.ending == "refused":
            message.update(content=None, refusal="I'm sorry, I can't help with that.")
        elif says.ending == "filtered":
            message.update(content="")
        into, out = says.tokens or (tokens(json.dumps(asked.body)), tokens(message["content"] or message["refusal"] or ""))
        if says.ending == "truncated":
            out = asked.limit
        return strict.answer(ChatCompletion, {
            "id": f"chatcmpl-{number}", "object": "chat.completion", "created": 1_795_000_000, "model": asked.model,
            "choices": [{"index": 0, "message": message, "logprobs": None,
                         "finish_reason": {"truncated": "length", "filtered": "content_filter"}.get(says.ending, "stop")}],
            "usage": {"prompt_tokens": into, "completion_tokens": out, "total_tokens": into + out,
                      "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0}}})

    def error(self, fails, number):
        error = {"message": fails.message, "type": fails.kind, "param": fails.field, "code": None}
        return '{"error": ' + strict.answer(ErrorObject, error) + "}"

    def list_of_models(self, names):
        models = [json.loads(strict.answer(gpt.Model, {
            "id": name, "object": "model", "created": 1_795_000_000, "owned_by": "llamacpp"})) for name in names]
        return json.dumps({"object": "list", "data": models})


APIS = {api.name: api for api in (Anthropic(), OpenAI())}


def check_schema(schema, form):
    """Raises `strict.NotOfType` where a schema says what the API's structured outputs do not know, by the SDK's own helper.

    The helper gives the schema that the API takes: where that is another one, something was not for it.
    """
    try:
        taken = form(copy.deepcopy(schema))
    except (ValueError, TypeError, AssertionError) as problem:
        raise strict.NotOfType(f"schema: {problem}") from None
    if _without_types(taken) != _without_types(schema):
        raise strict.NotOfType(f"schema: the SDK would send {json.dumps(taken)[:300]}, not {json.dumps(schema)[:300]}")
    for part in _parts(schema):
        if part.get("type") == "object" and part.get("additionalProperties") is not False:
            raise strict.NotOfType("schema: an object lacks `additionalProperties: false`")
    values = sum(len(part.get("enum", [])) for part in _parts(schema))
    if values > 1_000:
        raise strict.NotOfType(f"schema: {values} enum values are more than the 1,000 that OpenAI takes; use $defs and $ref")


def _anthropic_form(schema):
    return transform_schema(schema)


def _openai_form(schema):
    return _ensure_strict_json_schema(schema, path=(), root=schema)


def _without_types(schema):
    """A schema without the types that Anthropic's helper leaves out beside an enum or a constant."""
    if isinstance(schema, list):
        return [_without_types(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    is_literal = "enum" in schema or "const" in schema
    return {name: _without_types(part) for name, part in schema.items() if not (is_literal and name == "type")}


def _parts(schema):
    if isinstance(schema, dict):
        yield schema
        for part in schema.values():
            yield from _parts(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _parts(part)


def _data_url(url):
    media, _, data = url.removeprefix("data:").partition(";base64,")
    return media, base64.b64decode(data, validate=True)
