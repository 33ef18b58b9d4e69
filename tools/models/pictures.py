"""Photos with secrets in them, and a look at what is left of those. Needs only Pillow."""
import io

from PIL import Image, ImageDraw, ImageOps, PngImagePlugin

GPS, MAKE, ORIENTATION = 0x8825, 0x010F, 0x0112


def _paper(width, height):
    """A picture that is dark at its left edge and has a mark in its top left corner, so that turning it shows."""
    picture = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(picture)
    draw.rectangle([0, 0, width // 8, height], fill="gray")
    draw.rectangle([0, 0, width // 8, height // 4], fill="black")
    return picture


def jpeg_with_secrets(width, height, orientation):
    """A JPEG with a position, a camera, a comment, XMP, and Photoshop's block."""
    exif = Image.Exif()
    exif[ORIENTATION], exif[MAKE] = orientation, "GPS-SECRET"
    exif.get_ifd(GPS).update({1: "N", 2: (59.0, 21.0, 1.5), 3: "E", 4: (18.0, 4.0, 2.5)})
    out = io.BytesIO()
    _paper(width, height).save(out, "JPEG", quality=90, exif=exif, comment=b"comment-secret",
                               xmp=b"<x:xmpmeta xmlns:x='adobe:ns:meta/'>GPS-SECRET</x:xmpmeta>")
    return out.getvalue()


def png(width, height):
    """A PNG with a text chunk."""
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Comment", "secret-of-png")
    out = io.BytesIO()
    _paper(width, height).save(out, "PNG", pnginfo=notes)
    return out.getvalue()


def exif_tags(data):
    return dict(Image.open(io.BytesIO(data)).getexif())


def size(data):
    return Image.open(io.BytesIO(data)).size


def difference(data, original):
    """How far a photo is from the original, as a camera's viewer shows that one: 0 (the same) to 255, on average over all pixels."""
    wanted = ImageOps.exif_transpose(Image.open(io.BytesIO(original))).convert("L").resize((64, 64))
    found = Image.open(io.BytesIO(data)).convert("L").resize((64, 64))
    return sum(abs(a - b) for a, b in zip(wanted.tobytes(), found.tobytes())) / 64 ** 2
