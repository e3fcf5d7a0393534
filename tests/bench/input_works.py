"""The works of `input`: the contestants of each, and the ratios that we want to reach.

WORKS maps a name to a function(Workplace), which returns a comparison in the form of input_table.lines_of().
"""

import json
import os
import shutil
import statistics
import sys

from alternating import Training, pairs_of_slices
from contestants import Cores, Unavailable, run
from input_contestants import PIPELINE, LibJpeg, Peer, Sluice, Trained, cropped, photos_in, prepare, with_sets
from input_table import ratio_of

TENSORFLOW = ("autotune", "autotune,unordered", "threads,unordered")
TORCH = tuple(f"{decoder},{workers}" for decoder in ("decode_jpeg", "pil") for workers in range(5))

# By our contestant: the least ratio of its rate to that of the peer.
WANTED_OF_TENSORFLOW = {"originals": 1.3, "restart markers": 3.0, "raw tiles": 3.0}
WANTED_OF_TORCH = {"originals": 2.2, "restart markers": 5.0, "raw tiles": 5.0}
TILES_WANTED = 15000  # samples a second on one core


def warm(folder):
    """Reads all files, so that they are in the page cache."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                while file.read(1 << 22):
                    pass


def load():
    return f"load {os.getloadavg()[0]:.1f}"


def take_turns(place, name, contestants, skipped, cores):
    """Returns name -> measurements, one of each turn."""
    seconds, turns = place.arguments.seconds, place.arguments.turns
    measured = {}
    for contestant in contestants:
        try:
            print(f"{name}: {contestant.name}, its settings", file=sys.stderr)
            contestant.choose(cores, seconds / 2)
            measured[contestant.name] = []
        except Unavailable as reason:
            skipped[contestant.name] = str(reason)
    for turn in range(turns):
        for contestant in contestants:
            if contestant.name in measured:
                print(f"{name}: {contestant.name}, {turn + 1} of {turns}", file=sys.stderr)
                measured[contestant.name].append(contestant.measure(cores, seconds))
    return measured


def compare(place, name, title, contestants, skipped, wanted, cores=None):
    """wanted: (our contestant, the other one, the least ratio) of each ratio."""
    cores = cores or place.cores
    before = load()
    measured = take_turns(place, name, contestants, skipped, cores)
    entries = []
    for who, measurements in measured.items():
        values = [dict(measurement, value=measurement["samples_per_second"]) for measurement in measurements]
        entries.append({"name": who, "unit": "samples/s", "measurements": values})
    ratios = []
    for ours, theirs, least in wanted:
        if ours in measured and theirs in measured:
            pairs = zip(measured[ours], measured[theirs])
            values = [a["samples_per_second"] / b["samples_per_second"] for a, b in pairs]
            ratios.append(ratio_of(f"{ours} over {theirs}", values, least))
    arguments = place.arguments
    title = f"{name}: {title}; {cores.threads} thread(s), {arguments.turns} turns of {arguments.seconds:g} s"
    return {
        "title": f"{title}; {before} before, {load()} behind",
        "entries": entries,
        "ratios": ratios,
        "skipped": skipped,
    }


KINDS = {"restart markers": ["--jpeg", "restart"], "raw tiles": []}  # kind of records: options of `host prepare`


def records_of(place, pictures, side, kind):
    """Returns our contestant that cuts squares out of records of one kind, which are made of a folder's JPEG files."""
    folder = place.folder / f"{pictures.name}-{side}" / kind.replace(" ", "-")
    records = prepare(place.host, {**photos_in(pictures), **cropped(side)}, folder, KINDS[kind], place.cores)
    warm(folder)
    return Sluice(place.host, kind, records)


def ours_of(place, pictures, side):
    """Returns our contestants on the files themselves, and on records of each kind."""
    warm(pictures)
    originals = Sluice(place.host, "originals", {**photos_in(pictures), **cropped(side)})
    return [originals, *(records_of(place, pictures, side, kind) for kind in KINDS)]


def photos(place):
    batch, side = 16, 128
    contestants = ours_of(place, place.photos, side)
    skipped = {}
    for peer, name, script, settings in (
        ("tensorflow", "tf.data", "tf_data_input.py", TENSORFLOW),
        ("torch", "DataLoader", "torch_loader_input.py", TORCH),
    ):
        try:
            python = place.python_of(peer)
            contestants.append(Peer(name, python, script, settings, place.photos, batch, side))
        except Unavailable as reason:
            skipped[name] = str(reason)
    wanted = [(ours, "tf.data", least) for ours, least in WANTED_OF_TENSORFLOW.items()]
    wanted += [(ours, "DataLoader", least) for ours, least in WANTED_OF_TORCH.items()]
    title = f"squares of {side}x{side}, mirrored, batches of {batch}"
    return compare(place, "photos", title, contestants, skipped, wanted)


