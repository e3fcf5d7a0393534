#!/bin/sh
# make.sh MAJOR_MINOR builds the golden plugins of a release, once, in a folder of that name next to this file. They are
# a plugin of each kind in C as `sluice new` writes it, and those of sdk/examples in C++ and Rust.
# Run it on Debian 12, so that the plugins need no newer C library. It needs that release (`sluice`, `sluice-dev`),
# CMake, g++, cargo and binutils.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
examples=$here/../../sdk/examples
to=$here/$1
if [ -e "$to" ]; then
  echo "$to exists already; released plugins are never built again" >&2
  exit 2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$to"
cd "$work"

# keep NAME FILE: stores the plugin FILE and its pipeline, and checks them.
keep() {
  strip --remove-section=.comment "$2" -o "$to/$1.so"
  chmod 644 "$to/$1.so"
  cp "$1/pipeline.toml" "$to/$1.toml"
  if grep -qF -e "$work" -e "$HOME/" "$to/$1.so"; then
    echo "$1.so holds a path of this machine" >&2
    exit 1
  fi
  sluice check "$to/$1.so"
}

build() { # NAME
  cmake -S "$1" -B "$1/build" -D CMAKE_BUILD_TYPE=Release
  cmake --build "$1/build"
  keep "$1" "$1/build/$1.so"
}

# begin KIND EXAMPLE LANGUAGE: copies the example into a new project golden_EXAMPLE.
begin() {
  sluice new "$1" "golden_$2" --lang "$3"
  for file in $(cd "$examples/$2" && find . -type f); do
    sed "s/$2/golden_$2/g" "$examples/$2/$file" > "golden_$2/$(echo "$file" | sed "s/$2/golden_$2/")"
  done
}

for kind in source transform batch_transform layer kernel optimizer precision strategy observer; do
  sluice new $kind golden_$kind --lang c
  build golden_$kind
done

begin transform hsv_jitter cpp
build golden_hsv_jitter

begin source csv_rows rust
CARGO_PROFILE_RELEASE_OPT_LEVEL=z CARGO_PROFILE_RELEASE_LTO=true CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1 \
  cargo build --release --manifest-path golden_csv_rows/Cargo.toml
keep golden_csv_rows golden_csv_rows/target/release/libgolden_csv_rows.so

echo "the newest symbols that they need of other libraries:"
for file in "$to"/*.so; do
  echo "$(basename "$file"), $(wc -c < "$file") bytes:$(objdump -T "$file" | grep -oE '\((GLIBC|GLIBCXX|CXXABI|GCC)_[0-9.]+' |
    tr -d '(' | sort -V | awk -F_ '{ newest[$1] = $2 } END { for (library in newest) printf " %s %s", library, newest[library] }')"
done
