#include "run/weights/full_optimizer_states.hpp"

#include <algorithm>
#include <iterator>

namespace sluice::run {

FullOptimizerStates::FullOptimizerStates(const Weights& weights)
    : weights_(weights), values_(weights.states().names().size(), std::vector<float>(weights.count())) {}

std::vector<WeightTensor> FullOptimizerStates::tensors() {
    std::vector<WeightTensor> all;
    for (std::size_t state = 0; state < values_.size(); ++state) {
        auto* const flat = reinterpret_cast<std::byte*>(values_[state].data());
        std::ranges::move(weights_.tensors_of_state(state, flat), std::back_inserter(all));
    }
    return all;
}

void FullOptimizerStates::put(const registry::Device& device, void* stream) const {
    for (const OwnPart& own : weights_.states().own_parts()) {
        for (std::size_t state = 0; state < values_.size(); ++state) {
            device.copy(own.states[state], values_[state].data() + own.range.begin, own.range.count() * sizeof(float),
                        stream);
        }
    }
    device.wait(stream);
}

}  // namespace sluice::run
