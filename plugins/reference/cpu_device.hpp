// The device "cpu": the machine's own memory and cores. It has no streams; every call has finished when it returns.
#pragma once

#include "cpu_step.hpp"

namespace sluice::reference {

class CpuDevice : public sdk::Device, public CpuStep {
public:
    static std::uint32_t count(sdk::Host) { return 1; }

    CpuDevice(sdk::Host host, const sdk::Options& options, std::uint32_t index);
    [[nodiscard]] sluice_device_info info() const override;
    [[nodiscard]] void* alloc(std::uint64_t bytes) override;
    void free(void* block) noexcept override;
    [[nodiscard]] void* host_alloc(std::uint64_t bytes) override { return alloc(bytes); }
    void host_free(void* block) noexcept override { free(block); }
    [[nodiscard]] void* stream_create() override { return nullptr; }
    void stream_destroy(void*) noexcept override {}
    void stream_wait(void*) override {}
    void copy(void* to, const void* from, std::uint64_t bytes, void* stream) override;
    void zero(void* block, std::uint64_t bytes, void* stream) override;

private:
    sdk::Host host_;
};

}  // namespace sluice::reference
