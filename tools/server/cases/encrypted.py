"""TLS by a certificate and a key of one's own."""

import datetime
import http.client
import json
import os
import ssl
import time

from bench import case
from running import Broken, expect, free_port
from wire import Cut, request


def write_certificate(folder, name="localhost"):
    """A certificate of its own signature, and its key, in PEM."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    person = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.timezone.utc)
    made = x509.CertificateBuilder(person, person, key.public_key(), x509.random_serial_number(), now, now + datetime.timedelta(days=1))
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), False).sign(key, hashes.SHA256())
    (folder / "chain.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return folder / "chain.pem", folder / "key.pem"


def ask(port, trusted, method="GET", path="/health", value=None, **how):
    context = ssl.create_default_context(cafile=trusted)
    for name, setting in how.items():
        setattr(context, name, setting)
    connection = http.client.HTTPSConnection("localhost", port, timeout=5, context=context)
    try:
        body = None if value is None else json.dumps(value)
        connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def wait(server, trusted):
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        expect(server.process.poll() is None, "the server ended", server.said())
        try:
            return ask(server.port, trusted)
        except OSError:
            time.sleep(0.02)
    raise Broken(f"no answer over TLS\n{server.said()}")


@case("with a certificate and its key the server speaks TLS 1.2 and 1.3 and nothing else, and corrections are synced over it")
def encrypted(bench):
    folder = bench.make_folder()
    chain, key = write_certificate(folder)
    server = bench.make_server("--tls-certificate", chain, "--tls-key", key, folder=folder, is_awaited=False)
    try:
        expect(wait(server, chain) == (200, {"status": "healthy"}), "/health")
        status, answer = ask(server.port, chain, "POST", "/v1/corrections", {"item": "kale", "section": "Snacks"})
        expect(status == 200 and answer["section"] == "Snacks", "a correction", answer)
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            expect(ask(server.port, chain, minimum_version=version, maximum_version=version)[0] == 200, f"{version.name}")
        try:
            ask(server.port, None)
            raise Broken("a certificate that nobody vouches for is trusted")
        except ssl.SSLCertVerificationError:
            pass
        with server.connect() as plain:
            plain.send(request("GET", "/health", host=f"localhost:{server.port}"))
            try:
                expect(plain.receive().status != 200, "an answer without TLS")
            except (Cut, OSError):
                pass
        os.environ["SSL_CERT_FILE"] = str(chain)
        try:
            words = ("--server", f"https://localhost:{server.port}", "--db", folder / "own.db")
            ended = bench.run_command("corrections", "pull", *words, folder=folder)
        finally:
            del os.environ["SSL_CERT_FILE"]
        expect(ended.returncode == 0, f"pull: exit {ended.returncode}", ended.stderr)
        listed = bench.run_command("corrections", "list", "--db", folder / "own.db", folder=folder)
        expect("kale" in listed.stdout, "what was pulled", listed.stdout, ended.stderr)
        expect(ask(server.port, chain)[0] == 200, "the server after that")
    finally:
        server.kill()


@case("a certificate without its key, or with another one's, ends the server with a reason")
def wrong_key(bench):
    folder, other = bench.make_folder(), bench.make_folder()
    (chain, _), (_, key) = write_certificate(folder), write_certificate(other)
    (folder / "empty.pem").write_text("")
    for words, said in (
        (("--tls-certificate", chain, "--tls-key", key), "key.pem"),
        (("--tls-certificate", folder / "empty.pem", "--tls-key", key), "empty.pem"),
        (("--tls-certificate", folder / "missing.pem", "--tls-key", key), "missing.pem"),
        (("--tls-certificate", chain), "--tls-key"),
    ):
        ended = bench.run("--port", free_port(), "--db", folder / "c.db", *words, folder=folder)
        expect(ended.returncode in (2, 64) and said in ended.stderr, f"{said}: exit {ended.returncode}", ended.stderr)
