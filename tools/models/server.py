"""A server on loopback that takes only what the official SDKs could send, and answers only what they could read."""
import http.server
import json
import threading
import time

import strict
from apis import APIS
from asked import Drops, Fails, Says

# What newer models refuse, by the beginning of their names, with the words of the real servers. A forced tool is a 400 there, and so is a
# temperature. Others take everything.
REFUSALS = {
    "claude-opus-5-5": {"tool", "temperature"},
    "claude-sonnet-5-5": {"tool", "temperature"},
    "claude-fable-5": {"tool", "temperature"},
    "gpt-5": {"temperature"},
    "gpt-6": {"temperature"},
}
WORDS = {
    ("anthropic", "schema"): "output_config: Extra inputs are not permitted",
    ("anthropic", "tool"): "tool_choice: forced tool use is not supported by this model",
    ("anthropic", "temperature"): "temperature: Extra inputs are not permitted",
    ("openai", "schema"): "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
    ("openai", "object"): "response_format.schema: unknown field",
    ("openai", "json"): "response_format is not supported",
    ("openai", "temperature"): "Unsupported value: 'temperature' does not support 0 with this model.",
}


class Server:
    """Answers requests of one API, and remembers them.

    `faults` are requests that the SDK's types do not allow; each is answered with 400. `answer` makes the answer to an `Asked`; without it,
    every item goes where `knows` puts it, or else to the first section that the schema allows. `refuses` are forms of a request that the
    server does not know: schema, object, json, tool, or temperature. `mutate` spoils the values of a request before they are read, to see
    whether a case notices.
    """

    def __init__(self, api, knows=None, answer=None, refuses=(), latency=0.0, mutate=None):
        self.api, self.knows, self.answer, self.refuses, self.latency = APIS[api], knows or {}, answer, set(refuses), latency
        self.mutate = mutate
        self.requests, self.faults, self.refused, self.batches = [], [], [], {}
        self.problems = []  # what went wrong in `answer`
        # How often a batch is still in progress; and how the requests of the batches that come end that do not succeed, by place.
        self.patience, self.ends = 0, {}
        self.lock = threading.Lock()
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def stop(self):
        self.http.shutdown()
        self.http.server_close()

    @property
    def asked(self):
        """The items of each request, in order, whether it was answered well or not."""
        return [list(request.lines.values()) for request in self.requests]

    def section(self, item):
        """Where an item goes that nobody decided otherwise."""
        for name, section in self.knows.items():
            if name == item or item.startswith((name + "\t", name + " (", name + " [", name + ",", name + " |", name + ":", name + " -")):
                return section
        return None

    def says(self, asked, **how):
        """The plain answer to a request."""
        choices = asked.choices or ["Produce"]
        lines = asked.lines
        sections = {name: self.section(lines.get(name, "")) or choices[0] for name in asked.ids}
        return Says(sections, **{"is_array": asked.wants_array, **how})

    # What is asked, by path. Each gives a status, further headers, and a body; or `Drops`.

    def get(self, path, headers):
        if problem := self.api.headers_problem(headers):
            return self._fails(Fails(401, "authentication_error", problem))
        if path.split("?")[0] == self.api.models:
            return 200, {}, self.api.list_of_models(["claude-haiku-5-5", "claude-sonnet-5-5", "gpt-5.4-mini", "gpt-6-luna", "local"])
        if path.startswith("/v1/messages/batches"):
            return self._batch_status(path)
        return self._fails(Fails(404, "not_found_error", f"no {path}"))

    def post(self, path, headers, body):
        if problem := self.api.headers_problem(headers):
            return self._fails(Fails(401, "authentication_error", problem))
        if headers.get("content-type") != "application/json":
            self.faults.append(f"content-type: {headers.get('content-type')}")
        if self.mutate:
            values = json.loads(body)
            self.mutate(values)
            body = json.dumps(values).encode()
        try:
            if path == "/v1/messages/batches":
                return self._submit(self.api.read_batch(body))
            if path != self.api.path:
                return self._fails(Fails(404, "not_found_error", f"no {path}"))
            asked = self.api.read(body)
        except strict.NotOfType as fault:
            with self.lock:
                self.faults.append(str(fault))
            return self._fails(Fails(400, "invalid_request_error", str(fault)))
        if form := self._refused_form(asked):
            with self.lock:
                self.refused.append(form)
            return self._fails(Fails(400, "invalid_request_error", WORDS[self.api.name, form], field=self.api.fields_of_forms[form]))
        with self.lock:
            self.requests.append(asked)
            number = len(self.requests)
        time.sleep(self.latency)
        try:
            reply = self.answer(asked) if self.answer else self.says(asked)
        except Exception as problem:
            self.problems.append(problem)
            reply = Fails(400, "invalid_request_error", "the case that is checked goes wrong")
        if isinstance(reply, Drops):
            return reply
        if isinstance(reply, Fails):
            return self._fails(reply)
        return 200, {"request-id": f"req_{number}"}, self.api.write(asked, reply, number)

    def _fails(self, fails):
        return fails.status, fails.headers, self.api.error(fails, len(self.requests))

    def _refused_form(self, asked):
        refuses = self.refuses.union(*(forms for name, forms in REFUSALS.items() if asked.model.startswith(name)))
        if "temperature" in asked.body and "temperature" in refuses:
            return "temperature"
        if asked.form == "tool":
            return "tool" if "tool" in refuses and asked.body.get("tool_choice", {}).get("type") in ("tool", "any") else None
        return asked.form if asked.form in refuses else None

    # Batches.

    def _submit(self, requests):
        name = f"msgbatch_{len(self.batches) + 1}"
        self.batches[name] = requests, dict(self.ends)
        self.requests += [asked for _, asked in requests]
        return 200, {}, self.api.batch(name, self._counts(requests, None), None)

    def _counts(self, requests, ends):
        """How many requests have ended how; none yet where `ends` is `None`."""
        counts = dict.fromkeys(["canceled", "errored", "expired", "processing", "succeeded"], 0)
        for place in range(len(requests)):
            counts["processing" if ends is None else ends.get(place, "succeeded")] += 1
        return counts

    def _batch_status(self, path):
        name, _, rest = path.removeprefix("/v1/messages/batches").removeprefix("/").split("?")[0].partition("/")
        if not name:
            return 200, {}, json.dumps({"data": [], "has_more": False, "first_id": None, "last_id": None})
        if name not in self.batches:
            return self._fails(Fails(404, "not_found_error", f"no batch {name}"))
        requests, ends = self.batches[name]
        if rest == "results":
            lines = [self.api.result(custom, self._result(ends.get(place, "succeeded"), place, asked))
                     for place, (custom, asked) in enumerate(requests)]
            return 200, {}, "\n".join(reversed(lines)) + "\n"
        is_ended, self.patience = self.patience <= 0, self.patience - 1
        url = f"{self.url}/v1/messages/batches/{name}/results" if is_ended else None
        return 200, {}, self.api.batch(name, self._counts(requests, ends if is_ended else None), url)

    def _result(self, end, place, asked):
        if end == "succeeded":
            says = self.answer(asked) if self.answer else self.says(asked)
            return {"type": end, "message": self.api.message(asked, says, place)}
        if end == "errored":
            return {"type": end, "error": {"type": "error", "request_id": None,
                                           "error": {"type": "api_error", "message": "Internal server error"}}}
        return {"type": end}


def _handler(server):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def do_GET(self):
            self.send(server.get(self.path, self.headers))

        def do_POST(self):
            self.send(server.post(self.path, self.headers, self.rfile.read(int(self.headers["content-length"]))))

        def send(self, reply):
            if isinstance(reply, Drops):
                self.close_connection = True
                self.connection.close()
                return
            status, headers, text = reply
            body = text.encode()
            self.send_response(status)
            for name, value in {"content-type": "application/json", "content-length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    return Handler
