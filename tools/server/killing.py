"""Kills the server again and again while many write: what it acknowledged must be there."""

import random
import shutil
import time

from load import Writer, check_integrity, corrections, letters, losses
from running import Broken, expect

WRITERS = 8


def rounds(bench, count, progress):
    """Runs the rounds on one file, and gives how many changes were acknowledged."""
    folder, generator = bench.make_folder(), random.Random(bench.options.seed)
    with bench.running(folder=folder) as server:
        allowed, acknowledged = {}, 0
        for number in range(count):
            writers = [Writer(server, f"{word(number)} {word(index)}", generator.random()) for index in range(WRITERS)]
            for writer in writers:
                writer.start()
            time.sleep(generator.uniform(0.02, 0.6))
            server.kill()
            for writer in writers:
                writer.join(30)
                if writer.problem:
                    raise Broken(f"round {number}: {writer.problem}")
                allowed |= writer.allowed
                acknowledged += writer.acknowledged
            copy = folder / "copy.db"  # as it was left, with its journal
            for suffix in ("", "-journal", "-wal"):
                copy.with_name(copy.name + suffix).unlink(missing_ok=True)
                left = server.db.with_name(server.db.name + suffix)
                if left.exists():
                    shutil.copyfile(left, copy.with_name(copy.name + suffix))
            check_lost(number, allowed, check_integrity(copy), "in the file")
            server.start()
            check_lost(number, allowed, corrections(server), "by the server")
            # Later rounds must keep what this one found, whether it was acknowledged or not.
            found = corrections(server)
            allowed = {item: {found.get(item)} for item in allowed}
            if (number + 1) % 10 == 0:
                progress(f"{number + 1} of {count} kills, {acknowledged} changes acknowledged")
        server.stop()
        check_integrity(server.db)
    return acknowledged


def word(number):
    return "q" + letters(number + 7)


def check_lost(number, allowed, found, where):
    lost = losses(allowed, found)
    expect(not lost, f"round {number}: {len(lost)} of {len(allowed)} are not there {where}", *lost[:5])
