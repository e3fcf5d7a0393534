#include "run/train/weight_tensors.hpp"

#include <span>
#include <string_view>

namespace sluice::run {
namespace {

constexpr std::string_view kModel = "model/";

// The factor by which the optimizer of the last step multiplied the sums of gradients.
float last_gradient_scale(const NetworkRunner& runner) {
    sluice_step_scalars scalars{};
    runner.device()->copy(&scalars, runner.scalars(), sizeof(scalars), runner.stream());
    runner.wait();
    return static_cast<float>(scalars.gradient_scale);
}

HostTensor copy_of(const sluice_tensor_spec& spec, std::span<const float> values, float factor) {
    HostTensor tensor{spec, {}};
    tensor.bytes.resize(values.size_bytes());
    auto* const to = reinterpret_cast<float*>(tensor.bytes.data());
    for (std::size_t i = 0; i < values.size(); ++i) {
        to[i] = factor * values[i];
    }
    return tensor;
}

}  // namespace

std::vector<std::pair<std::string, HostTensor>> read_weights(NetworkRunner& runner) {
    const Weights& weights = runner.network().weights();
    const bool has_gradients = !weights.buckets().are_shared();
    const float scale = last_gradient_scale(runner);
    std::vector<std::pair<std::string, HostTensor>> tensors;
    for (const WeightTensor& tensor : weights.tensors()) {
        if (!tensor.name.starts_with(kModel)) {
            continue;
        }
        const std::string name = tensor.name.substr(kModel.size());
        tensors.emplace_back(name, copy_of(tensor.spec, runner.reader().read(tensor.spec, tensor.data), 1.0F));
        if (has_gradients) {
            const auto offset = reinterpret_cast<const float*>(tensor.data) - weights.parameters();
            const auto* const from = reinterpret_cast<const std::byte*>(weights.gradients() + offset);
            tensors.emplace_back("gradients/" + name,
                                 copy_of(tensor.spec, runner.reader().read(tensor.spec, from), scale));
        }
    }
    return tensors;
}

}  // namespace sluice::run
