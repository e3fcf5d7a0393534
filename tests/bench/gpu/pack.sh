# Part of gpu.sh: packs a folder with all that another machine may lack. Its layout lets the host and the scripts find
# their files.

# True for libraries that are not packed: those that must be the system's own, and NVIDIA's, which come with the CUDA
# toolkit.
is_left() { [[ $1 =~ ^(ld-linux.*|lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s|cu.*|nv.*|nccl.*))\.so ]]; }

most_mebibytes=64 # limit of the packed file, which travels

pack() {
    local folder=$1 name path
    if [ -z "$folder" ] || [ -e "$folder" ]; then
        echo "gpu.sh: pack needs the name of a folder that is not there yet" >&2
        exit 2
    fi
    mkdir -p "$folder"/{lib/sluice/plugins,share/sluice,host,tests,libraries} || exit 2
    strip --strip-unneeded -o "$folder/lib/sluice/host" "$host"
    for path in $(binaries | grep /plugins/); do
        strip --strip-unneeded -o "$folder/lib/sluice/plugins/${path##*/}" "$path"
    done
    cp -rL "$(dirname "$host")/../../share/sluice/pipelines" "$folder/share/sluice"
    cp -r "$here/../../host/pipelines" "$folder/host"
    cp -r "$here" "$folder/tests/bench"
    # ldd does not list libgomp, because the host opens it only when the first kernel runs.
    { binaries | xargs -d '\n' ldd; ldconfig -p | sed -n 's/(.*x86-64.*)//p' | grep -m 1 'libgomp\.so\.1 '; } |
        awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 }' | sort -u -k 1,1 | while read -r name path; do
        is_left "$name" || cp -L "$path" "$folder/libraries/$name"
    done
    tar -C "$(dirname "$folder")" -czf "$folder.tar.gz" "$(basename "$folder")"
    du -sh --apparent-size "$folder" "$folder.tar.gz"
    if [ "$(du -sm --apparent-size "$folder.tar.gz" | cut -f 1)" -gt "$most_mebibytes" ]; then
        echo "gpu.sh: $folder.tar.gz has more than $most_mebibytes MiB; a build for one GPU (CUDAARCHS=90-real) is smaller:" >&2
        find "$folder" -type f -printf '%s %P\n' | sort -rn | head -n 5 >&2
        exit 1
    fi
}
