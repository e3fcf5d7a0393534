// Copies of the parameters in 16-bit types, for kernels that read them so.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "registry/objects/objects.hpp"
#include "sluice/host.h"

namespace sluice::run {

class RoundedCopies {
public:
    // Of so many parameters.
    RoundedCopies(std::shared_ptr<const registry::Device> device, std::uint64_t count);

    // From now on there is a copy in that type; its values come with the next refresh().
    void keep(sluice_dtype dtype);
    // Makes those copies anew that are of another version than this one of the parameters, which are never version 0.
    void refresh(const float* parameters, std::uint32_t version, void* stream, const sluice_threads& threads);
    // Of a type that is kept; laid out as the parameters.
    [[nodiscard]] std::uint16_t* of(sluice_dtype dtype) const;

private:
    struct Copy {
        sluice_dtype dtype;
        registry::Block values;
        std::uint32_t version = 0;  // of the parameters that were rounded; 0: none yet
    };

    std::shared_ptr<const registry::Device> device_;
    std::uint64_t count_;
    std::vector<Copy> copies_;
};

}  // namespace sluice::run
