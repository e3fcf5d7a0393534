# The same steps in PyTorch, in turn with ours. Part of gpu.sh.

# show_work NAME: beside each rival.
show_work() {
    local name=$1 rival rivals=("torch eager" "torch compile") options=(--pairs 2)
    [ -z "$quick" ] || options=(--pairs 1 --quick)
    # The limit is of a measurement. Kernels are tuned and compiled before, for as long as the part has time.
    try "$name-peers.json" "$name" python3 -B "$here/compare" --host "$host" --device "$device" --only "$name" \
        --limit 200 --torch-python "$(command -v python3)" --json "${options[@]}" || return
    [ "$name" != article-8 ] || rivals+=("sluice deterministic")
    for rival in "${rivals[@]}"; do
        verdict "$name: beside $rival" peers "$logs/$name-peers.json" "$rival"
    done
    figures compared "$logs/$name-peers.json" | tee "$logs/$name-peers.txt"
}

# One work, since a cold compilation takes most of the time; --quick takes all.
peers() {
    local name rest shown=
    while read -r name rest; do
        is_wanted "$name" || continue
        if [ -n "$shown" ] && [ -z "$quick" ]; then
            say "not shown" "$name" "a run shows one work; run: peers --only $name --caches $out/caches.tar.gz"
        else
            show_work "$name"
            shown=yes
        fi
    done < <(works)
}
