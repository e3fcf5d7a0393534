"""Measures how many samples of photographs PyTorch's DataLoader makes in a second with torchvision, and prints JSON. It
decodes a photograph, cuts out a random square, mirrors it at random and keeps it as uint8.

    torch_loader_input.py FOLDER --setting DECODER,WORKERS --batch N --side N --threads N --seconds S
"""

import itertools
import sys

try:
    import PIL.Image
    import torch
    import torchvision
    from torchvision import io, transforms
    from torchvision.transforms import functional
except ImportError as missing:
    sys.exit(f"{missing} (PyPI: torch, torchvision)")

from input_arguments import count_batches, read_arguments

SETTINGS = [f"{decoder},{workers}" for decoder in ("decode_jpeg", "pil") for workers in range(5)]
EPOCHS = 1000  # in one pass of the loader, so that ends of epochs cost nothing


class Photos(torch.utils.data.Dataset):
    def __init__(self, files, side, uses_pil):
        self.files = files
        self.uses_pil = uses_pil
        self.change = transforms.Compose([transforms.RandomCrop(side), transforms.RandomHorizontalFlip()])

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        if self.uses_pil:
            with PIL.Image.open(self.files[index]) as file:
                return functional.pil_to_tensor(self.change(file.convert("RGB")))
        return self.change(io.decode_jpeg(io.read_file(self.files[index]), io.ImageReadMode.RGB))


def main():
    arguments = read_arguments(SETTINGS)
    decoder, workers = arguments.setting.split(",")
    torch.set_num_threads(arguments.threads)
    photos = Photos(arguments.files, arguments.side, decoder == "pil")
    options = {"persistent_workers": True, "prefetch_factor": 4} if int(workers) > 0 else {}
    loader = torch.utils.data.DataLoader(
        photos,
        batch_size=arguments.batch,
        sampler=torch.utils.data.RandomSampler(photos, num_samples=EPOCHS * len(photos)),
        num_workers=int(workers),
        drop_last=True,
        **options,
    )
    version = f"PyTorch {torch.__version__}, torchvision {torchvision.__version__}"
    count_batches(itertools.chain.from_iterable(itertools.repeat(loader)), arguments, version)


main()
