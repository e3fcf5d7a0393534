#include "conv/trial.hpp"

#include <chrono>

#include "math/element.hpp"

namespace sluice::onednn {
namespace {

constexpr std::align_val_t kAlignment{64};

template <class Element>
void fill(Element* values, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        values[i] = static_cast<float>(i % 17 - 8) / 8.0F;
    }
}

}  // namespace

TrialValues::TrialValues(std::int64_t count, DataType type)
    : block_(::operator new(static_cast<std::size_t>(count* size_of(type)), kAlignment)) {
    if (type == DataType::bf16) {
        fill(static_cast<Bfloat16*>(get()), count);
    } else {
        fill(static_cast<float*>(get()), count);
    }
}

void TrialValues::Free::operator()(void* block) const noexcept { ::operator delete(block, kAlignment); }

Trial::Trial(const TrialTensors& tensors, const sluice_threads* threads)
    : threads_(threads),
      input_(tensors.input, tensors.input_type),
      output_(tensors.output, tensors.output_type),
      weights_(tensors.weights),
      weight_gradient_(tensors.weights),
      bias_(tensors.biases) {}

double Trial::run(ConvPass& pass, const TrialValues& workspace, std::uint32_t version) const {
    const void* inputs[] = {input_.get()};
    void* outputs[] = {output_.get()};
    const void* parameters[] = {weights_.get(), bias_.get()};
    const void* output_gradients[] = {output_.get()};
    void* input_gradients[] = {input_.get()};
    void* parameter_gradients[] = {weight_gradient_.get(), bias_.get()};
    sluice_launch launch{};
    launch.struct_size = sizeof(launch);
    launch.inputs = inputs;
    launch.outputs = outputs;
    launch.parameters = parameters;
    launch.output_gradients = output_gradients;
    launch.input_gradients = input_gradients;
    launch.parameter_gradients = parameter_gradients;
    launch.workspace = workspace.get();
    launch.threads = threads_;
    launch.parameters_version = version;
    const auto start = std::chrono::steady_clock::now();
    pass.run(launch);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace sluice::onednn
