// Loads and stores for the images of images.hpp. Most pixels of a mirrored image have one place, so that they cost as
// much as those of a dense image.
#pragma once

#include "images/mirror.cuh"
#include "norms/images.hpp"
#include "norms/thread_tile.cuh"

namespace sluice::cudnn {

template <class T>
__device__ Pack<T, kGroup> load_from(const Dense& /*image*/, const T* from, std::int64_t at, PartialPack partial) {
    return load_partial(from + at, partial);
}

template <class T>
__device__ void store_to(const Dense& /*image*/, T* to, std::int64_t at, PartialPack partial,
                         const float (&values)[kGroup]) {
    store_partial(to + at, partial, false, values);
}

// The position of a group's elements.
struct MirroredGroup {
    __device__ MirroredGroup(const Mirrored& image, std::int64_t at) {
        auto number = static_cast<std::uint32_t>(at);
        channel = image.channels.split(number);
        pixel = image.mirror.pixel(number);
    }
    // Returns the index of the group's first element at `place`.
    [[nodiscard]] __device__ std::uint32_t at(const Mirrored& image, std::uint32_t place) const {
        return place * image.channels.divisor() + channel;
    }
    std::uint32_t channel;
    Mirror::Pixel pixel;
};

template <class T>
__device__ Pack<T, kGroup> load_from(const Mirrored& image, const T* from, std::int64_t at, PartialPack /*all*/) {
    const MirroredGroup group(image, at);
    Pack<T, kGroup> pack = load_pack<kGroup>(from + group.at(image, image.mirror.own_place(group.pixel)));
    if (image.mirror.is_inner(group.pixel)) {
        return pack;
    }
    float sums[kGroup];
#pragma unroll
    for (int k = 0; k < kGroup; ++k) {
        sums[k] = to_float(pack.values[k]);
    }
    for_other_places(image.mirror, group.pixel, [&](std::uint32_t place) {
        const Pack<T, kGroup> other = load_pack<kGroup>(from + group.at(image, place));
#pragma unroll
        for (int k = 0; k < kGroup; ++k) {
            sums[k] += to_float(other.values[k]);
        }
    });
#pragma unroll
    for (int k = 0; k < kGroup; ++k) {
        pack.values[k] = from_float<T>(sums[k]);
    }
    return pack;
}

template <class T>
__device__ void store_to(const Mirrored& image, T* to, std::int64_t at, PartialPack /*all*/,
                         const float (&values)[kGroup]) {
    const MirroredGroup group(image, at);
    Pack<T, kGroup> pack;
#pragma unroll
    for (int k = 0; k < kGroup; ++k) {
        pack.values[k] = from_float<T>(values[k]);
    }
    store_pack(to + group.at(image, image.mirror.own_place(group.pixel)), pack);
    for_other_places(image.mirror, group.pixel,
                     [&](std::uint32_t place) { store_pack(to + group.at(image, place), pack); });
}

}  // namespace sluice::cudnn
