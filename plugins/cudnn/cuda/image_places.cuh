// The place of a pack of neighbouring channels in images [N, H, W, C].
#pragma once

#include "cuda/divide.cuh"

namespace sluice::cudnn {

struct IndexRange {
    std::uint32_t begin;
    std::uint32_t end;
};

struct ImagePlace {
    std::uint32_t pack;
    std::uint32_t column;
    std::uint32_t row;
    std::uint32_t sample;
};

// The index of a pack is ((sample * rows + row) * columns + column) * packs + pack.
constexpr ImagePlace place_of(std::uint32_t index, const Divider& packs, const Divider& columns, const Divider& rows) {
    ImagePlace place{};
    place.pack = packs.split(index);
    place.column = columns.split(index);
    place.row = rows.split(index);
    place.sample = index;
    return place;
}

}  // namespace sluice::cudnn
