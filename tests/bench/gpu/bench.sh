# Part of gpu.sh: measures steps, TFLOP/s of each convolution, memory and the busy share.

# measure NAME PIPELINE BATCH PRECISION DETERMINISTIC
measure() {
    local name=$1 pipeline=$2 batch=$3 precision=$4 deterministic=$5 few=()
    [ -z "$quick" ] || few=(--steps 2)
    try "$name.json" "$name" "$host" bench "$here/pipelines/$pipeline.toml" "${plugins[@]}" --json --quiet \
        --batch "$batch" "${few[@]}" --set "device.use=$device" --set "precision.use=$precision" \
        --set "deterministic=$deterministic" || return
    is_recorded "$name.json" "$name: recorded" || return
    verdict "$name" bench "$logs/$name.json" "$logs/matrix-rate.json" "$precision"
    verdict "$name: convolutions" convolutions "$logs/$name.json" "$out/convolutions.txt"
}

# Checks that training on data that costs next to nothing is as fast as steps on a batch in memory.
keeps_pace() {
    local name=$1 pipeline=$2 batch=$3 precision=$4 steps=400
    [ -z "$quick" ] || steps=8
    train "$name-training" "$pipeline" "$steps" $((steps / 40 + 1)) "device.use=$device" "precision.use=$precision" \
        "data.batch=$batch" deterministic=false &&
        verdict "$name: training" pace "$runs/$name-training" "$logs/$name.json"
}

matrix_rate() {
    local sizes=() what="PyTorch's products of matrices"
    [ -z "$quick" ] || sizes=(--device cpu --size 64 --types bfloat16)
    if limit=60 run matrix-rate.json python3 -B "$here/peers/torch_matrix_rate.py" "${sizes[@]}"; then
        verdict "$what" rates "$logs/matrix-rate.json"
    else
        say "not shown" "$what" "$(tail -n 1 "$logs/matrix-rate.json.err")"
    fi
}

bench() {
    local name pipeline batch precision
    : >"$out/convolutions.txt"
    matrix_rate
    while read -r name pipeline batch precision; do
        is_wanted "$name" || continue
        measure "$name" "$pipeline" "$batch" "$precision" false || continue
        if is_model "$name"; then
            verdict "$name: busy" busy "$logs/$name.json"
            keeps_pace "$name" "$here/pipelines/$pipeline.toml" "$batch" "$precision"
            measure "$name-deterministic" "$pipeline" "$batch" "$precision" true
        fi
    done < <(works)
}
