# Part of gpu.sh: checks that numbers are right, that bits are the same each time, and that no access is invalid.

# Compares the losses of the first steps with those of the CPU.
losses() {
    local name=$1 pipeline=$2 steps=$3
    train "$name-cpu" "$pipeline" "$steps" 1 device.use=cpu || return
    train "$name-$device" "$pipeline" "$steps" 1 "device.use=$device" || return
    verdict "$name: losses as on the CPU" losses "$runs/$name-cpu" "$runs/$name-$device"
}

# Checks that steps are captured, and that they give the bits of steps that are launched kernel by kernel.
recorded() {
    local pipeline=$1 steps=$2 type=$3 settings
    settings=("device.use=$device" "precision.use=$type" deterministic=true)
    train "recorded-$type" "$pipeline" "$steps" 1 "${settings[@]}" device.record=true || return
    is_recorded "recorded-$type.log" "recorded = launched, $type" || return
    train "launched-$type" "$pipeline" "$steps" 1 "${settings[@]}" device.record=false || return
    verdict "recorded = launched, $type" weights "$runs/recorded-$type" "$runs/launched-$type"
}

# Checks every layer, forward and backward, in each type, against the reference.
check() {
    local status=0
    limit=240 run check.json "$host" check "$1" "${plugins[@]}" --json --quiet || status=$?
    verdict "host check $1" check "$logs/check.json" "$kernels" "$status"
    verdict "host check $1: of each layer" unchecked "$logs/check.json" "$kernels" "$status"
}

# sanitize TOOL TYPE PIPELINE [all]: runs two steps, of which the second is captured. Without `all`, the tool checks
# only our own kernels. Kernels are not tuned, because each takes many times as long here. Calls that return an error
# are not reported, because we handle them, and NVIDIA's libraries try some.
sanitize() {
    local tool=$1 type=$2 pipeline=$3 kernels=${4:-} what="$1, $2${4:+, $4 kernels}" log=$1-$2${4:+-$4}.log
    local status=0 sanitizer refusal summary only=()
    [ -n "$kernels" ] || only=(--kernel-name kns=sluice)
    sanitizer=$(command -v compute-sanitizer || command -v /usr/local/cuda/bin/compute-sanitizer) || {
        say "not shown" "$what" "there is no compute-sanitizer"
        return
    }
    limit=200 run "$log" "$sanitizer" --tool "$tool" "${only[@]}" --report-api-errors no --target-processes all \
        --error-exitcode 9 "$host" train "$pipeline" "${plugins[@]}" --steps 2 --run-folder "$runs/$tool-$type$kernels" \
        --set "device.use=$device" --set "precision.use=$type" --set data.batch=2 --set device.measure=false || status=$?
    refusal=$(grep -h -a -i -E '^=+ .*(not supported|before first instrumented|no attachable process|unable to (find|init)|internal sanitizer error)' \
        "$logs/$log" "$logs/$log.err" | head -n 1)
    summary=$(grep -a SUMMARY "$logs/$log" | tail -n 1)
    if [ "$status" -eq 124 ]; then
        say "not shown" "$what" "did not end in the time that was left"
    elif [ -n "$refusal" ]; then # for example in a container that emulates Linux, or at a kernel of cuDNN
        say "not shown" "$what" "compute-sanitizer does not work here: ${refusal#========= }"
    elif [ "$status" -ne 0 ]; then
        say FAILED "$what" "exit $status: ${summary:-$(tail -n 1 "$logs/$log.err")}"
    elif [ -z "$summary" ]; then
        say "not shown" "$what" "compute-sanitizer tells no result"
    elif is_recorded "$log" "$what"; then
        say ok "$what" "${summary#========= }"
    fi
}

# The checks that take longest come first.
correctness() {
    local checked=$kernels small=$here/pipelines/small.toml steps=20 type
    if [ -n "$quick" ]; then
        checked=relu small=$here/pipelines/tiny.toml steps=3
    fi
    ! is_wanted check || beside check "$checked"
    for type in mixed_bfloat16 float32; do
        [ "$type" = mixed_bfloat16 ] || [ -z "$quick" ] || continue
        ! is_wanted memcheck || beside sanitize memcheck "$type" "$small"
        [ -n "$quick" ] || ! is_wanted memcheck || beside sanitize memcheck "$type" "$small" all
        ! is_wanted racecheck || [ -n "$quick" ] || beside sanitize racecheck "$type" "$small"
    done
    ! is_wanted losses || beside losses small "$small" "$steps"
    if is_wanted losses && [ -z "$quick" ]; then
        beside losses article deblur-article.toml "$steps"
        beside losses deblur deblur.toml "$steps"
    fi
    for type in float32 mixed_bfloat16 mixed_float16; do
        ! is_wanted recorded || beside recorded "$small" $((steps / 2 + 1)) "$type"
    done
    wait
}
