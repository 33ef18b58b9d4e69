"""Tokens of another issuer: JWTs, by a shared secret or by public keys."""

import base64
import hashlib
import hmac
import json
import time

from bench import case
from running import expect, free_port

ISSUER = "https://login.example"


def part(value):
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def claims(**more):
    now = int(time.time())
    made = {"iss": ISSUER, "sub": "jane", "iat": now - 5, "nbf": now - 5, "exp": now + 300} | more
    return {name: value for name, value in made.items() if value is not None}


def wrong_claims():
    now = int(time.time())
    return {
        "expired": claims(exp=now - 120),
        "not yet valid": claims(nbf=now + 600),
        "of another issuer": claims(iss="https://evil.example"),
        "without an issuer": claims(iss=None),
        "without an end": claims(exp=None),
        "with an end that is text": claims(exp="never"),
    }


def unsigned(value=None):
    """Tokens that nobody signed."""
    value = value or claims()
    return {
        f"alg {algorithm!r}": f"{part({'alg': algorithm, 'typ': 'JWT'})}.{part(value)}." for algorithm in ("none", "None", "NONE", "", None)
    }


def refuses(server, tokens):
    wrong = []
    for name, token in tokens.items():
        answer = server.ask("GET", "/v1/me", token=token)
        if answer.status != 401:
            wrong.append(f"{name}: {answer}")
    expect(not wrong, "taken", *wrong)


def takes(server, token):
    me = server.get("/v1/me", token=token)
    expect((me["name"], me["can"]) == ("jane", "check"), "/v1/me", me)


@case("a JWT signed with the secret (HS256) is taken; expired, early, of others, unsigned, or changed, it is 401")
def secret(bench):
    import jwt

    folder = bench.make_folder()
    key = "a-secret-of-at-least-thirty-two-bytes"
    (folder / "secret").write_text(key + "\n")
    (folder / "secret").chmod(0o600)
    with bench.running("--jwt-secret-file", folder / "secret", "--jwt-issuer", ISSUER, "--jwt-can", "check", folder=folder) as server:
        good = jwt.encode(claims(), key, "HS256")
        takes(server, good)
        head, body, sign = good.split(".")
        spoiled = base64.urlsafe_b64decode(sign + "==")
        refuses(
            server,
            {name: jwt.encode(each, key, "HS256") for name, each in wrong_claims().items()}
            | unsigned()
            | {
                "by another secret": jwt.encode(claims(), "another-secret-of-at-least-thirty-two-bytes", "HS256"),
                "by an empty secret": f"{head}.{body}.{part(hmac.digest(b'', f'{head}.{body}'.encode(), 'sha256'))}",
                "by HS512": jwt.encode(claims(), key * 2, "HS512"),
                "with other claims": f"{head}.{part(claims(sub='eve'))}.{sign}",
                "without a signature": f"{head}.{body}.",
                "with a part of it": f"{head}.{body}.{part(spoiled[:16])}",
                "in two parts": f"{head}.{body}",
                "in four parts": f"{good}.x",
                "with a changed bit": f"{head}.{body}.{part(bytes([spoiled[0] ^ 1]) + spoiled[1:])}",
                "of nonsense": "a.b.c",
                "of dots": "..",
                "that is long": f"{head}.{part(b'x' * 6_000)}.{sign}",
            },
        )
        expect(key not in server.said() and good not in server.said(), "the secret or a token is in the log")


