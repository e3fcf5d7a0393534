// Receives the fields of one sample.
#pragma once

#include <cstdint>
#include <string_view>

#include "sluice/tensor.h"

namespace sluice::registry {

class SampleWriter {
public:
    virtual ~SampleWriter() = default;
    // Returns memory for field number `field`, or throws; it never returns null.
    virtual void* allocate(std::uint32_t field, const sluice_tensor_spec& spec) = 0;
    virtual void set_name(std::string_view name) = 0;
};

}  // namespace sluice::registry
