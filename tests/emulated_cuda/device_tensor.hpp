// Tensors of tests in the memory of the emulated GPU.
#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "gpu_test.hpp"
#include "sluice/sdk/half.hpp"
#include "sluice/sdk/kernel.hpp"

namespace emulated::test {

inline sluice_tensor_spec spec(sluice_dtype dtype, std::initializer_list<std::int64_t> shape) {
    sluice_tensor_spec made{};
    made.dtype = dtype;
    made.rank = static_cast<std::uint32_t>(shape.size());
    std::copy(shape.begin(), shape.end(), made.shape);
    return made;
}

// Numbers in device memory, in float32 or 16 bits. Each seed gives other numbers.
class Tensor {
public:
    Tensor(const sluice_tensor_spec& spec, float seed)
        : spec_(spec), bytes_(static_cast<std::size_t>(sluice::sdk::element_count(spec)) * (is_narrow() ? 2 : 4)) {
        std::vector<float> values(static_cast<std::size_t>(sluice::sdk::element_count(spec)));
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = std::sin(seed + 1.7F * static_cast<float>(i) + 0.01F * static_cast<float>(i * i % 97));
        }
        std::vector<std::uint16_t> halves(values.size());
        sluice::sdk::narrow(values.data(), spec_.dtype, halves.data(), sluice::sdk::element_count(spec));
        cudaMemcpy(bytes_.data(), is_narrow() ? static_cast<const void*>(halves.data()) : values.data(), size(),
                   cudaMemcpyDefault);
    }
    [[nodiscard]] void* data() const { return bytes_.data(); }
    [[nodiscard]] std::vector<float> read() const {
        std::vector<float> values(static_cast<std::size_t>(sluice::sdk::element_count(spec_)));
        std::vector<std::uint16_t> halves(values.size());
        cudaMemcpy(is_narrow() ? static_cast<void*>(halves.data()) : values.data(), bytes_.data(), size(),
                   cudaMemcpyDefault);
        if (is_narrow()) {
            sluice::sdk::widen(spec_.dtype, halves.data(), values.data(), sluice::sdk::element_count(spec_));
        }
        return values;
    }

private:
    [[nodiscard]] bool is_narrow() const { return sluice::sdk::is_16_bit_float(spec_.dtype); }
    [[nodiscard]] std::size_t size() const {
        return static_cast<std::size_t>(sluice::sdk::element_count(spec_)) * (is_narrow() ? 2 : 4);
    }

    sluice_tensor_spec spec_;
    DeviceArray<std::byte> bytes_;
};

}  // namespace emulated::test
