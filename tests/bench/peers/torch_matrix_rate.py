"""Measures how fast PyTorch multiplies matrices of noise, and prints FLOP/s by type as JSON. On a GPU this is the best
rate of its matrix units.

    torch_matrix_rate.py --device cuda|cpu --size N --types bfloat16,float16
"""

import argparse
import json
import statistics
import sys
import time

try:
    import torch
except ImportError as missing:
    sys.exit(f"{missing} (Debian: python3-torch)")

WARM_UP = 3
PRODUCTS = 10  # in a row, so that the cost of a wait hardly counts
TURNS = 5


def rate_of(dtype, device, size):
    a, b = (torch.rand(size, size, device=device).sub_(0.5).to(dtype) for _ in range(2))
    wait = torch.cuda.synchronize if device == "cuda" else lambda: None
    for _ in range(WARM_UP):
        torch.mm(a, b)
    seconds = []
    for _ in range(TURNS):
        wait()
        start = time.perf_counter()
        for _ in range(PRODUCTS):
            torch.mm(a, b)
        wait()
        seconds.append((time.perf_counter() - start) / PRODUCTS)
    return 2 * size**3 / statistics.median(seconds)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda")
    parser.add_argument("--size", type=int, default=8192)
    parser.add_argument("--types", default="bfloat16,float16")
    arguments = parser.parse_args()
    if arguments.device == "cuda" and not torch.cuda.is_available():
        sys.exit("torch.cuda.is_available() is false")
    names = arguments.types.split(",")
    print(json.dumps({name: rate_of(getattr(torch, name), arguments.device, arguments.size) for name in names}))


main()
