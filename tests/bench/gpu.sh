#!/bin/bash
# What a GPU has to show, in three parts of less than nine minutes each, on a machine with the CUDA toolkit and PyTorch:
#
#   OUT=logs tests/bench/gpu.sh --host lib/sluice/host correctness    right numbers, the same bits, no bad access
#   OUT=logs tests/bench/gpu.sh --host lib/sluice/host bench          steps, TFLOP/s of each convolution, memory, busy share
#   OUT=logs tests/bench/gpu.sh --host lib/sluice/host peers          the same steps in PyTorch, in turn with ours
#
# Prints a line for each result, which is ok, FAILED or not shown, and how many of each. $OUT (default: gpu-logs) gets these
# lines in PART.txt, the logs in PART-logs.tar.gz and, of bench, convolutions.txt. Ends with 1 where something FAILED, else
# with 3 where something was not shown, for want of time (`--only` shows it), of PyTorch or of a tool, else with 0.
#
# How many runs that takes: correctness one. Works are shown in the order article-8, article-64, resnet50-128, article-1,
# article-32. bench shows as many as the time allows, at worst one a run (`bench --only article-8`, and so on). peers
# shows one work a run, since PyTorch compiles for minutes: the first, or that of `--only`.
#
# Each run, also one that is cut, leaves in $OUT/caches.tar.gz the tuned engines of cuDNN and the kernels that PyTorch
# compiled. `--caches FILE` goes on from that of an earlier run, also on another machine with the same kind of GPU.
#
# Options: --device KIND (cuda), --kernels NAME (cudnn), --plugin FOLDER of plugins beside those of the host, --only A,B of
# the bench's and peers' works, or of correctness' check, memcheck, racecheck, losses and recorded, --libraries
# FOLDER[:FOLDER] of what the host needs, --caches FILE of an earlier run,
# --quick (a few tiny steps, which need not be fast: to try the script itself), --seconds N (of the part, 520).
#
# A bare machine lacks the libraries of Debian that the host is linked to. Where it was built,
#
#   tests/bench/gpu.sh --host build/release/lib/sluice/host pack FOLDER
#
# makes a folder with the host, its plugins for one GPU, pipelines, these libraries and this script (at most 64 MiB), and
# FOLDER.tar.gz of it (some 20 MiB). On the other machine `FOLDER/tests/bench/gpu.sh correctness` and so on need nothing
# else but cuDNN 9, which is looked for in the toolkit and in the packages of python3. What is missing is named, and the
# Debian package that has it.
#
# What it shows (on an H200 in November 2026: correctness and bench, peers not yet):
#
#   every layer, forward and backward, in each type, beside the reference    correctness  host check
#   the losses of 20 steps beside those of the CPU                           correctness  small: losses as on the CPU
#   deblur-article.toml trains with the losses of the CPU                    correctness  article: losses as on the CPU
#   recorded steps leave the bits of steps launched kernel by kernel         correctness  recorded = launched
#   compute-sanitizer is clean on the small pipeline                         correctness  memcheck, racecheck
#   TFLOP/s of each convolution and direction                                bench        ...: convolutions; convolutions.txt
#   share of the rate at which PyTorch multiplies matrices                   bench        article-8, -64, -1, -32, resnet50
#   the GPU is busy for 98 % of the time; training keeps that pace           bench        article-8: busy, training
#   article in bfloat16: 2x eager, 1.2x compile at batch 1; 1.3x, 1.1x at 64 peers        article-1, -8, -32, -64: beside ...
#   ResNet-50 in float16 at batch 128: as fast as compile                    peers        resnet50-128: beside torch compile
#   peak memory beside PyTorch's                                             peers        the same lines
#
# `correctness` keeps to kernels that always leave the same bits. `bench` and `peers` let any kernel be taken, as PyTorch
# does, and show article-8 both ways.
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
        correctness | bench | peers) part=$1 ;;
        pack) part=pack; packed=${2:-}; shift ;;
        *) echo "gpu.sh: unknown word '$1'; see the top of the file" >&2; exit 2 ;;
    esac
    shift
done
if [ -z "$part" ] || [ ! -x "$host" ]; then
    echo "gpu.sh: needs correctness, bench, peers or pack, and --host PROGRAM (there is no '$host')" >&2
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
[ -z "$quick" ] || export AIMS=no # its figures stand for nothing
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
