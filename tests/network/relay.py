#!/usr/bin/env python3
"""Joins two network namespaces by a wire with latency: each packet arrives DELAY seconds after it was sent.

usage: relay.py NAMESPACE_A NAMESPACE_B DELAY   (10.99.0.1 and 10.99.0.2; prints "ready" as soon as both can be used)
"""

import collections
import ctypes
import fcntl
import os
import select
import struct
import subprocess
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI = 0x0001, 0x1000
CLONE_NEWNET = 0x40000000
MTU = 9000
DEVICE = b"wire"


def open_end(namespace):
    """Opens a TUN device in the namespace, from which packets routed to it are read."""
    with open("/proc/self/ns/net") as own, open(f"/var/run/netns/{namespace}") as other:
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.setns(other.fileno(), CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), f"cannot enter network namespace {namespace}")
        end = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(end, TUNSETIFF, struct.pack("16sH", DEVICE, IFF_TUN | IFF_NO_PI))
        libc.setns(own.fileno(), CLONE_NEWNET)
    return end


def main():
    names, delay = sys.argv[1:3], float(sys.argv[3])
    ends = [open_end(name) for name in names]
    for number, name in enumerate(names, 1):
        for words in (f"addr add 10.99.0.{number}/24 dev wire", f"link set wire mtu {MTU} up", "link set lo up"):
            subprocess.run(["ip", "-n", name, *words.split()], check=True)
    print("ready", flush=True)
    underway = [collections.deque(), collections.deque()]  # towards each end: (time when it is due, packet)
    while True:
        due = min((queue[0][0] for queue in underway if queue), default=None)
        wait = None if due is None else max(0.0, due - time.monotonic())
        readable, _, _ = select.select(ends, [], [], wait)
        now = time.monotonic()
        for end in readable:
            other = 1 - ends.index(end)
            try:
                while True:
                    underway[other].append((now + delay, os.read(end, MTU + 64)))
            except BlockingIOError:
                pass
        for end, queue in zip(ends, underway):
            while queue and queue[0][0] <= time.monotonic():
                try:
                    os.write(end, queue.popleft()[1])
                except BlockingIOError:
                    pass  # a full queue drops packets, as a network does


if __name__ == "__main__":
    main()
