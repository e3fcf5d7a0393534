#include "device/cuda_device.hpp"

#include <cudnn.h>

#include <algorithm>
#include <string>

#include "cuda/status.hpp"
#include "device/activity_recorder.hpp"
#include "device/clock.hpp"

namespace sluice::cudnn {
namespace {

std::string mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

// It is never destroyed, since threads of CUPTI may run until the process ends.
ActivityRecorder& recorder() {
#ifdef SLUICE_CUPTI_LIBRARY  // of the emulation
    static auto* const all_gpus = new ActivityRecorder({SLUICE_CUPTI_LIBRARY});
#else
    static const std::string name = "libcupti.so." + std::to_string(CUDART_VERSION / 1000);
    // The toolkit may be where the system does not look.
    static auto* const all_gpus = new ActivityRecorder({name, "/usr/local/cuda/lib64/" + name, "libcupti.so"});
#endif
    return *all_gpus;
}

}  // namespace

std::uint32_t CudaDevice::count(sdk::Host /*host*/) {
    const Findings findings = find_gpus();
    if (const std::string reason = no_gpu_reason(findings); !reason.empty()) {
        throw sdk::Failure(SLUICE_UNSUPPORTED, reason);
    }
    return static_cast<std::uint32_t>(std::count_if(findings.gpus.begin(), findings.gpus.end(), is_usable));
}

CudaDevice::CudaDevice(sdk::Host /*host*/, const sdk::Options& /*options*/, std::uint32_t index)
    : gpu_(open_gpu(index)) {}

CudaDevice::~CudaDevice() {
    if (is_recorded_) {
        recorder().discard(gpu_.number);
    }
}

cudaError_t CudaDevice::select() const noexcept { return cudaSetDevice(gpu_.number); }

void CudaDevice::use() const {
    check(select(), [&] { return "selecting " + gpu_.name; });
}

sluice_device_info CudaDevice::info() const {
    sluice_device_info info{};
    std::size_t free = 0;
    std::size_t total = 0;
    use();
    check(cudaMemGetInfo(&free, &total), "reading the free memory");
    sdk::detail::copy_cut(info.name, gpu_.name + ", sm_" + std::to_string(gpu_.major) + std::to_string(gpu_.minor) +
                                         ", cuDNN " + cudnn_version_text(cudnnGetVersion()));
    info.free_bytes = free;
    info.alignment = 256;
    info.ref = {SLUICE_DEVICE_CUDA, gpu_.number};
    return info;
}

void* CudaDevice::alloc(std::uint64_t bytes) {
    void* block = nullptr;
    use();
    const cudaError_t status = cudaMalloc(&block, std::max<std::uint64_t>(bytes, 256));
    if (status == cudaErrorMemoryAllocation) {
        std::size_t free = 0;
        std::size_t total = 0;
        cudaGetLastError();
        check(cudaMemGetInfo(&free, &total), "reading the free memory");
        throw sdk::Failure(SLUICE_NO_MEMORY, mebibytes(bytes) + " are needed in one block; " + mebibytes(free) +
                                                 " of " + mebibytes(total) + " are free");
    }
    check(status, "allocating " + mebibytes(bytes) + " of GPU memory");
    return block;
}

void CudaDevice::free(void* block) noexcept {
    if (select() == cudaSuccess) {
        cudaFree(block);
    }
}

void* CudaDevice::host_alloc(std::uint64_t bytes) {
    void* block = nullptr;
    use();
    check(cudaMallocHost(&block, std::max<std::uint64_t>(bytes, 1)),
          "allocating " + mebibytes(bytes) + " of pinned memory");
    return block;
}

void CudaDevice::host_free(void* block) noexcept {
    if (select() == cudaSuccess) {
        cudaFreeHost(block);
    }
}

void* CudaDevice::stream_create() {
    cudaStream_t stream = nullptr;
    use();
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
    return stream;
}

void CudaDevice::stream_destroy(void* stream) noexcept {
    if (select() == cudaSuccess) {
        cudaStreamDestroy(static_cast<cudaStream_t>(stream));
    }
}

void CudaDevice::stream_wait(void* stream) {
    use();
    check(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)), "waiting for the GPU");
}

void CudaDevice::copy(void* to, const void* from, std::uint64_t bytes, void* stream) {
    use();
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, static_cast<cudaStream_t>(stream)),
          [&] { return "copying " + std::to_string(bytes) + " bytes"; });
}

void CudaDevice::zero(void* block, std::uint64_t bytes, void* stream) {
    use();
    check(cudaMemsetAsync(block, 0, bytes, static_cast<cudaStream_t>(stream)),
          [&] { return "zeroing " + std::to_string(bytes) + " bytes"; });
}

sluice_usage_figures CudaDevice::read_usage() const {
    std::call_once(nvml_opens_, [&] { nvml_.emplace(); });
    char bus_id[32] = {};
    check(cudaDeviceGetPCIBusId(bus_id, sizeof(bus_id), gpu_.number), "reading the GPU's PCI bus id");
    return nvml_->read(bus_id);
}

void CudaDevice::stamp(void* stream, std::uint64_t* nanoseconds) {
    use();
    stamp_clock(stream, nanoseconds);
}

void CudaDevice::start_activity() {
    use();
    recorder().start(gpu_.number);
    is_recorded_ = true;
}

void CudaDevice::stop_activity(const sluice_activity_sink& sink) {
    is_recorded_ = false;
    const cudaError_t status = select() == cudaSuccess ? cudaDeviceSynchronize() : cudaErrorInvalidDevice;
    if (status != cudaSuccess) {
        recorder().discard(gpu_.number);
        check(status, "waiting for the GPU");
    }
    recorder().stop(gpu_.number, sink);
}

}  // namespace sluice::cudnn