DECODED = '[{ use = "decode" }, { use = "cache" }, { use = "random_crop", size = [128, 128] }, { use = "random_flip" }]'
MISTUNED = {
    "one thread": {"data.workers": 1, "data.prefetch": 1},
    "64 threads": {"data.workers": 64, "data.prefetch": 64},
    "a small cache": {
        "data.workers": 1,
        "data.train.map": DECODED.replace('"cache"', '"cache", in = "disk", budget = "2 MiB"'),
    },
}


def tune(place, settings):
    """Returns the settings with what `host tune` changes of them."""
    command = [place.host, "tune", PIPELINE, "--json", "--quiet", "--budget", place.arguments.tune_budget]
    command += ["--runs", place.folder, *with_sets(settings)]
    tuned = json.loads(run(command, place.cores)[0])["sets"]
    return {**settings, **dict(one.split("=", 1) for one in tuned)}


def tuned(place):
    """The photographs by mistuned settings, and by what `host tune` makes of them.

    A search stops where the training no longer waits for its input, so trainings are compared; and the input alone with
    that of tf.data.
    """
    warm(place.photos)
    contestants, skipped, wanted = [Trained(place.host, "by hand", {"data.train.map": DECODED})], {}, []
    for name, settings in MISTUNED.items():
        print(f"tuned: {name}", file=sys.stderr)
        better = tune(place, settings)
        contestants += [
            Trained(place.host, name, settings),
            Trained(place.host, f"tuned from {name}", better),
            Sluice(place.host, f"input tuned from {name}", better),
        ]
        wanted += [(f"tuned from {name}", name, 0.98), (f"tuned from {name}", "by hand", 0.95)]
        wanted.append((f"input tuned from {name}", "tf.data", 0.95))
    try:
        python = place.python_of("tensorflow")
        contestants.append(Peer("tf.data", python, "tf_data_input.py", ("autotune",), place.photos, 16, 128))
    except Unavailable as reason:
        skipped["tf.data"] = str(reason)
    return compare(place, "tuned", "squares of 128x128, mirrored, batches of 16", contestants, skipped, wanted)


def decode(place):
    """Batches have one sample, because the photographs differ in size."""
    place.program("libjpeg_turbo")
    warm(place.photos)
    whole = {**photos_in(place.photos), "data.train.map": '[{ use = "decode" }]', "data.batch": 1, "data.prefetch": 8}
    contestants = [Sluice(place.host, "whole photographs", whole), LibJpeg(place.arguments.programs, place.photos)]
    wanted = [("whole photographs", LibJpeg.name, 0.9)]
    return compare(place, "decode", "whole photographs", contestants, {}, wanted)


def pictures_of(place):
    return place.mosaics(8 if place.arguments.quick else 64)


def large(place):
    place.program("libjpeg_turbo")
    pictures = pictures_of(place)
    contestants = [*ours_of(place, pictures, 256), LibJpeg(place.arguments.programs, pictures)]
    wanted = [(ours, LibJpeg.name, 6) for ours in ("restart markers", "raw tiles")]
    return compare(place, "large", "squares of 256x256 out of 1600x2560", contestants, {}, wanted)


def tiles(place):
    crop = '[{ use = "random_crop", size = [256, 256] }]'
    contestant = records_of(place, pictures_of(place), 256, "raw tiles")
    contestant.settings["data.train.map"] = crop
    title = "squares of 256x256 out of 1600x2560 in raw tiles"
    comparison = compare(place, "tiles", title, [contestant], {}, [], Cores(1))
    rates = [measurement["value"] / TILES_WANTED for measurement in comparison["entries"][0]["measurements"]]
    comparison["ratios"] = [ratio_of(f"raw tiles over {TILES_WANTED:,} a second", rates, 1)]
    return comparison


def large_pictures(place):
    return place.mosaics(4 if place.arguments.quick else 16, 4000, 4000)


def of_both_sizes(place):
    """Returns a folder of some photographs, with pictures of 4000x4000 among them."""
    folder = place.folder / "of-both-sizes"
    folder.mkdir(exist_ok=True)
    large = sorted(large_pictures(place).glob("*.jpg"))
    small = sorted(place.photos.glob("*.jpg"))[: 4 * len(large)]
    for picture in small + large:
        link = folder / picture.name
        if not link.exists():
            link.symlink_to(picture)
    return folder


