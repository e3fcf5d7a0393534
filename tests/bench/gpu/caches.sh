# What is tuned and compiled once for a kind of GPU, and taken from run to run. Part of gpu.sh.

# PyTorch's caches name files by their path: the folder is the same in each run. That of --quick is thrown away.
cache_folder=${XDG_CACHE_HOME:-$HOME/.cache}/sluice/gpu.sh
[ -z "$quick" ] || cache_folder=$runs/caches

# Begins with those of --caches. What the folder has already is newer.
find_caches() {
    mkdir -p "$cache_folder"/{sluice,inductor,triton,cuda} || return
    export SLUICE_CACHE=$cache_folder/sluice TORCHINDUCTOR_CACHE_DIR=$cache_folder/inductor \
        TRITON_CACHE_DIR=$cache_folder/triton CUDA_CACHE_PATH=$cache_folder/cuda TORCHINDUCTOR_FX_GRAPH_CACHE=1
    if [ -n "$caches" ] && ! tar -C "$cache_folder" -xzf "$caches" --skip-old-files; then
        echo "gpu.sh: --caches: $caches is not the caches.tar.gz of an earlier run" >&2
        return 1
    fi
}

# A run that is cut while it writes leaves the archive of before.
keep_caches() {
    tar -C "$cache_folder" -czf "$out/caches.tar.gz.part" . && mv "$out/caches.tar.gz.part" "$out/caches.tar.gz"
}
