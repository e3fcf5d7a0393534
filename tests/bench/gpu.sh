#!/bin/bash
# What a GPU has to show, in three parts of less than nine minutes each, on a machine with the CUDA toolkit and PyTorch:
#
#   OUT=logs tests/bench/gpu.sh --host lib/sluice/host correctness    right numbers, the same bits, no bad access
#   OUT=logs tests/bench/gpu.sh --host lib/sluice/host bench          steps, TFLOP/s of each convolution, memory, busy share
#   OUT=logs tests/bench/gpu.sh --host lib/sluice/host peers          the same steps in PyTorch, in turn with ours
#
# Prints a line for each result; $OUT (default: gpu-logs) gets the logs. Options: --device KIND (cuda), --kernels NAME
# (cudnn), --plugin FOLDER of plugins beside those of the host, --only A,B of the bench's and peers' works, --quick
# (a few tiny steps: to try the script itself), --seconds N (of the part, 520). Ends with 1 where a result is wrong.
set -u -o pipefail

here=$(cd "$(dirname "$0")" && pwd)
host=build/release/lib/sluice/host
device=cuda
kernels=cudnn
only=
quick=
seconds=520
plugins=()
part=
while [ $# -gt 0 ]; do
    case $1 in
        --host) host=$2; shift ;;
        --device) device=$2; shift ;;
        --kernels) kernels=$2; shift ;;
        --plugin) plugins=(--plugin "$2"); export SLUICE_PLUGIN_PATH=$2; shift ;;
        --only) only=$2; shift ;;
        --seconds) seconds=$2; shift ;;
        --quick) quick=yes ;;
        correctness | bench | peers) part=$1 ;;
        *) echo "gpu.sh: unknown word '$1'; see the top of the file" >&2; exit 2 ;;
    esac
    shift
done
if [ -z "$part" ] || [ ! -x "$host" ]; then
    echo "gpu.sh: needs correctness, bench or peers, and --host PROGRAM (there is no '$host')" >&2
    exit 2
fi
out=${OUT:-gpu-logs}
mkdir -p "$out"
out=$(cd "$out" && pwd)
runs=$(mktemp -d)
export SLUICE_CACHE=${SLUICE_CACHE:-$runs/cache}
trap 'rm -rf "$runs"' EXIT
wrong=0

# say RESULT WHAT DETAIL...: a line of the table.
say() {
    printf '%-8s %-34s %s\n' "$1" "$2" "${*:3}" | tee -a "$out/$part.txt"
    [ "$1" != FAILED ] || wrong=1
}

left() { echo $((seconds - SECONDS)); }

# try LOG WHAT COMMAND...: runs it within the time that is left, with its output in $out/LOG and its errors in
# $out/LOG.err. Says what went wrong.
try() {
    local log=$1 what=$2 status=0
    shift 2
    if [ "$(left)" -lt 5 ]; then
        say skipped "$what" "no time is left"
        return 1
    fi
    timeout -k 5 "$(left)" "$@" >"$out/$log" 2>"$out/$log.err" || status=$?
    if [ "$status" -eq 124 ]; then
        say skipped "$what" "did not end in the time that was left"
    elif [ "$status" -ne 0 ]; then
        say FAILED "$what" "exit $status: $(tail -n 1 "$out/$log.err")"
    fi
    return "$status"
}

figures() { python3 -B "$here/gpu_figures.py" "$@"; }

# train NAME PIPELINE STEPS SETTINGS...: a run in $runs/NAME that tells each step and saves at its end.
train() {
    local name=$1 pipeline=$2 steps=$3 settings=()
    shift 3
    for setting in "$@"; do
        settings+=(--set "$setting")
    done
    rm -rf "${runs:?}/$name"
    try "$name.log" "$name" "$host" train "$pipeline" "${plugins[@]}" --steps "$steps" --run-folder "$runs/$name" \
        --set 'observe.use=[{ use = "metrics", every_steps = 1 }]' "${settings[@]}"
}

# The losses of the first steps beside those of the CPU.
losses() {
    local name=$1 pipeline=$2 steps=$3
    train "$name-cpu" "$pipeline" "$steps" device.use=cpu || return
    train "$name-$device" "$pipeline" "$steps" "device.use=$device" || return
    verdict "$name: losses as on the CPU" losses "$runs/$name-cpu" "$runs/$name-$device"
}

# verdict WHAT WORDS...: what gpu_figures.py finds; it ends with 1 where that is wrong.
verdict() {
    local what=$1 found
    shift
    if found=$(figures "$@" 2>&1); then
        say ok "$what" "$found"
    else
        say FAILED "$what" "$found"
    fi
}

# Recorded steps leave the bits of steps that are launched one by one, in every type.
recorded() {
    local pipeline=$1 steps=$2 type=$3
    train "recorded-$type" "$pipeline" "$steps" "device.use=$device" "precision.use=$type" device.record=true || return
    train "launched-$type" "$pipeline" "$steps" "device.use=$device" "precision.use=$type" device.record=false || return
    verdict "recorded = launched, $type" weights "$runs/recorded-$type" "$runs/launched-$type"
}

