// Copies of the parameters in 16-bit types, for kernels that read such types.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "registry/objects/device.hpp"
#include "sluice/host.h"

namespace sluice::run {

class RoundedCopies {
public:
    // `count`: number of parameters.
    RoundedCopies(std::shared_ptr<const registry::Device> device, std::uint64_t count);

    // Adds a copy of this type. It has no values before the next refresh().
    void keep(sluice_dtype dtype);
    // Rounds the parameters again into the copies that are not of this version, which is never 0. Returns false if
    // there are none.
    bool refresh(const float* parameters, std::uint32_t version, void* stream, const sluice_threads& threads);
    // Returns the copy of a type that was passed to keep(); it has the layout of the parameters.
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
