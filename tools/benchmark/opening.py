"""How long an app waits for a compiled-in store, in release and debug builds: an app of its own that depends on AisleKit."""
import subprocess

from measure import CommandFailed, Spread

TARGETS = {"release": 5, "debug": 100}


def measure(bench, progress):
    # Those whose lists are in other languages are not compiled in.
    stores = sorted(path.stem for path in (bench.root / "taxonomies").glob("*.yaml")
                    if "\nlanguage:" not in path.read_text(encoding="utf-8"))
    for configuration, target in TARGETS.items():
        progress(f"opening stores, {configuration} build")
        program = build(bench.root, configuration)
        # A process for each store, so that each pays for what stores share.
        runs = [open_once(program, store) for _ in range(max(2, bench.rounds // 3)) for store in stores]
        bench.report.milliseconds(f"an app opens a store, {configuration} build", Spread.of(runs), at_most=target)
        bench.report.milliseconds(f"an app opens a store, {configuration} build: slowest", Spread.of([max(runs)]))


def build(root, configuration):
    package = root / "tools/benchmark/opening"
    options = ["swift", "build", "--package-path", str(package), "--scratch-path", str(root / ".build/bench/opening"), "-c", configuration]
    subprocess.run(options, check=True, stdout=subprocess.DEVNULL)
    return root / ".build/bench/opening" / configuration / "opening"


def open_once(program, store):
    """Seconds."""
    done = subprocess.run([str(program), store], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CommandFailed(f"{program} {store}: {done.stderr.strip()}")
    return float(done.stdout.split()[1]) / 1000
