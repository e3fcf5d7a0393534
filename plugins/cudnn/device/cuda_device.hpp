// The device "cuda": memory, streams and copies of one NVIDIA GPU.
#pragma once

#include "sluice/sdk/device.hpp"

namespace sluice::cudnn {

class CudaDevice : public sdk::Device {
public:
    static std::uint32_t count(sdk::Host host);
    CudaDevice(sdk::Host host, const sdk::Options& options, std::uint32_t index);

    [[nodiscard]] sluice_device_info info() const override;
    [[nodiscard]] void* alloc(std::uint64_t bytes) override;
    void free(void* block) noexcept override;
    [[nodiscard]] void* host_alloc(std::uint64_t bytes) override;
    void host_free(void* block) noexcept override;
    [[nodiscard]] void* stream_create() override;
    void stream_destroy(void* stream) noexcept override;
    void stream_wait(void* stream) override;
    void copy(void* to, const void* from, std::uint64_t bytes, void* stream) override;
    void zero(void* block, std::uint64_t bytes, void* stream) override;

private:
    int index_;
};

}  // namespace sluice::cudnn