@case("JWTs may do what the server says that they may, also on loopback, and are enough to listen on another host")
def limited(bench):
    import jwt

    folder = bench.make_folder()
    key = "a-secret-of-at-least-thirty-two-bytes"
    (folder / "secret").write_text(key + "\n")
    (folder / "secret").chmod(0o600)
    with bench.running("--host", "0.0.0.0", "--jwt-secret-file", folder / "secret", "--jwt-can", "read", folder=folder) as server:
        token = jwt.encode(claims(can="check", iss=None), key, "HS256")
        server.expect(200, "GET", "/v1/stores", token=token)
        server.expect(403, "POST", "/v1/corrections", {"item": "kale", "section": "Snacks"}, token=token)
        server.expect(401, "GET", "/v1/stores", token=None)
    (folder / "short").write_text("short\n")
    (folder / "short").chmod(0o600)
    ended = bench.run("--port", free_port(), "--db", folder / "c.db", "--jwt-secret-file", folder / "short", folder=folder)
    expect(ended.returncode == 2 and "short" in ended.stderr, f"a secret of five bytes: exit {ended.returncode}", ended.stderr)


@case("JWTs of the issuer's public keys (RS256, ES256) are taken; by other keys, or with the public key as a secret, they are 401")
def keys(bench):
    import jwt
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec, rsa

    folder = bench.make_folder()
    rsa_key, ec_key = rsa.generate_private_key(65537, 2048), ec.generate_private_key(ec.SECP256R1())
    other_rsa, other_ec = rsa.generate_private_key(65537, 2048), ec.generate_private_key(ec.SECP256R1())
    described = []
    for key, algorithm, identity in ((rsa_key, jwt.algorithms.RSAAlgorithm, "r1"), (ec_key, jwt.algorithms.ECAlgorithm, "e1")):
        described.append(
            json.loads(algorithm.to_jwk(key.public_key()))
            | {"kid": identity, "use": "sig", "alg": {"r1": "RS256", "e1": "ES256"}[identity]}
        )
    (folder / "keys.json").write_text(json.dumps({"keys": described}))
    with bench.running("--jwks", folder / "keys.json", "--jwt-issuer", ISSUER, "--jwt-can", "check", folder=folder) as server:
        takes(server, jwt.encode(claims(), rsa_key, "RS256", headers={"kid": "r1"}))
        takes(server, jwt.encode(claims(), ec_key, "ES256", headers={"kid": "e1"}))
        refuses(
            server, {name: jwt.encode(each, rsa_key, "RS256", headers={"kid": "r1"}) for name, each in wrong_claims().items()} | unsigned()
        )
        pems = [
            rsa_key.public_key().public_bytes(serialization.Encoding.PEM, form)
            for form in (serialization.PublicFormat.SubjectPublicKeyInfo, serialization.PublicFormat.PKCS1)
        ]
        signed = f"{part({'alg': 'HS256', 'typ': 'JWT', 'kid': 'r1'})}.{part(claims())}"
        modulus = base64.urlsafe_b64decode(described[0]["n"] + "==")
        confused = {
            f"the public key as secret {number}": f"{signed}.{part(hmac.new(secret, signed.encode(), hashlib.sha256).digest())}"
            for number, secret in enumerate([*pems, *(pem.strip() for pem in pems), modulus, b"", json.dumps(described[0]).encode()])
        }
        inside = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(other_rsa.public_key()))
        refuses(
            server,
            confused
            | {
                "another RSA key": jwt.encode(claims(), other_rsa, "RS256", headers={"kid": "r1"}),
                "another EC key": jwt.encode(claims(), other_ec, "ES256", headers={"kid": "e1"}),
                "an unknown key": jwt.encode(claims(), other_rsa, "RS256", headers={"kid": "r2"}),
                "the EC key named, the RSA key used": jwt.encode(claims(), rsa_key, "RS256", headers={"kid": "e1"}),
                "a key of its own in the header": jwt.encode(claims(), other_rsa, "RS256", headers={"kid": "r1", "jwk": inside}),
                "an address of keys in the header": jwt.encode(
                    claims(), other_rsa, "RS256", headers={"kid": "r1", "jku": "http://127.0.0.1:1/"}
                ),
                "a path as key": jwt.encode(claims(), other_rsa, "RS256", headers={"kid": "../../dev/null"}),
                "an ES256 signature of zeros": f"{part({'alg': 'ES256', 'kid': 'e1'})}.{part(claims())}.{part(bytes(64))}",
            },
        )
