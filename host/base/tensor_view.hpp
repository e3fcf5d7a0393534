// A non-owning view of a dense tensor in host memory.
#pragma once

#include "base/tensor.hpp"

namespace sluice {

struct TensorView {
    sluice_tensor_spec spec{};
    std::span<const std::uint8_t> bytes;

    TensorView() = default;
    TensorView(const sluice_tensor_spec& what, std::span<const std::uint8_t> where) : spec(what), bytes(where) {}
    TensorView(const HostTensor& tensor) : spec(tensor.spec), bytes(tensor.bytes) {}

    template <class T>
    [[nodiscard]] std::span<const T> as() const {
        return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
    }
};

}  // namespace sluice
