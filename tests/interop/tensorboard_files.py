"""TensorBoard reads the files of the observer `tensorboard`: the figures, pictures and texts are those of the run.

    tensorboard_files.py HOST

Exit code 77: a package that this needs is missing.
"""

import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

try:
    import numpy
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
except ImportError as missing:
    print(f"skipped: {missing} (PyPI: tensorboard)")
    sys.exit(77)

import boards_run
import host_run

SECONDS_TO_START = 120


def check_files(run):
    """Reads the files with TensorBoard's own reader."""
    everything = dict.fromkeys(("scalars", "images", "tensors"), 0)
    reader = EventAccumulator(str(run / "tensorboard"), size_guidance=everything).Reload()
    tags = reader.Tags()
    expected = boards_run.curves(run)
    usage = {tag for tag in tags["scalars"] if tag.startswith("usage/")}
    assert set(tags["scalars"]) - usage == set(expected), f"the curves are {tags['scalars']}"
    for name, points in expected.items():
        events = reader.Scalars(name)
        steps = [event.step for event in events]
        assert len(steps) == len(set(steps)), f"{name}: a step is there twice: {steps}"
        boards_run.check_close(name, {event.step: event.value for event in events}, points)
    for name in usage:
        assert name.removeprefix("usage/") in boards_run.usage(run)[0], f"usage.csv has no column for {name}"
    sheets = sorted((run / "samples").glob("*.png"))
    pictures = [image.encoded_image_string for image in reader.Images("samples/evaluation")]
    assert len(pictures) == len(sheets), f"{len(pictures)} pictures, but {len(sheets)} sheets"
    assert pictures == [sheet.read_bytes() for sheet in sheets], "the pictures are not those of the observer `images`"
    assert reader.Images("samples/batch_0")[-1].encoded_image_string == (run / "batch_0.png").read_bytes()
    text = reader.Tensors("pipeline")[-1].tensor_proto.string_val[0].decode()
    assert text == f"````toml\n{(run / 'resolved.toml').read_text()}````\n", "the text is not resolved.toml"
    assert (run / "plan.txt").read_text() in reader.Tensors("plan")[-1].tensor_proto.string_val[0].decode()
    check_histograms(run, reader)


def check_histograms(run, reader):
    weights = host_run.read_checkpoint(run, boards_run.STEPS)
    names = [tag.removeprefix("weights/") for tag in reader.Tags()["tensors"] if tag.startswith("weights/")]
    assert names, "there are no histograms"
    for name in names:
        found = [key for key in weights if key == name or key.endswith("/" + name)]
        assert found, f"the checkpoint has no {name}: {list(weights)[:3]}"
        event = reader.Tensors("weights/" + name)[-1]
        buckets = numpy.frombuffer(event.tensor_proto.tensor_content, "<f8").reshape(-1, 3)
        assert buckets[:, 2].sum() == weights[found[0]].size, f"{name}: {buckets[:, 2].sum()} elements"
        assert f"gradients/{name}" in reader.Tags()["tensors"], f"there is no histogram of the gradient of {name}"


class Server:
    """`tensorboard`, which answers as it does to a browser."""

    def __init__(self, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}/data/plugin/"
        command = [sys.executable, "-m", "tensorboard.main", "--logdir", folder]
        command += ["--host", "127.0.0.1", "--port", str(port)]
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def get(self, path, query=None, body=None):
        url = self.address + path + ("?" + urllib.parse.urlencode(query) if query else "")
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(url, data, {"Content-Type": "application/json"} if data else {})
        with urllib.request.urlopen(request, timeout=30) as reply:
            return reply.read()

    def wait_for(self, tag):
        end = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < end:
            try:
                runs = json.loads(self.get("scalars/tags"))
                if any(tag in tags for tags in runs.values()):
                    return next(run for run, tags in runs.items() if tag in tags)
            except (urllib.error.URLError, ConnectionError):
                pass
            time.sleep(0.5)
        raise AssertionError(f"TensorBoard shows no {tag} within {SECONDS_TO_START} s")


def check_pages(run):
    """Reads the same over HTTP, where TensorBoard's faster reader is at work."""
    with Server(run) as server:
        name = server.wait_for("evaluation/psnr")
        for tag, expected in boards_run.curves(run).items():
            points = json.loads(server.get("scalars/scalars", {"run": name, "tag": tag}))
            boards_run.check_close(tag, {step: float(value) for _, step, value in points}, expected)
        images = json.loads(server.get("images/images", {"run": name, "tag": "samples/evaluation", "sample": 0}))
        picture = server.get("images/individualImage?" + images[-1]["query"])
        assert picture == sorted((run / "samples").glob("*.png"))[-1].read_bytes(), "another picture"
        text = json.loads(server.get("text/text", {"run": name, "tag": "pipeline"}))[-1]["text"]
        assert "deblur" in text and "<code" in text, f"the text is {text[:200]}"
        histograms = json.loads(server.get("histograms/tags"))
        assert any(tag.startswith("weights/") for tag in histograms[name]), "there are no histograms"
        states = ["STATUS_UNKNOWN", "STATUS_SUCCESS", "STATUS_FAILURE", "STATUS_RUNNING"]
        body = {"experimentName": "", "allowedStatuses": states, "colParams": [], "startIndex": 0, "sliceSize": 9}
        (group,) = json.loads(server.get("hparams/session_groups", body=body))["sessionGroups"]
        assert group["hparams"]["data.batch"] == 2 and group["hparams"]["optimizer.use"] == "adam", group["hparams"]
        assert [session["status"] for session in group["sessions"]] == ["STATUS_SUCCESS"], group["sessions"]


def main():
    host = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        run = boards_run.train(host, pathlib.Path(name))
        check_files(run)
        check_pages(run)
    print("the same figures, pictures and texts")


main()
