# Part of gpu.sh: measures the same steps in PyTorch, in turn with ours.

# beside_rivals WORK RIVAL...: runs `compare` once.
beside_rivals() {
    local name=$1 file rival options=(--pairs 2)
    shift
    file=$name-${1// /-}
    [ -z "$quick" ] || options=(--pairs 1 --quick)
    # --limit is for one measurement. Tuning and compiling come before it, and may use all time that is left to the
    # part.
    try "$file.json" "$name: beside $1" python3 -B "$here/compare" --host "$host" --device "$device" --only "$name" \
        --limit 200 --torch-python "$(command -v python3)" --rivals "$(IFS=, && echo "$*")" --json "${options[@]}" || return
    [ "$name" != article-8 ] || [ "$1" != "torch eager" ] || set -- "$@" "sluice deterministic"
    for rival in "$@"; do
        verdict "$name: beside $rival" peers "$logs/$file.json" "$rival"
    done
    figures compared "$logs/$file.json" | tee -a "$logs/$name-peers.txt"
}

# The longest compilation comes last: max-autotune takes many minutes.
show_work() {
    if [ -n "$quick" ]; then
        beside_rivals "$1" "torch eager" "torch compile" "torch autotune"
        return
    fi
    beside_rivals "$1" "torch eager"
    beside_rivals "$1" "torch compile"
    beside_rivals "$1" "torch autotune"
}

# Shows one work, because compiling without caches takes most of the time. --quick shows all works.
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
