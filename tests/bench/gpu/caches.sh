# Part of gpu.sh: caches of what is tuned and compiled once for a kind of GPU. Runs hand them on to later runs.

# PyTorch's caches refer to files by path, so the folder is the same in each run. --quick uses a temporary folder.
cache_folder=${XDG_CACHE_HOME:-$HOME/.cache}/sluice/gpu.sh
[ -z "$quick" ] || cache_folder=$runs/caches

# Unpacks the archive of --caches. Files that the folder already has are newer, so they are kept.
find_caches() {
    mkdir -p "$cache_folder"/{sluice,inductor,triton,cuda} || return
    export SLUICE_CACHE=$cache_folder/sluice TORCHINDUCTOR_CACHE_DIR=$cache_folder/inductor \
        TRITON_CACHE_DIR=$cache_folder/triton CUDA_CACHE_PATH=$cache_folder/cuda TORCHINDUCTOR_FX_GRAPH_CACHE=1
    if [ -n "$caches" ] && ! tar -C "$cache_folder" -xzf "$caches" --skip-old-files; then
        echo "gpu.sh: --caches: $caches is not the caches.tar.gz of an earlier run" >&2
        return 1
    fi
}

# If the run is interrupted while it writes, the previous archive remains.
keep_caches() {
    tar -C "$cache_folder" -czf "$out/caches.tar.gz.part" . && mv "$out/caches.tar.gz.part" "$out/caches.tar.gz"
}
