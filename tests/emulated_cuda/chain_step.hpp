// Runs one step of a chain on the emulated GPU, for tests of its kernel.
#pragma once

#include <list>
#include <vector>

#include "device_tensor.hpp"
#include "planner_memory.hpp"

namespace sluice::cudnn {

// The tensors of a chain with one input and one output.
struct ChainTensors {
    sluice_tensor_spec input;
    sluice_tensor_spec output;
    std::vector<sluice_tensor_spec> parameters;
    std::vector<sluice_tensor_spec> states;
};

// Returns the output and, in training, the gradients of the input and of the parameters. `memory` is that of the
// kernel's plan.
inline std::vector<std::vector<float>> run_step(sdk::Kernel& kernel, const Memory& memory, const ChainTensors& chain,
                                                bool trains, void* stream) {
    using emulated::test::Tensor;
    float seed = 0.0F;
    std::list<Tensor> tensors;
    const auto made = [&](const std::vector<sluice_tensor_spec>& specs) {
        std::vector<void*> pointers;
        for (const sluice_tensor_spec& spec : specs) {
            pointers.push_back(tensors.emplace_back(spec, seed += 1.0F).data());
        }
        return pointers;
    };
    const std::vector<void*> inputs = made({chain.input});
    const std::vector<void*> parameters = made(chain.parameters);
    const std::vector<void*> output_gradients = made({chain.output});
    std::vector<void*> states = made(chain.states);
    emulated::test::DeviceArray<std::byte> workspace(memory.workspace);
    std::list<emulated::test::DeviceArray<std::byte>> blocks;
    std::vector<void*> saved;
    for (const std::uint64_t bytes : memory.saved) {
        saved.push_back(blocks.emplace_back(bytes).data());
    }
    const std::size_t first_result = tensors.size();
    std::vector<void*> outputs = made({chain.output});
    std::vector<void*> input_gradients = made(trains ? std::vector{chain.input} : std::vector<sluice_tensor_spec>{});
    std::vector<void*> gradients = made(trains ? chain.parameters : std::vector<sluice_tensor_spec>{});

    sluice_launch launch{};
    launch.inputs = const_cast<const void* const*>(inputs.data());
    launch.parameters = const_cast<const void* const*>(parameters.data());
    launch.output_gradients = const_cast<const void* const*>(output_gradients.data());
    launch.states = states.data();
    launch.outputs = outputs.data();
    launch.input_gradients = input_gradients.data();
    launch.parameter_gradients = gradients.data();
    launch.saved = saved.data();
    launch.workspace = workspace.data();
    launch.stream = stream;
    kernel.forward(launch);
    if (trains) {
        kernel.backward(launch);
    }
    EXPECT_EQ(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)), cudaSuccess);
    std::vector<std::vector<float>> results;
    for (auto tensor = std::next(tensors.begin(), static_cast<std::ptrdiff_t>(first_result)); tensor != tensors.end();
         ++tensor) {
        results.push_back(tensor->read());
    }
    return results;
}

}  // namespace sluice::cudnn
