# Part of gpu.sh: records a window of training on the GPU, where steps are replayed from graphs, and checks the device's
# clock and its reports of activity, which such windows need.

# Checks one case of the device. A case is not shown if the device does not serve its interface, or if CUPTI is missing.
device_case() {
    local name=$1 status=0
    limit=100 run "$name.json" "$host" check "$device" --case "$name" "${plugins[@]}" --json --quiet || status=$?
    verdict "$name" of_case "$logs/$name.json" "$name" "$status"
}

# Trains with a window, and prints its table of operations, which is also kept as operations.txt.
window() {
    local pipeline=deblur.toml first=20 last=24
    if [ -n "$quick" ]; then
        pipeline=$here/pipelines/tiny.toml first=3 last=5
    fi
    rm -rf "$runs/profiled"
    try profiled.log "window: training" "$host" train "$pipeline" "${plugins[@]}" --steps $((last + 6)) \
        --run-folder "$runs/profiled" --profile "$first-$last" --set "device.use=$device" || return
    is_recorded profiled.log "window: steps are captured" || return
    try operations.txt "window: profile show" "$host" profile show "$runs/profiled" || return
    cp "$logs/operations.txt" "$out/operations.txt"
    cp "$runs"/profiled/profile/*.json "$logs"
    cat "$out/operations.txt"
    if grep -q '^launches of stream' "$out/operations.txt"; then # only CUPTI sees streams of replayed graphs
        say ok "window: steps $first-$last" "$(wc -l <"$out/operations.txt") lines in operations.txt"
    else
        say FAILED "window: steps $first-$last" "operations.txt has no launches of a stream"
    fi
}

profile() {
    local name
    for name in device.time device.time_in_graphs device.activity; do
        ! is_wanted "$name" || device_case "$name"
    done
    ! is_wanted window || window
}
