"""Photos, as they reach the server."""
import json

from asked import Says
from bench import case
from cases.asking import NEWEST
from pictures import difference, exif_tags, jpeg_with_secrets, png, size

LIST = {"sections": [{"name": "List", "type": "grocery", "items": ["oat milk", "kale"]}]}


def read(bench, name, data, *words):
    (bench.tool.folder / name).write_bytes(data)
    server = bench.server(answer=lambda asked: Says(LIST, raw=json.dumps(LIST)))
    run = bench.tool.run("read", name, *words, server=server)
    return server, run


def sent(bench, server, run):
    bench.expect_equal((run.code, run.out), (0, "oat milk\nkale\n"), "exit code and items", run, server.faults)
    bench.expect_equal([len(asked.photos) for asked in server.requests], [1], "photos")
    return server.requests[0].photos[0]


@case("a photo is read by the newest models, which take no forced tool")
def newest_models(bench):
    server, run = read(bench, "list.jpg", jpeg_with_secrets(64, 48, orientation=1), "--llm-model", NEWEST[bench.api])
    bench.expect_equal((run.code, run.out), (0, "oat milk\nkale\n"), "exit code and items", run, server.faults, server.refused)
    bench.expect_equal([asked.form for asked in server.requests], ["schema"], "forms")


@case("a server that refuses the form of an answer about a photo is asked in another one", apis=["anthropic"])
def photo_falls_back(bench):
    (bench.tool.folder / "list.jpg").write_bytes(jpeg_with_secrets(64, 48, orientation=1))
    server = bench.server(refuses=["schema"], answer=lambda asked: Says(LIST, raw=json.dumps(LIST)))
    run = bench.tool.run("read", "list.jpg", server=server, model="local")
    bench.expect_equal((run.code, run.out), (0, "oat milk\nkale\n"), "exit code and items", run, server.refused)


@case("a photo goes out without its EXIF: no position, no camera, no thumbnail")
def no_exif(bench):
    media, data = sent(bench, *read(bench, "list.jpg", jpeg_with_secrets(640, 480, orientation=1)))
    bench.expect_equal(media, "image/jpeg", "media type")
    for secret in (b"Exif", b"GPS-SECRET", b"http://ns.adobe.com/xap", b"Photoshop", b"comment-secret"):
        bench.expect(secret not in data, f"the photo still has {secret.decode()}")
    bench.expect_equal(exif_tags(data), {}, "EXIF tags")


@case("a photo is turned upright, whichever way the camera was held")
def upright(bench):
    for orientation in range(1, 9):
        original = jpeg_with_secrets(640, 480, orientation)
        media, data = sent(bench, *read(bench, f"turned-{orientation}.jpg", original))
        bench.expect_equal(size(data), (640, 480) if orientation < 5 else (480, 640), f"size of a photo of orientation {orientation}")
        bench.expect(difference(data, original) < 8, f"a photo of orientation {orientation} is not upright")


@case("a large photo is scaled to the best size of the model")
def scaled(bench):
    media, data = sent(bench, *read(bench, "large.jpg", jpeg_with_secrets(9_000, 3_000, orientation=1)))
    width, height = size(data)
    bench.expect(max(width, height) <= 1_568, f"the photo has {width} × {height} pixels")
    bench.expect(abs(width / height - 3) < 0.05, f"the photo is distorted to {width} × {height}")


@case("a PNG with a text chunk goes out without it")
def png_text(bench):
    media, data = sent(bench, *read(bench, "list.png", png(640, 480)))
    bench.expect(b"secret-of-png" not in data, "the text chunk goes out")


@case("an answer about a photo that is refused or cut off is no empty list")
def refused_photo(bench):
    (bench.tool.folder / "list.jpg").write_bytes(jpeg_with_secrets(64, 48, orientation=1))
    for ending in ("refused", "truncated"):
        server = bench.server(answer=lambda asked: Says(LIST, raw=json.dumps(LIST), ending=ending))
        run = bench.tool.run("read", "list.jpg", server=server)
        bench.expect_equal((run.code, run.out), (2, ""), f"exit code and output when {ending}", run)
