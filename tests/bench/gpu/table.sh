# Part of gpu.sh: runs commands, and prints and counts the lines of a part's table.

# say RESULT WHAT DETAIL...: prints a line of the table.
say() {
    printf '%-10s %-40s %s\n' "$1" "$2" "${*:3}" | tee -a "$out/$part.txt"
}

counted() { grep -c "^$1 " "$out/$part.txt"; }

# beside COMMAND...: runs the command in parallel with others, at most half as many as there are cores. Only parts that
# measure no time may use it.
beside() {
    [ "$(jobs -rp | wc -l)" -lt "$((($(nproc) + 1) / 2))" ] || wait -n
    "$@" &
}

# Prints the last line and exits.
count() {
    local ok wrong missing
    ok=$(counted ok) wrong=$(counted FAILED) missing=$(counted "not shown")
    if [ $((ok + wrong + missing)) -eq 0 ]; then
        echo "gpu.sh: --only: there is no '$only'" >&2
        exit 2
    fi
    echo "$part: $ok ok, $wrong wrong, $missing not shown" | tee -a "$out/$part.txt"
    [ "$wrong" -eq 0 ] || exit 1
    [ "$missing" -eq 0 ] || exit 3
    exit 0
}

left() { echo $((seconds - SECONDS)); }

# run LOG COMMAND...: runs the command for at most the time that is left, and at most $limit seconds. Its output goes to
# $logs/LOG, and its errors to $logs/LOG.err. Returns 124 if the time is too short.
run() {
    local log=$1 most
    shift
    most=$(left)
    [ -z "${limit:-}" ] || [ "$limit" -ge "$most" ] || most=$limit
    : >"$logs/$log"
    if [ "$most" -lt 5 ]; then
        return 124
    fi
    timeout -k 5 "$most" "$@" >"$logs/$log" 2>"$logs/$log.err"
}

# try LOG WHAT COMMAND...: does the same, and prints a line of the table if the command fails.
try() {
    local log=$1 what=$2 status=0
    shift 2
    run "$log" "$@" || status=$?
    if [ "$status" -eq 124 ]; then
        say "not shown" "$what" "did not end in the time that was left"
    elif [ "$status" -ne 0 ]; then
        say FAILED "$what" "exit $status: $(tail -n 1 "$logs/$log.err")"
    fi
    return "$status"
}

# is_recorded LOG WHAT: true if the host with these logs replayed captured graphs. If a capture fails, the host only
# warns and launches each kernel by itself; this then prints FAILED with that warning.
is_recorded() {
    local reason
    reason=$(grep -h -a -o -m 1 'steps are not captured.*' "$logs/$1.err") || [ ! -f "$logs/$1.err" ] || return 0
    say FAILED "$2" "${reason:-there is no log}"
    return 1
}

figures() { python3 -B "$here/gpu_figures.py" "$@"; }

# verdict WHAT WORDS...: prints the line that `gpu_figures.py WORDS` finds.
verdict() {
    local what=$1 found status=0 errors=$logs/figures-$BASHPID.err
    shift
    found=$(figures "$@" 2>"$errors") || status=$?
    case $status in
        0) say ok "$what" "$found" ;;
        3) say "not shown" "$what" "$found" ;;
        *) say FAILED "$what" "${found:-$(tail -n 1 "$errors")}" ;;
    esac
}

# train NAME PIPELINE STEPS EVERY SETTINGS...: trains in $runs/NAME, logs metrics every EVERY steps and saves at the
# end. Its events are kept with the logs.
train() {
    local name=$1 pipeline=$2 steps=$3 every=$4 status=0 settings=()
    shift 4
    for setting in "$@"; do
        settings+=(--set "$setting")
    done
    rm -rf "${runs:?}/$name"
    try "$name.log" "$name" "$host" train "$pipeline" "${plugins[@]}" --steps "$steps" --run-folder "$runs/$name" \
        --set "observe.use=[{ use = \"metrics\", every_steps = $every }]" "${settings[@]}" || status=$?
    cp "$runs/$name/events.jsonl" "$logs/$name.events.jsonl" 2>/dev/null
    return "$status"
}
