"""Requests that schemathesis makes up from the OpenAPI file."""

import pathlib
import re
import subprocess
import sys

from bench import case
from running import expect

CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance,"
    "unsupported_method,negative_data_rejection,positive_data_acceptance"
)
# What the file allows can still be wrong for this store, such as a section that is not there. 501: no model.
SETTINGS = """
[checks]
not_a_server_error.expected-statuses = ["2xx", "4xx", "501"]
positive_data_acceptance.expected-statuses = ["2xx", "400", "404", "409", "413", "422", "501"]
negative_data_rejection.expected-statuses = ["400", "401", "403", "404", "405", "409", "413", "415", "422", "431", "501"]
"""


@case("schemathesis finds no 5xx, and no answer outside the OpenAPI file (seeded)")
def schemathesis(bench):
    folder = bench.make_folder()
    (folder / "schemathesis.toml").write_text(SETTINGS)
    served = bench.root / "Sources/AisleServer/Page/openapi.json"
    with bench.running() as server:
        server.post("/v1/suggestions", {"suggestions": [{"item": "kale", "to": "Snacks"}]})
        ended = subprocess.run(
            [
                str(pathlib.Path(sys.executable).with_name("schemathesis")),
                "--config-file",
                str(folder / "schemathesis.toml"),
                "run",
                str(served),
                "--url",
                f"http://{server.host}",
                "--seed",
                str(bench.options.seed),
                "--max-examples",
                "15" if bench.options.quick else "150",
                "--phases",
                "examples,coverage,fuzzing",
                "--checks",
                CHECKS,
                "--exclude-path",
                "/v1/events",
                "--request-timeout",
                "20",
                "--generation-database",
                "none",
                "--no-color",
                "--warnings",
                "off",
                # With more, hypothesis now and then fails by itself on CPython 3.11 ("AST constructor recursion depth mismatch").
                "--workers",
                "1",
                "--suppress-health-check",
                "all",
            ],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        server.is_well()
        shown = ended.stdout.split("= FAILURES =", 1)[-1] if "= FAILURES =" in ended.stdout else ended.stdout[-4000:]
        expect(ended.returncode == 0, f"exit {ended.returncode}", shown[: bench.options.shown], ended.stderr[-1000:])
        count = re.search(r"([0-9,]+) generated", ended.stdout)
        return f"{count[1]} requests" if count else None
