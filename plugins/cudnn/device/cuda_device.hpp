// The device "cuda": memory, streams, copies and clock of one NVIDIA GPU, how it is used, and what it does.
//
// CUDA keeps the current GPU for each thread and defaults to the first. So the calls that a thread can begin with
// select their GPU, which takes nanoseconds. Kernels and the step's calls do not, because the copy of the step's batch
// comes before them.
#pragma once

#include <mutex>
#include <optional>

#include "device/cuda_streams.hpp"
#include "device/gpus.hpp"
#include "device/nvml.hpp"
#include "sluice/sdk/device.hpp"
#include "step/cuda_step.hpp"

namespace sluice::cudnn {

class CudaDevice : public sdk::Device,
                   public CudaStep,
                   public CudaStreams,
                   public sdk::Usage,
                   public sdk::DeviceTime,
                   public sdk::DeviceActivity {
public:
    static std::uint32_t count(sdk::Host host);
    CudaDevice(sdk::Host host, const sdk::Options& options, std::uint32_t index);
    ~CudaDevice() override;
    CudaDevice(const CudaDevice&) = delete;
    CudaDevice& operator=(const CudaDevice&) = delete;

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
    [[nodiscard]] sluice_usage_figures read_usage() const override;
    void stamp(void* stream, std::uint64_t* nanoseconds) override;
    void start_activity() override;
    void stop_activity(const sluice_activity_sink& sink) override;

protected:
    [[nodiscard]] cudaError_t select() const noexcept override;

private:
    void use() const;

    FoundGpu gpu_;
    bool is_recorded_ = false;
    mutable std::once_flag nvml_opens_;
    mutable std::optional<Nvml> nvml_;  // opened at the first read_usage(): it takes some milliseconds
};

}  // namespace sluice::cudnn
