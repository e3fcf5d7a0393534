// A transform of a chain, with its fields resolved to slots. Private to this folder.
#pragma once

#include <cstdint>
#include <vector>

#include "data/chain/sample_slots.hpp"
#include "registry/objects/transform.hpp"

namespace sluice::data {

struct TransformStage {
    registry::Transform transform;
    std::uint64_t random_stream = 0;   // part of the key of its random draws
    std::vector<SlotNumber> incoming;  // in the order of the fields that the transform was opened with
    SlotNumber first_written = 0;      // the slots of its own fields are consecutive
    Origin origin{};                   // its place in the pipeline file
};

}  // namespace sluice::data
