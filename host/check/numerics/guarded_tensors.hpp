// Tensors of one kind, such as all inputs of a kernel, each in guarded memory.
#pragma once

#include <vector>

#include "check/numerics/guarded_buffer.hpp"
#include "check/numerics/number_format.hpp"

namespace sluice::check {

struct GuardedTensors {
    GuardedTensors(const Workbench& bench, std::vector<sluice_tensor_spec> tensor_specs);

    // `values` has an entry for each tensor, or none.
    void write(const std::vector<Numbers>& values);
    void poison();
    [[nodiscard]] std::vector<Numbers> read() const;

    std::vector<sluice_tensor_spec> specs;
    std::vector<GuardedBuffer> buffers;
};

}  // namespace sluice::check
