"""The command line that torch_step.py and tensorflow_step.py share."""

import argparse


def make_parser(models):
    parser = argparse.ArgumentParser()
    parser.add_argument("model", choices=models)
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--warm-up", type=int, default=2)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--precision", choices=["float32", "bfloat16", "float16"], default="float32")
    return parser
