// Reads tensors of a device as float32 values on the host, whatever their type.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "registry/objects/device.hpp"
#include "run/network/program.hpp"

namespace sluice::run {

class TensorReader {
public:
    TensorReader(std::shared_ptr<const registry::Device> device, void* stream)
        : device_(std::move(device)), stream_(stream) {}

    // Waits for the stream. The values are valid until the next call.
    std::span<const float> read(const sluice_tensor_spec& spec, const std::byte* from);
    std::span<const float> read(const Program& program, plan::TensorId id) {
        return read(program.plan.graph.tensors[id].spec, program.executor->tensor(id));
    }

private:
    std::shared_ptr<const registry::Device> device_;
    void* stream_;
    std::vector<float> values_;
    std::vector<std::uint16_t> halves_;
};

}  // namespace sluice::run
