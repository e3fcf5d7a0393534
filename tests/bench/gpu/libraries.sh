# Part of gpu.sh: finds the libraries that the host is linked to.

# Lists the host and the plugins that one GPU needs. Plugins for several replicas are left out, because NCCL or MPI may
# be missing.
binaries() {
    ls "$host" "$(dirname "$host")"/plugins/*.so ${plugin_folder:+"$plugin_folder"/*.so} |
        grep -v -E '/[^/]*(_nccl|multi_worker)\.so$'
}

# Prints the Debian 12 package that has the library.
package_of() {
    case $1 in
        libboost_program_options.so.*) echo libboost-program-options1.74.0 ;;
        libspdlog.so.*) echo libspdlog1.10 ;;
        libfmt.so.*) echo libfmt9 ;;
        libcrypto.so.*) echo libssl3 ;;
        libpng16.so.*) echo libpng16-16 ;;
        libjpeg.so.*) echo libjpeg62-turbo ;;
        libdnnl.so.*) echo libdnnl2 ;;
        libhwy.so.*) echo libhwy1 ;;
        libgomp.so.*) echo libgomp1 ;;
        libOpenCL.so.*) echo ocl-icd-libopencl1 ;;
        libz.so.*) echo zlib1g ;;
        libxxhash.so.*) echo libxxhash0 ;;
        libcudnn*.so.*) echo "none: NVIDIA's cudnn9-cuda-13, or nvidia-cudnn-cu13 of pip" ;;
        *) echo "not known" ;;
    esac
}

# path_with FOLDERS: prints the search path of libraries, with FOLDERS first.
path_with() { echo "$1${1:+${LD_LIBRARY_PATH:+:}}${LD_LIBRARY_PATH:-}"; }

# missing FOLDERS: prints the libraries that are neither in FOLDERS nor where the system looks.
missing() {
    binaries | LD_LIBRARY_PATH=$(path_with "$1") xargs -d '\n' ldd 2>&1 | sed -n -E \
        -e 's/^\s*(\S+) => not found.*/\1/p' -e "s/.*version .(\S+)' not found.*/\1/p" | sort -u
}

# Prints the folders with NVIDIA's libraries, in python3's packages and in the toolkit.
nvidia_folders() {
    python3 -c '
import importlib.util, pathlib
found = importlib.util.find_spec("nvidia")
for place in found.submodule_search_locations if found else []:
    print(*pathlib.Path(place).glob("*/lib"), sep="\n")' 2>/dev/null
    ls -d /usr/local/cuda/lib64 /usr/local/cuda/extras/CUPTI/lib64 2>/dev/null
}

# If the host needs more folders, replaces $host by a script that adds them to the search path. Names the libraries that
# are still missing.
find_libraries() {
    local folders=$libraries lacking name
    [ ! -d "$here/../../libraries" ] || folders=$folders${folders:+:}$(cd "$here/../../libraries" && pwd)
    if missing "$folders" | grep -q '^libcudnn'; then
        folders=$folders${folders:+:}$(nvidia_folders | paste -s -d :)
    fi
    lacking=$(missing "$folders")
    if [ -n "$lacking" ]; then
        for name in $lacking; do
            echo "gpu.sh: missing: $name (Debian package: $(package_of "$name"))" >&2
        done
        echo "gpu.sh: carry them in a folder that --libraries names, or with pack; see the top of the file" >&2
        return 1
    fi
    if [ -n "$folders" ]; then
        printf '#!/bin/sh\nexport LD_LIBRARY_PATH=%q\nexec %q "$@"\n' "$(path_with "$folders")" "$host" >"$runs/host"
        chmod +x "$runs/host"
        host=$runs/host
    fi
}
