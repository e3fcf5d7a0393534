"""Figures of this process that Linux knows, and the times of steps."""

import os
import pathlib
import time


def seconds_since_start():
    """Returns the seconds since the process was started. The kernel counts them in hundredths."""
    fields = pathlib.Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    return time.clock_gettime(time.CLOCK_BOOTTIME) - int(fields[19]) / os.sysconf("SC_CLK_TCK")


def peak_resident_bytes():
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise OSError("/proc/self/status has no VmHWM")


MOST_SECONDS = 60  # some kernels are extremely slow; then fewer steps are enough


def time_steps(step, warm_up, count):
    """Returns the seconds of each of `count` calls, after `warm_up` others. Stops earlier after MOST_SECONDS."""
    begin = time.perf_counter()
    for _ in range(warm_up):
        step()
    seconds = []
    for _ in range(count):
        start = time.perf_counter()
        step()
        seconds.append(time.perf_counter() - start)
        if time.perf_counter() - begin > MOST_SECONDS:
            break
    return seconds


def time_pipelined(step, warm_up, count, clock):
    """Does the same as time_steps for a device that works asynchronously.

    `clock` puts a mark after each step, and only the last one is waited for.
    """
    for _ in range(warm_up):
        step()
    clock.wait()
    marks = [clock.mark()]
    for _ in range(count):
        step()
        marks.append(clock.mark())
    clock.wait()
    return [clock.seconds(first, last) for first, last in zip(marks, marks[1:])]
