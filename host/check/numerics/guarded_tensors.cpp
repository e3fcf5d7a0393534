#include "check/numerics/guarded_tensors.hpp"

#include <utility>

#include "base/tensor.hpp"

namespace sluice::check {

GuardedTensors::GuardedTensors(const Workbench& bench, std::vector<sluice_tensor_spec> tensor_specs)
    : specs(std::move(tensor_specs)) {
    for (const sluice_tensor_spec& spec : specs) {
        buffers.emplace_back(bench, byte_count(spec));
    }
}

void GuardedTensors::write(const std::vector<Numbers>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        buffers[i].write(encode(specs[i], values[i]));
    }
}

void GuardedTensors::poison() {
    for (GuardedBuffer& buffer : buffers) {
        buffer.poison();
    }
}

std::vector<Numbers> GuardedTensors::read() const {
    std::vector<Numbers> values;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        values.push_back(decode(specs[i], buffers[i].read()));
    }
    return values;
}

}  // namespace sluice::check
