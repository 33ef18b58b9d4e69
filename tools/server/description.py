"""Holds answers against the server's own OpenAPI file, and against the headers that every answer has."""

import http
import json
import re
import urllib.parse

import jsonschema

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {"x-content-type-options": "nosniff"}
PAGE_HEADERS = {"content-security-policy": POLICY}
PROBLEM = "application/problem+json"
PAGE = {"/", "/app.css", "/app.js"}  # not in the file: they are for browsers
OPEN = {"Report"}  # schemas that another file describes


class Description:
    """The OpenAPI file, and which of its operations were seen to succeed."""

    def __init__(self, path):
        self.file = json.loads(path.read_text(encoding="utf-8"))
        strict = json.loads(path.read_text(encoding="utf-8"))["components"]
        for name, schema in strict["schemas"].items():
            if name not in OPEN:
                self.close(schema)
        self.components = strict
        self.paths = sorted(
            ((re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(template))), template) for template in self.file["paths"]),
            key=lambda pair: pair[1].count("{"),
        )
        self.seen = set()
        self.validators = {}

    @classmethod
    def close(cls, schema):
        """Allows no other fields than those that the file names: clients learn of fields from it."""
        if isinstance(schema, dict):
            if "properties" in schema:
                schema.setdefault("additionalProperties", False)
            for value in schema.values():
                cls.close(value)
        elif isinstance(schema, list):
            for value in schema:
                cls.close(value)

    def operations(self):
        """Each operation: its method, template, and description."""
        for template, item in self.file["paths"].items():
            for method, operation in item.items():
                if method != "parameters":
                    yield method.upper(), template, operation

    def operation(self, method, target):
        path = target.split("?")[0]
        for pattern, template in self.paths:
            if pattern.fullmatch(path):
                return template, self.file["paths"][template].get(method.lower()) if method.isupper() else None
        return None, None

    def resolve(self, thing):
        while "$ref" in thing:
            thing = self.components[thing["$ref"].split("/")[2]][thing["$ref"].split("/")[3]]
        return thing

    def validator(self, schema):
        key = json.dumps(schema, sort_keys=True)
        if key not in self.validators:
            self.validators[key] = jsonschema.Draft202012Validator({**schema, "components": self.components})
        return self.validators[key]

    def problems(self, method, target, answer, is_whole=True):
        """What is not as documented in an answer, as a list of texts."""
        if answer.status == 400 and not answer.type and not answer.body:
            return ["the framework's own 400, without the headers that every answer has, and without problem+json"]
        wrong = list(self.header_problems(target, answer))
        if answer.status >= 400 and (answer.type == PROBLEM or answer.status != 403):
            wrong += self.error_problems(answer, is_whole and method != "HEAD")
        template, operation = self.operation(method, target)
        if operation is None or method == "HEAD":
            return wrong
        documented = operation["responses"].get(str(answer.status))
        if documented is None:
            return [*wrong, f"{method} {template} does not document {answer.status}"]
        documented = self.resolve(documented)
        if answer.type not in documented["content"]:
            return [*wrong, f"{answer.type or 'no type'}, documented: {', '.join(documented['content'])}"]
        if is_whole and "json" in answer.type:
            wrong += self.schema_problems(documented["content"][answer.type]["schema"], answer)
        if answer.status == 200 and not wrong:
            self.seen.add((method, template))
        return wrong

    def schema_problems(self, schema, answer):
        try:
            value = answer.json
        except ValueError as error:
            return [f"the body is not JSON: {error}"]
        return [
            f"{'/'.join(map(str, error.absolute_path)) or 'the body'}: {error.message[:300]}"
            for error in self.validator(schema).iter_errors(value)
        ][:5]

    @staticmethod
    def header_problems(target, answer):
        path = urllib.parse.unquote(target.split("?")[0], errors="replace")
        for name, wanted in (HEADERS | PAGE_HEADERS if answer.type == "text/html" else HEADERS).items():
            if answer.all(name) != [wanted]:
                yield f"{name}: {answer.header(name)!r}"
        if path in ("/app.css", "/app.js") and answer.status in (200, 304):
            if answer.header("cache-control") != "no-cache" or not answer.header("etag"):
                yield f"cache-control: {answer.header('cache-control')!r}, etag: {answer.header('etag')!r}"
        elif answer.all("cache-control") != ["no-store"]:
            yield f"cache-control: {answer.header('cache-control')!r}"
        if answer.header("access-control-allow-origin"):
            yield "other sites' scripts may read it"
        if answer.status == 401 and not (answer.header("www-authenticate") or "").startswith("Bearer"):
            yield f"www-authenticate: {answer.header('www-authenticate')!r}"
        if answer.status == 405 and not answer.header("allow"):
            yield "405 without Allow"
        if answer.status in (429, 503) and not re.fullmatch("[1-9][0-9]*", answer.header("retry-after") or ""):
            yield f"retry-after: {answer.header('retry-after')!r}"

    @staticmethod
    def error_problems(answer, has_body):
        if answer.type != PROBLEM:
            yield f"an error as {answer.type or 'no type'} instead of {PROBLEM}"
        elif has_body:
            try:
                value = answer.json
            except ValueError as error:
                yield f"the error is not JSON: {error}"
                return
            if value.get("status") != answer.status:
                yield f"status {value.get('status')} in an answer {answer.status}"
            if value.get("type") != "about:blank" or not value.get("detail"):
                yield f"type {value.get('type')!r}, detail {value.get('detail')!r}"
            names = {http.HTTPStatus(answer.status).phrase}
            names |= {413: {"Content Too Large"}, 422: {"Unprocessable Content"}}.get(answer.status, set())
            if value.get("title") not in names:
                yield f"title {value.get('title')!r}"
