#include "run/weights.hpp"

#include <algorithm>

#include "run/initializers.hpp"

namespace sluice::run {

Weights::Weights(std::shared_ptr<const registry::Device> device, const plan::Plan& plan,
                 std::span<const std::string> optimizer_states)
    : device_(std::move(device)),
      parameter_infos_(plan.graph.parameters),
      running_infos_(plan.graph.states),
      state_names_(optimizer_states.begin(), optimizer_states.end()),
      layout_(plan.layout),
      parameters_(device_, layout_.parameter_count * sizeof(float)),
      gradients_(device_, plan.graph.mode == plan::Mode::train ? layout_.parameter_count * sizeof(float) : 0),
      running_(device_, layout_.state_count * sizeof(float)) {
    for (std::size_t i = 0; i < state_names_.size(); ++i) {
        state_blocks_.emplace_back(device_, layout_.parameter_count * sizeof(float));
        states_.push_back(floats(state_blocks_.back()));
    }
}

void Weights::initialise(std::uint64_t seed, void* stream) {
    std::vector<float> host(layout_.parameter_count, 0.0F);
    for (std::size_t i = 0; i < parameter_infos_.size(); ++i) {
        const registry::ParameterInfo& info = parameter_infos_[i];
        fill_initial({host.data() + layout_.parameters[i], static_cast<std::size_t>(element_count(info.spec))}, info,
                     seed);
    }
    device_->copy(parameters_.data(), host.data(), parameters_.size(), stream);

    std::vector<float> running(layout_.state_count, 0.0F);
    for (std::size_t i = 0; i < running_infos_.size(); ++i) {
        std::fill_n(running.begin() + static_cast<std::ptrdiff_t>(layout_.states[i]),
                    element_count(running_infos_[i].spec), static_cast<float>(running_infos_[i].initial));
    }
    device_->copy(running_.data(), running.data(), running_.size(), stream);

    device_->zero(gradients_.data(), gradients_.size(), stream);
    for (const registry::Block& block : state_blocks_) {
        device_->zero(block.data(), block.size(), stream);
    }
    device_->wait(stream);
}

std::vector<WeightTensor> Weights::tensors() const {
    const auto at = [](const registry::Block& block, std::uint64_t offset) {
        return block.data() + offset * sizeof(float);
    };
    std::vector<WeightTensor> all;
    for (std::size_t i = 0; i < parameter_infos_.size(); ++i) {
        const registry::ParameterInfo& info = parameter_infos_[i];
        all.push_back({"model/" + info.name, info.spec, at(parameters_, layout_.parameters[i])});
        for (std::size_t s = 0; s < state_names_.size(); ++s) {
            all.push_back({"optimizer/" + state_names_[s] + "/" + info.name, info.spec,
                           at(state_blocks_[s], layout_.parameters[i])});
        }
    }
    for (std::size_t i = 0; i < running_infos_.size(); ++i) {
        all.push_back({"running/" + running_infos_[i].name, running_infos_[i].spec, at(running_, layout_.states[i])});
    }
    std::ranges::sort(all, {}, &WeightTensor::name);
    return all;
}

}  // namespace sluice::run
