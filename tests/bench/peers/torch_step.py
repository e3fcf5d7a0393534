"""Times training steps of a network in PyTorch, on one batch of noise in memory. Prints JSON.

    torch_step.py MODEL --batch N --steps N --threads N --layout contiguous|channels_last
                  --precision float32|bfloat16|float16 --device cpu|cuda --compile MODE

In 16 bits autocast is used: weights stay float32, and the loss is computed in float32. In float16 the loss is scaled.
On a GPU cuDNN measures its algorithms, and the optimizer is one launch. --compile uses torch.compile in that mode. Both
modes capture steps as graphs; "max-autotune" also measures Triton's kernels for many minutes.
"""

import json
import sys

try:
    import torch

    import torch_models
except ImportError as missing:
    sys.exit(f"{missing} (Debian: python3-torch)")

from process_figures import peak_resident_bytes, seconds_since_start, time_pipelined, time_steps
from step_arguments import make_parser


class GpuClock:
    """Puts marks on the stream that gets all work, and measures the time between them."""

    def mark(self):
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def seconds(self, first, last):
        return 1e-3 * first.elapsed_time(last)

    def wait(self):
        torch.cuda.synchronize()


class Training:
    def __init__(self, arguments):
        layout = torch.channels_last if arguments.layout == "channels_last" else torch.contiguous_format
        self.arguments = arguments
        model, input_shape, target_shape, self.loss_function, make_optimizer = torch_models.MODELS[arguments.model]()
        self.model = model.to(arguments.device, memory_format=layout).train()
        self.parameters = sum(parameter.numel() for parameter in self.model.parameters())
        self.optimizer = make_optimizer(list(self.model.parameters()))
        self.scaler = self.make_scaler()
        self.x = torch.rand(arguments.batch, *input_shape).to(arguments.device, memory_format=layout)
        if target_shape:
            self.target = torch.rand(arguments.batch, *target_shape).to(arguments.device, memory_format=layout)
        else:
            self.target = torch.randint(1000, (arguments.batch,)).to(arguments.device)
        if arguments.compile:
            self.model = torch.compile(self.model, mode=arguments.compile)

    def make_scaler(self):
        """Returns the loss scaler that float16 needs on a GPU; None: none is needed."""
        if self.arguments.precision != "float16" or self.arguments.device != "cuda":
            return None
        return torch.amp.GradScaler("cuda") if hasattr(torch.amp, "GradScaler") else torch.cuda.amp.GradScaler()

    def step(self):
        arguments = self.arguments
        dtype = torch.float16 if arguments.precision == "float16" else torch.bfloat16
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast(arguments.device, dtype, enabled=arguments.precision != "float32"):
            y = self.model(self.x)
        loss = self.loss_function(y.float(), self.target)
        if self.scaler:
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()
        else:
            loss.backward()
            self.optimizer.step()


def read_arguments():
    parser = make_parser(torch_models.MODELS)
    parser.add_argument("--layout", choices=["contiguous", "channels_last"], default="contiguous")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--compile", choices=["reduce-overhead", "max-autotune"], help="the mode of torch.compile")
    return parser.parse_args()


def main():
    arguments = read_arguments()
    if arguments.device == "cuda" and not torch.cuda.is_available():
        sys.exit("torch.cuda.is_available() is false")
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(7)
    torch.backends.cudnn.benchmark = True
    training = Training(arguments)
    start_up = seconds_since_start()
    if arguments.device == "cuda":
        seconds = time_pipelined(training.step, arguments.warm_up, arguments.steps, GpuClock())
    else:
        seconds = time_steps(training.step, arguments.warm_up, arguments.steps)
    figures = {
        "version": "PyTorch " + torch.__version__,
        "parameters": training.parameters,
        "seconds": seconds,
        "start_up_seconds": start_up,
        "resident_peak": peak_resident_bytes(),
    }
    if arguments.device == "cuda":
        figures["device_peak"] = torch.cuda.max_memory_reserved()
        figures["device"] = torch.cuda.get_device_name()
    print(json.dumps(figures))


main()
