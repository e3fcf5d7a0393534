// A sample as our own file holds it, but for its place: so that any thread can make it.
#pragma once

#include "layout.hpp"

namespace sluice::records {

// One field's tensor, dense.
struct FieldData {
    sluice_tensor_spec spec{};
    const std::uint8_t* bytes = nullptr;
};

struct PackedSample {
    std::string name;
    Bytes bytes;                       // a multiple of kAlignment
    std::vector<std::uint64_t> words;  // of the index, from the first field's on
};

// data: one for each of the fields, of its type and shape.
PackedSample pack_sample(std::string name, const std::vector<FieldLayout>& fields, const std::vector<FieldData>& data);

}  // namespace sluice::records
