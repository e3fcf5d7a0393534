"""Creates the files that commands and pipelines of the pages name: photographs, pairs, label maps, a CSV file, and the
installed pipelines. All pictures are PNG, written without a library."""

import pathlib
import random
import shutil
import struct
import zlib


def png(path, height, width, cells, colour=2):
    """Writes a picture of `cells`: rows of 8 blocks of one colour, which has 3 bytes, or 1 if `colour` is 0 (grey)."""
    rows = []
    for y in range(height):
        row = cells[y * len(cells) // height]
        rows.append(b"\0" + b"".join(bytes(row[x]) * ((x + 1) * width // 8 - x * width // 8) for x in range(8)))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"".join(rows), 1)) +
                     chunk(b"IEND", b""))


def colours(draws):
    return [[[draws.randrange(256) for _ in range(3)] for _ in range(8)] for _ in range(8)]


# The pipelines get fewer and smaller pictures, so that steps and evaluations are short.
SHORTER = [("count = 64,", "count = 8,"), ("count = 1600,", "count = 64,"), ("size = [160, 160]", "size = [96, 96]"),
           ("size = [128, 128]", "size = [64, 64]"), ("size = [320, 320]", "size = [144, 144]"),
           ("size = [304, 304]", "size = [128, 128]")]
CLASSES = [[[(y + x) % 4] for x in range(8)] for y in range(7)] + [[[255]] * 8]


def make(folder, host):
    draws = random.Random(1)
    names = [f"{i:02}.png" for i in range(12)]
    for name in ("photos", "blurred", "sharp", "images", "labels", "ships"):
        (folder / name).mkdir()
    for i, name in enumerate(names):
        picture = colours(draws)
        png(folder / "photos" / name, 352, 360, picture)
        shutil.copy(folder / "photos" / name, folder / "sharp" / name)
        shutil.copy(folder / "photos" / name, folder / "blurred" / name)
        png(folder / "images" / name, 96, 128, picture)
        png(folder / "labels" / name, 96, 128, CLASSES, colour=0)
    rows = ["image,category,weight"]
    for i in range(60):
        png(folder / "ships" / f"{i:03}.png", 80, 100, colours(draws))
        rows.append(f"{i:03}.png,{i % 5 + 1},{1 + i % 3}")
    (folder / "ships" / "train.csv").write_text("\n".join(rows) + "\n")
    for pipeline in (host.parent / "../../share/sluice/pipelines").glob("*.toml"):
        text = pipeline.read_text()
        for long, short in SHORTER:
            text = text.replace(long, short)
        (folder / pipeline.name).write_text(text)
