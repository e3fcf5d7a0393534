// A sample in Sluice's file format, independent of its offset, so that any thread can make it.
#pragma once

#include "layout.hpp"

namespace sluice::records {

// A field's dense tensor.
struct FieldData {
    sluice_tensor_spec spec{};
    const std::uint8_t* bytes = nullptr;
};

struct PackedSample {
    std::string name;
    Bytes bytes;                       // a multiple of kAlignment
    std::vector<std::uint64_t> words;  // its words in the index, from those of the first field on
};

// `data`: one item for each field, of its type and shape.
PackedSample pack_sample(std::string name, const std::vector<FieldLayout>& fields, const std::vector<FieldData>& data);

}  // namespace sluice::records
