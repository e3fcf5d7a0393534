// What the tests of the emulation share: blocks of memory, and launches as the plugin makes them.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "machine.hpp"

namespace emulated::test {

// The default stream and everything else as it is in the beginning, even after a test broke it.
class GpuTest : public testing::Test {
protected:
    void SetUp() override { cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking); }
    void TearDown() override {
        machine().broken.reset();
        cudaStreamDestroy(stream);
        cudaGetLastError();
    }

    template <class... Parameters, class... Arguments>
    cudaError_t launch(dim3 blocks, dim3 threads, void (*kernel)(Parameters...), Arguments... arguments) const {
        cudaLaunchConfig_t config{};
        config.gridDim = blocks;
        config.blockDim = threads;
        config.stream = stream;
        return cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...);
    }

    cudaStream_t stream = nullptr;
};

template <class T>
class DeviceArray {
public:
    explicit DeviceArray(std::size_t count) : count_(count) { cudaMalloc(&data_, count * sizeof(T)); }
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    [[nodiscard]] T* data() const { return data_; }
    [[nodiscard]] std::vector<T> read() const {
        std::vector<T> values(count_);
        cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDefault);
        return values;
    }

private:
    std::size_t count_;
    T* data_ = nullptr;
};

}  // namespace emulated::test
