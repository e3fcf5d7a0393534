#!/bin/bash
# Checks and measures Sluice on a GPU, in four parts of less than nine minutes each. The machine needs the CUDA toolkit
# and PyTorch.
#
#   OUT=logs tests/bench/gpu.sh --host lib/sluice/host correctness  right numbers, the same bits, no invalid access
#   OUT=logs tests/bench/gpu.sh --host lib/sluice/host bench        steps, TFLOP/s of convolutions, memory, busy share
#   OUT=logs tests/bench/gpu.sh --host lib/sluice/host peers        the same steps in PyTorch, in turn with ours
#   OUT=logs tests/bench/gpu.sh --host lib/sluice/host profile      a recorded window, by CUPTI
#
# It prints a line for each result, which is ok, FAILED or not shown, and then how many there are of each. The folder
# $OUT (default: gpu-logs) gets these lines in PART.txt and the logs in PART-logs.tar.gz. `bench` also writes
# convolutions.txt, and `profile` operations.txt.
#
# Exit codes: 1 if a result FAILED, or else 3 if a result was not shown, or else 0. A result is not shown if time,
# PyTorch or a tool was missing. If it was time, a run with `--only` shows the result.
#
# Number of runs: `correctness` and `profile` need one. `bench` and `peers` measure works in the order article-8,
# article-64, resnet50-128, article-1, article-32. A run of `bench` shows as many works as its time allows, at worst one.
# Then run `bench --only article-64`, and so on. A run of `peers` shows one work, because PyTorch compiles for minutes:
# the first, or that of `--only`.
#
# Each run, even an interrupted one, leaves the tuned engines of cuDNN and the kernels that PyTorch compiled in
# $OUT/caches.tar.gz. `--caches FILE` starts from the file of an earlier run. It may be from another machine with the
# same kind of GPU.
#
# Options:
#
#   --device KIND                device of the pipelines (cuda)
#   --kernels NAME               kernel provider (cudnn)
#   --plugin FOLDER              plugins in addition to those of the host
#   --only A,B                   works of bench and peers; of correctness: check, memcheck, racecheck, losses, recorded;
#                                of profile: device.time, device.time_in_graphs, device.activity, window
#   --libraries FOLDER[:FOLDER]  libraries that the host needs
#   --caches FILE                caches.tar.gz of an earlier run
#   --quick                      a few tiny steps, which need not be fast, to try the script itself
#   --seconds N                  time limit of the part (520)
#
# Another machine may lack the Debian libraries that the host is linked to. On the machine where the host was built,
#
#   tests/bench/gpu.sh --host build/release/lib/sluice/host pack FOLDER
#
# makes a folder with the host, its plugins for one GPU, pipelines, these libraries and this script. It also makes
# FOLDER.tar.gz (about 20 MiB, at most 64). On the other machine `FOLDER/tests/bench/gpu.sh correctness` and so on need
# nothing else but cuDNN 9. The script looks for it in the toolkit and in the packages of python3. It names each missing
# library, and the Debian package that has it.
#
# The results, the parts and the lines that show them. On an H200, all four parts ran in November 2026; of peers only
# article-64 and article-1, without PyTorch's max-autotune.
#
#   every layer and type, forward and backward, against the reference  correctness  host check
#   the losses of 20 steps against those of the CPU                    correctness  small: losses as on the CPU
#   deblur-article.toml trains with the losses of the CPU              correctness  article: losses as on the CPU
#   captured steps give the bits of steps launched kernel by kernel    correctness  recorded = launched
#   compute-sanitizer finds no error in the small pipeline             correctness  memcheck, racecheck
#   TFLOP/s of each convolution and direction                          bench        ...: convolutions; convolutions.txt
#   share of the rate at which PyTorch multiplies matrices             bench        article-8, -64, -1, -32, resnet50
#   the GPU is busy for 98 % of the time; training keeps that pace     bench        article-8: busy, training
#   article in bfloat16, batch 1: 2x eager, 1.2x compile               peers        article-1: beside ...
#   article in bfloat16, batch 64: 1.3x eager, 1.1x compile            peers        article-64: beside ...
#   article in bfloat16, batches 8 and 32, with no wanted figure       peers        article-8, -32: beside ...
#   ResNet-50 in float16, batch 128: as fast as compile                peers        resnet50-128: beside ...
#   peak memory against PyTorch's                                      peers        the same lines
#   the device's clock, and what it reports of its activity            profile      device.time, device.activity
#   a window of deblur.toml and its table of operations                profile      window: ...; operations.txt
#
# `correctness` uses only deterministic kernels. `bench` and `peers` allow any kernel, as PyTorch does. They show
# article-8 in both ways.
set -u -o pipefail

here=$(cd "$(dirname "$0")" && pwd)
host=build/release/lib/sluice/host
[ ! -x "$here/../../lib/sluice/host" ] || host=$here/../../lib/sluice/host
device=cuda
kernels=cudnn
only=
quick=
seconds=520
libraries=
caches=
plugins=()
plugin_folder=
part=
packed=
while [ $# -gt 0 ]; do
    case $1 in
        --host) host=$2; shift ;;
        --device) device=$2; shift ;;
        --kernels) kernels=$2; shift ;;
        --plugin) plugin_folder=$2; plugins=(--plugin "$2"); export SLUICE_PLUGIN_PATH=$2; shift ;;
        --only) only=$2; shift ;;
        --libraries) libraries=$2; shift ;;
        --caches) caches=$2; shift ;;
        --seconds) seconds=$2; shift ;;
        --quick) quick=yes ;;
        correctness | bench | peers | profile) part=$1 ;;
        pack) part=pack; packed=${2:-}; shift ;;
        *) echo "gpu.sh: unknown word '$1'; see the top of the file" >&2; exit 2 ;;
    esac
    shift
done
if [ -z "$part" ] || [ ! -x "$host" ]; then
    echo "gpu.sh: needs correctness, bench, peers, profile or pack, and --host PROGRAM (there is no '$host')" >&2
    exit 2
fi
host=$(readlink -f "$host")
runs=$(mktemp -d)
logs=$runs/logs
trap 'rm -rf "$runs"' EXIT
. "$here/gpu/libraries.sh"
if [ "$part" = pack ]; then
    . "$here/gpu/pack.sh"
    pack "$packed"
    exit
fi
out=${OUT:-gpu-logs}
mkdir -p "$out"
out=$(cd "$out" && pwd)
mkdir "$logs"
trap 'kill $(jobs -p) 2>/dev/null; tar -C "$runs" -czf "$out/$part-logs.tar.gz" logs; keep_caches; rm -rf "$runs"' EXIT
trap 'exit 143' TERM
trap 'exit 130' INT
[ -z "$quick" ] || export AIMS=no # times of --quick mean nothing
. "$here/gpu/caches.sh"
find_caches || exit 2

. "$here/gpu/table.sh"
. "$here/gpu/works.sh"
. "$here/gpu/$part.sh"
find_libraries || exit 2
: >"$out/$part.txt"
"$host" doctor "${plugins[@]}" >"$logs/doctor.txt" 2>&1 || true
if grep "^ok *device $device " "$logs/doctor.txt" | tee -a "$out/$part.txt" | grep .; then
    "$part"
else
    say "not shown" "device $device" "$(grep -o "cannot be used.*" "$logs/doctor.txt" || tail -n 1 "$logs/doctor.txt")"
fi
count
