"""A listener for notifications: small, for one sender, and deaf to everything but what it waits for."""
import http.server
import json
import sys

import shared

LARGEST = 1 << 20


def listen(place, path, follow):
    """Answers each notification (a JSON object that is posted to the path), and then follows it."""
    class Listener(http.server.BaseHTTPRequestHandler):
        timeout = 10

        def do_POST(self):
            size = self.headers.get("Content-Length", "")
            is_expected = self.path.split("?")[0].rstrip("/") == path and size.isdecimal() and int(size) <= LARGEST
            body = self.rfile.read(int(size)) if is_expected else b""
            self.send_response(204 if is_expected else 404)
            self.end_headers()
            self.wfile.flush()
            self.close_connection = True
            try:
                if is_expected:
                    follow(json.loads(body))
            except (shared.Failure, ValueError, KeyError, TypeError, AttributeError) as error:
                print(f"{shared.PROGRAM}: a notification was not followed: {error}", file=sys.stderr, flush=True)

        def log_message(self, *_):
            pass

    try:
        server = http.server.HTTPServer(place, Listener)
    except OSError as error:
        raise shared.Failure(f"{place[0]}:{place[1]}: {error.strerror}; --listen takes another port") from None
    with server:
        print(f"{shared.PROGRAM}: listening on {server.server_address[0]}:{server.server_address[1]}", file=sys.stderr, flush=True)
        server.serve_forever()
