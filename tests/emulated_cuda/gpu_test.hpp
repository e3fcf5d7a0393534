// The common part of the emulation's tests: blocks of memory, and launches like those of the plugin.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "machine.hpp"

namespace emulated::test {

// Gives each test a stream, and resets the machine after it, even if the test broke it.
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