def memory(place):
    """Measures peak memory with 6 GiB of pixels and data.memory = "2 GiB". --scale reduces both.

    data.memory is at least 384 MiB, because the program itself does not get smaller. The data is three times as much,
    and half of that with --quick.
    """
    allowed = max(place.arguments.scale * 2 * 2**30, 384 * 2**20)
    data = (1.5 if place.arguments.quick else 3) * allowed
    pictures = place.mosaics(max(round(data / (1600 * 2560 * 3)), 2))
    kept = place.folder / "cache"
    shutil.rmtree(kept, ignore_errors=True)

    def with_cache(options):
        return f'[{{ use = "decode" }}, {{ use = "cache", {options} }}, {{ use = "random_crop", size = [256, 256] }}]'

    originals = {**photos_in(pictures), "data.memory": f'"{allowed / 2**20:.0f} MiB"'}
    folder = place.folder / f"{pictures.name}-whole"
    records = prepare(place.host, {**originals, **cropped(256)}, folder, [], place.cores)
    in_memory = with_cache('in = "memory"')
    on_disk = with_cache(f'in = "disk", folder = "{kept}", budget = "{allowed / 2**20:.0f} MiB"')
    rotated = '[{ use = "decode" }, { use = "rotate90" }, { use = "random_crop", size = [256, 256] }]'
    large = {**originals, **photos_in(large_pictures(place)), "data.train.map": rotated, "data.workers": 8}
    whole = '[{ use = "cache" }, { use = "random_crop", size = [256, 256] }]'
    mixed = {**originals, **photos_in(of_both_sizes(place)), "data.train.map": '[{ use = "decode" }]', "data.batch": 1}
    contestants = [
        Sluice(place.host, "cache in memory", {**originals, "data.train.map": in_memory}),
        Sluice(place.host, "cache on disk", {**originals, "data.train.map": on_disk}),
        Sluice(place.host, "eight threads, each with two copies of 46 MiB", large),
        Sluice(place.host, "photographs among pictures of 46 MiB", {**mixed, "data.prefetch": 64}),
        Sluice(place.host, "raw tiles", records),
        Sluice(place.host, "raw tiles, cached whole", {**records, "data.train.map": whole}),
    ]
    entries, ratios = [], []
    for contestant in contestants:
        print(f"memory: {contestant.name}", file=sys.stderr)
        own, resident = contestant.weigh(place.cores, 2)
        entries.append({"name": contestant.name, "unit": "bytes", "measurements": [{"value": own}]})
        with_files = f"{contestant.name}, with files that are mapped"
        entries.append({"name": with_files, "unit": "bytes", "measurements": [{"value": resident}]})
        what = f"{contestant.name}, of data.memory = {allowed / 2**20:.0f} MiB"
        ratios.append(ratio_of(what, [own / allowed], 1, "share", at_most=True))
    title = f"memory: {data / 2**20:.0f} MiB of pixels, two epochs; {load()}"
    return {"title": title, "entries": entries, "ratios": ratios, "skipped": {}}


def training(place):
    """A step may take as long as one on cached noise, plus 70 % of the CPU seconds that its data costs.

    Two processes that do the same differ by as much, so a turn has several of each.
    """
    source = f'"{place.photos}"'
    real = {"data.train.source.folder": source, "data.validation.source.folder": source}
    drained = Sluice(place.host, "drained", {**real, "device.use": "cpu"}, "deblur-photos.toml")

    def drain(count):
        return json.loads(run(drained.command(place.cores, "--epochs", count), place.cores)[0])

    warm(place.photos)
    first = drain(1)
    noise = f'{{ use = "synthetic", images = ["blurred", "sharp"], size = [128, 128], count = {first["samples"]} }}'
    synthetic = {**real, "data.train.source": noise, "data.train.map": '[{ use = "cache" }]'}
    quick = place.arguments.quick
    processes, slices, seconds, epochs = (1, 1, 2.5, 5) if quick else (4, 4, 1.5, 21)
    pairs, costs, waits, ratios = [], [], [], []
    for turn in range(place.arguments.turns):
        print(f"training: {turn + 1} of {place.arguments.turns}", file=sys.stderr)
        once, more = drain(1), drain(epochs)  # photographs are decoded only in the first epoch
        computed = [sum(stage["computed_seconds"] for stage in figures["stages"]) for figures in (once, more)]
        costs.append((computed[1] - computed[0]) / (more["batches"] - once["batches"]))
        for _ in range(processes):
            with Training(place, "synthetic", synthetic) as bare, Training(place, "photos", real) as on_photos:
                made, waited = pairs_of_slices(bare, on_photos, slices, seconds)
            pairs += made
            waits.append(waited)
            ratios.append(statistics.median(step / (on_noise + 0.7 * costs[-1]) for on_noise, step in made))

    def entry(name, values):
        return {"name": name, "unit": "seconds", "measurements": [{"value": value} for value in values]}

    title = f"training: deblur-photos.toml, {len(ratios)} pairs of processes, each {slices} pairs of {seconds:g} s"
    return {
        "title": f"{title}; {load()}",
        "entries": [
            entry("step on photographs", [step for _, step in pairs]),
            entry("step on noise that is there", [on_noise for on_noise, _ in pairs]),
            entry("CPU seconds of its data", costs),
        ],
        "ratios": [
            ratio_of("step of that on noise + 0.7 x CPU seconds", ratios, 1, "share", at_most=True),
            ratio_of("waiting for data", waits, 0.02, "share", at_most=True),
        ],
        "skipped": {},
    }


WORKS = {
    "photos": photos,
    "decode": decode,
    "large": large,
    "tiles": tiles,
    "memory": memory,
    "training": training,
    "tuned": tuned,
}
