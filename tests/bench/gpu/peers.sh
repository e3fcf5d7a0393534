# The same steps in PyTorch, in turn with ours. Part of gpu.sh.

peers() {
    local name rest rival rivals options=(--pairs 2)
    [ -z "$quick" ] || options=(--pairs 1 --quick)
    while read -r name rest; do
        is_wanted "$name" || continue
        try "$name-peers.json" "$name" python3 -B "$here/compare" --host "$host" --device "$device" --only "$name" \
            --limit 200 --torch-python "$(command -v python3)" --json "${options[@]}" || continue
        rivals=("torch eager" "torch compile")
        [ "$name" != article-8 ] || rivals+=("sluice deterministic")
        for rival in "${rivals[@]}"; do
            verdict "$name: beside $rival" peers "$logs/$name-peers.json" "$rival"
        done
        figures compared "$logs/$name-peers.json" | tee "$logs/$name-peers.txt"
    done < <(works)
}