sanitize() {
    local tool=$1 pipeline=$2 sanitizer
    sanitizer=$(command -v compute-sanitizer || command -v /usr/local/cuda/bin/compute-sanitizer) || {
        say skipped "compute-sanitizer $tool" "there is no compute-sanitizer"
        return
    }
    try "$tool.log" "compute-sanitizer $tool" "$sanitizer" --tool "$tool" --error-exitcode 9 "$host" train "$pipeline" \
        "${plugins[@]}" --steps 2 --run-folder "$runs/$tool" --set "device.use=$device" --set data.batch=2 &&
        say ok "compute-sanitizer $tool" "$(tail -n 1 "$out/$tool.log")"
}

correctness() {
    local checked=$kernels small=$here/pipelines/small.toml steps=20
    if [ -n "$quick" ]; then
        checked=relu small=$here/pipelines/tiny.toml steps=3
    fi
    try check.json "host check $checked" "$host" check "$checked" "${plugins[@]}" --json --quiet
    verdict "host check $checked" check "$out/check.json" "$kernels"
    recorded "$small" $((steps / 2 + 1)) float32
    if [ -z "$quick" ]; then
        recorded "$small" 10 mixed_bfloat16
        recorded "$small" 10 mixed_float16
    fi
    losses small "$small" "$steps"
    if [ -z "$quick" ]; then
        losses deblur deblur.toml "$steps"
        losses article "$here/pipelines/article.toml" "$steps"
        sanitize memcheck "$small"
        sanitize racecheck "$small"
    fi
}

# name pipeline batch precision of each work
works() {
    if [ -n "$quick" ]; then
        echo "tiny-1 tiny 1 float32"
        return
    fi
    printf '%s\n' "article-1 article 1 mixed_bfloat16" "article-64 article 64 mixed_bfloat16" \
        "resnet50-128 resnet50 128 mixed_float16" "article-8 article 8 mixed_bfloat16" \
        "article-32 article 32 mixed_bfloat16"
}

is_wanted() { [ -z "$only" ] || [[ ,$only, == *,$1,* ]]; }

# The share of the time in which any kernel ran, as the driver counts it, while steps run on data that cost nothing.
busy() {
    local name=$1 pipeline=$2 batch=$3 precision=$4 sampler steps=400
    [ -z "$quick" ] || steps=4
    command -v nvidia-smi >/dev/null || {
        say skipped "$name: busy share" "there is no nvidia-smi"
        return
    }
    nvidia-smi --query-gpu=utilization.gpu,power.draw,clocks.sm,temperature.gpu,memory.used \
        --format=csv,noheader,nounits -lms 200 >"$out/$name-smi.csv" &
    sampler=$!
    train "$name-busy" "$pipeline" "$steps" "device.use=$device" "precision.use=$precision" "data.batch=$batch" &&
        verdict "$name: busy share" busy "$out/$name-smi.csv"
    kill "$sampler"
    wait "$sampler" 2>/dev/null
}

bench() {
    local name pipeline batch precision few=()
    [ -z "$quick" ] || few=(--steps 2)
    while read -r name pipeline batch precision; do
        is_wanted "$name" || continue
        try "$name.json" "$name" "$host" bench "$here/pipelines/$pipeline.toml" "${plugins[@]}" --json --quiet \
            --batch "$batch" "${few[@]}" --set "device.use=$device" --set "precision.use=$precision" || continue
        verdict "$name" bench "$out/$name.json"
        figures convolutions "$out/$name.json" >"$out/$name-convolutions.txt"
        [ "$name" != article-8 ] || busy "$name" "$here/pipelines/$pipeline.toml" "$batch" "$precision"
    done < <(works)
    say logs "TFLOP/s of each convolution" "$out/*-convolutions.txt"
}

peers() {
    local names=() name rest options=(--pairs 2)
    [ -z "$quick" ] || options=(--pairs 1 --quick)
    export TORCHINDUCTOR_CACHE_DIR=${TORCHINDUCTOR_CACHE_DIR:-$runs/inductor}
    while read -r name rest; do
        ! is_wanted "$name" || names+=("$name")
    done < <(works)
    for name in "${names[@]}"; do
        try "$name-peers.txt" "$name" python3 -B "$here/compare" --host "$host" --device "$device" --only "$name" \
            --limit 200 --torch-python "$(command -v python3)" "${options[@]}" || continue
        sed -n '/steps in each/,$p' "$out/$name-peers.txt" | tee -a "$out/$part.txt"
    done
}

: >"$out/$part.txt"
"$host" doctor "${plugins[@]}" >"$out/doctor.txt" 2>&1 || true
grep "device $device" "$out/doctor.txt" | tee -a "$out/$part.txt"
case $part in
    correctness) correctness ;;
    bench) bench ;;
    peers) peers ;;
esac
exit $wrong
