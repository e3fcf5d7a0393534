"""`host serve` under attack: it answers on, reveals nothing outside its folder, and takes little from a training.

    serve_attacks.py HOST

Prints the CPU time and the memory that each attack costs the server, and the speed of a training beside it.
"""

import http.client
import json
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

SECRET = "a secret outside the folder of runs"
SLOW_CONNECTIONS = 200
IDLE_CONNECTIONS = 600  # more than the server keeps
MOST_SHARE = 0.01  # of a core that readers and slow connections may cost beside a training
MOST_RESIDENT = 300e6  # bytes
PIPELINE = """
version = 1
include = "deblur.toml"
[data]
batch = 4
[data.train]
source = { use = "dead_leaves", count = 64, size = [160, 160] }
map = [
  { use = "motion_blur", from = "sharp", to = "blurred", length = 9, angle = 0 },
  { use = "cache", in = "memory" },
]
[data.validation]
source = { use = "dead_leaves", count = 4, size = [160, 160], split = "validation" }
[train]
epochs = 8
[observe]
use = [{ use = "metrics", every_steps = 1 }, "images"]
"""


class Server:
    def __init__(self, host, *options):
        self.process = subprocess.Popen([host, "serve", "runs", "--port", "0", *options], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        self.port = int(re.search(r":(\d+)/", self.address)[1])

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def send(self, data):
        """Everything that the server answers until it closes or is silent for a second."""
        with self.connect() as connection:
            connection.settimeout(1)
            received = b""
            try:
                connection.sendall(data)
                while part := connection.recv(65536):
                    received += part
            except OSError:  # reset, or silent
                pass
            return received

    def get(self, target, **fields):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.putrequest("GET", target, skip_host="Host" in fields)
        for name, value in fields.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, body, dict(answer.getheaders())

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident(self):
        return int(pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def check(self, attack, began, cpu_before):
        assert self.process.poll() is None, f"{attack}: the server exited with {self.process.returncode}"
        asked = time.monotonic()
        assert self.get("/data/runs")[0] == 200
        waited = time.monotonic() - asked
        assert waited < 5, f"{attack}: the list took {waited:.1f} s"
        assert self.resident() < MOST_RESIDENT, f"{attack}: {self.resident() / 1e6:.0f} MB"
        print(f"{attack}: {time.monotonic() - began:.1f} s, CPU {self.cpu_seconds() - cpu_before:.2f} s, "
              f"resident {self.resident() / 1e6:.0f} MB, the list in {1e3 * waited:.0f} ms", flush=True)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(20) == 0
        self.process.stdout.close()


def paths_outside(server):
    """Each way to name the secret."""
    ups = ("..", "%2e%2e", "..%2f..", "%252e%252e", "..\\..", "....//", "%c0%ae%c0%ae", "..%00")
    names = ("secret", "secret.png", "secret.png%00", "../secret", "..%2fsecret", "%2e%2e%2fsecret")
    targets = [f"/{up}/{up}/secret.png" for up in ups] + ["//secret.png", "/file:///secret.png", "/runs/../secret.png"]
    for up in ups:
        for name in names:
            targets += [f"/picture?run={up}&name={name}", f"/picture?run=a&name={up}/{up}/{name}",
                        f"/data/run?name={up}/{name}", f"/picture?run=link&name={name}", f"/picture?run=a/{up}&name={name}"]
    for target in targets:
        answer = server.send(f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        assert answer.startswith(b"HTTP/1.1 4"), (target, answer[:200])
        assert SECRET.encode() not in answer, target
    print(f"{len(targets)} paths outside are refused")


def links_and_pipes(server):
    """Runs that another user made, whose files are elsewhere or never end."""
    for name in ("linked", "folder-linked", "piped"):
        pathlib.Path("runs", name).mkdir()
    for file in ("resolved.toml", "plan.txt", "environment.json", "log.txt", "events.jsonl", "usage.csv"):
        pathlib.Path("runs/linked", file).symlink_to("../../secret")
        os.mkfifo(pathlib.Path("runs/piped", file))
    os.mkfifo("runs/piped/.lock")
    run = pathlib.Path("runs/folder-linked")
    (run / "samples").symlink_to("../..")
    (run / "profile").symlink_to("../..")
    (run / "events.jsonl").write_text(pathlib.Path("runs/a/events.jsonl").read_text())
    targets = [f"/data/run?name={name}" for name in ("linked", "folder-linked", "piped")]
    targets += ["/data/runs", "/picture?run=folder-linked&name=secret", "/data/compare?run=linked&run=folder-linked"]
    for target in targets:
        status, body, _ = server.get(target)
        assert SECRET.encode() not in body, target
        assert status in (200, 404), (target, status)
    print("links that lead out of a run are not followed, and pipes are not read")


def wrong_hosts(server):
    assert server.get("/", Host="evil.example")[0] == 421
    assert server.get("/data/runs", Host="127.0.0.1.evil.example:80")[0] == 421
    assert server.get("/data/runs", Origin="http://evil.example")[0] == 403
    assert server.get("/data/runs", Origin="null")[0] == 403
    status, _, fields = server.get("/data/runs")
    assert status == 200 and "Access-Control-Allow-Origin" not in fields
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH"):
        answer = server.send(f"{method} / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        assert answer.startswith(b"HTTP/1.1 4"), (method, answer[:100])
    print("requests for other hosts, from other pages and with other methods are refused")


def slow_connections(server, seconds):
    """Connections that send a letter every second. Returns how many the server closed."""
    connections = [server.connect() for _ in range(SLOW_CONNECTIONS)]
    closed = 0
    end = time.monotonic() + seconds
    text = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: " + b"x" * 1000
    for letter in text:
        for connection in connections:
            try:
                connection.send(bytes([letter]))
            except OSError:
                closed += 1
                connection.close()
        connections = [one for one in connections if one.fileno() >= 0]
        if time.monotonic() > end or not connections:
            break
        time.sleep(1)
    for connection in connections:
        connection.close()
    return closed


def idle_connections(server):
    """More connections than the server keeps: a new one takes the place of the oldest."""
    connections = []
    for _ in range(IDLE_CONNECTIONS):
        connections.append(server.connect())
        connections[-1].send(b"GET / HT")
    assert server.get("/")[0] == 200
    for connection in connections:
        connection.close()


def endless_headers(server):
    sent = 0
    with server.connect() as connection:
        try:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
            while sent < 1 << 28:
                sent += connection.send(b"X-More: 1\r\n" * 1000)
        except OSError:
            pass
    assert sent < 1 << 24, f"the server took {sent} bytes of headers"
    return sent


def garbage(server, count, seed=1):
    rng = random.Random(seed)
    words = [b"GET", b" ", b"/", b"HTTP/1.1", b"\r\n", b"\n", b"\0", b"Host: localhost", b"?run=", b"%", b":", b"\xff" * 9,
             b"Content-Length: 99999999999999999999", b"Transfer-Encoding: chunked", b"a" * 5000, b"\r\n\r\n", b"-1"]
    for _ in range(count):
        if rng.random() < 0.5:
            data = b"".join(rng.choice(words) for _ in range(rng.randrange(1, 12)))
        else:
            data = rng.randbytes(rng.randrange(1, 300))
        with server.connect() as connection:
            try:
                connection.sendall(data)
                if rng.random() < 0.2:
                    connection.shutdown(socket.SHUT_WR)
                    connection.settimeout(0.2)
                    connection.recv(4096)
            except OSError:
                pass


def many_requests(server):
    """Thousands of requests at once, whose answers nobody reads."""
    with server.connect() as connection:
        connection.settimeout(2)
        try:
            connection.sendall(b"GET /chart.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20000)
        except OSError:
            pass
        time.sleep(3)


def step_seconds(host, folder):
    """The median time of a step of a new training."""
    subprocess.run([host, "train", "--quiet", "../live.toml", "--run-folder", folder], cwd="runs", check=True)
    events = [json.loads(line) for line in pathlib.Path("runs", folder, "events.jsonl").read_text().splitlines()]
    times = sorted(event["scalars"]["step_seconds"] for event in events if event["kind"] == "step")
    return times[len(times) // 2]


def training_beside(host, server):
    """Trains alternately alone, and while slow connections and readers of a live run's page are there."""
    alone, beside = [], []
    for trial in range(4):
        alone.append(step_seconds(host, f"alone-{trial}"))
        before, began = server.cpu_seconds(), time.monotonic()
        over = threading.Event()

        def read():
            while not over.wait(2):
                server.get(f"/data/run?name=beside-{trial}")
                server.get("/data/runs")

        threads = [threading.Thread(target=read), threading.Thread(target=slow_connections, args=(server, 5))]
        for thread in threads:
            thread.start()
        beside.append(step_seconds(host, f"beside-{trial}"))
        over.set()
        for thread in threads:
            thread.join()
        share = (server.cpu_seconds() - before) / (time.monotonic() - began)
        print(f"a step alone {1e3 * alone[-1]:.2f} ms, beside {1e3 * beside[-1]:.2f} ms; the server took {100 * share:.2f} % of a core", flush=True)
        assert share < MOST_SHARE
    print(f"best of {len(alone)}: {min(beside) / min(alone):.3f} times as long beside readers and {SLOW_CONNECTIONS} slow connections")


def main():
    host = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        for file in ("secret", "secret.png", "secret.toml"):
            pathlib.Path(file).write_text(SECRET)
        pathlib.Path("live.toml").write_text(PIPELINE)
        run = pathlib.Path("runs/a")
        (run / "samples").mkdir(parents=True)
        (run / "resolved.toml").write_text("")
        (run / "samples" / "secret.png").symlink_to("../../../secret.png")
        event = {"kind": "samples", "epoch": 1, "step": 1, "seconds": 1, "scalars": {}}
        names = ("secret", "../../../secret", "/etc/hostname")
        (run / "events.jsonl").write_text("".join(json.dumps({**event, "text": text}, separators=(",", ":")) + "\n" for text in names))
        pathlib.Path("runs/link").symlink_to("..")
        server = Server(host)
        try:
            paths_outside(server)
            wrong_hosts(server)
            links_and_pipes(server)
            attacks = {
                "slow connections": lambda: slow_connections(server, 15),
                "idle connections": lambda: idle_connections(server),
                "endless headers": lambda: [endless_headers(server) for _ in range(20)],
                "garbage": lambda: garbage(server, 1000),
                "unread answers": lambda: many_requests(server),
            }
            for what, attack in attacks.items():
                began, before = time.monotonic(), server.cpu_seconds()
                attack()
                server.check(what, began, before)
            training_beside(host, server)
        finally:
            server.stop()
    print("the server stood all attacks")


if __name__ == "__main__":
    main()
