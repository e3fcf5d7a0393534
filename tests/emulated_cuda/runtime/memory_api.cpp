// Memory and copies.
#include <chrono>
#include <cstring>

#include "figures.hpp"
#include "machine.hpp"
#include "noted_sleep.hpp"

using emulated::entry;
using emulated::fail;
using emulated::Machine;

namespace {

// A range of device or pinned memory must be inside one block. Other memory of the host is not known here.
void expect_inside(const Machine& gpu, const void* address, std::size_t bytes) {
    if ((gpu.memory.is_device(address) || gpu.memory.is_pinned(address)) && !gpu.memory.holds(address, bytes)) {
        fail(cudaErrorInvalidValue, "a range of " + std::to_string(bytes) + " bytes goes past the end of its block");
    }
    const std::string place = gpu.memory.describe(address);
    if (!place.empty() && !gpu.memory.is_device(address)) {
        fail(cudaErrorInvalidValue, "a range begins at " + place);
    }
}

void expect_kind(const Machine& gpu, const void* to, const void* from, cudaMemcpyKind kind) {
    const int to_device = gpu.memory.is_device(to) ? 1 : 0;
    const int from_device = gpu.memory.is_device(from) ? 1 : 0;
    if (kind != cudaMemcpyDefault && kind != 2 * from_device + to_device) {
        fail(cudaErrorInvalidMemcpyDirection, "a copy is not of the given kind");
    }
}

void expect_copy(const Machine& gpu, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    expect_inside(gpu, to, bytes);
    expect_inside(gpu, from, bytes);
    expect_kind(gpu, to, from, kind);
    const auto* const a = static_cast<const char*>(to);
    const auto* const b = static_cast<const char*>(from);
    if (a < b + bytes && b < a + bytes && bytes > 0) {
        fail(cudaErrorInvalidValue, "the ranges of a copy overlap");
    }
}

constexpr std::uint8_t kToDevice = 1;  // numbers of CUPTI
constexpr std::uint8_t kToHost = 2;

// SLUICE_EMULATED_CUDA_COPY_US makes copies to a device so much slower, if they are as large as a batch;
// SLUICE_EMULATED_CUDA_BUS_MB is the rate of its bus in megabytes per second;
// SLUICE_EMULATED_CUDA_RESULT_US makes copies of SLUICE_EMULATED_CUDA_RESULT_BYTES bytes to the host slower.
void copy(void* to, const void* from, std::size_t bytes, std::uint8_t kind) {
    constexpr std::size_t kLeast = 1024;
    if (kind == kToDevice && bytes >= kLeast) {
        sluice::test::sleep_and_note("copy", std::chrono::microseconds(emulated::figure("COPY_US", 0)));
        if (const int megabytes = emulated::figure("BUS_MB", 0); megabytes > 0) {
            sluice::test::sleep_and_note("copy",
                                         std::chrono::microseconds(bytes / static_cast<std::size_t>(megabytes)));
        }
    }
    if (kind == kToHost && static_cast<int>(bytes) == emulated::figure("RESULT_BYTES", 0)) {
        sluice::test::sleep_and_note("copy", std::chrono::microseconds(emulated::figure("RESULT_US", 0)));
    }
    std::memcpy(to, from, bytes);
}

void expect_device_range(const Machine& gpu, const void* to, std::size_t bytes) {
    if (bytes > 0 && !gpu.memory.is_device(to)) {
        fail(cudaErrorInvalidValue, "the range to set is not device memory");
    }
    expect_inside(gpu, to, bytes);
}

// Runs the default stream, and all streams that wait for it.
void run_default(Machine& gpu) {
    for (const auto& stream : gpu.streams.all()) {
        if (stream->waits_for_default || stream == gpu.streams.all().front()) {
            gpu.streams.run_all(*stream);
        }
    }
}

}  // namespace

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    return entry([&](Machine& gpu) {
        *free = gpu.memory.left();
        *total = gpu.memory.total();
    });
}

cudaError_t cudaMalloc(void** block, std::size_t bytes) {
    return entry([&](Machine& gpu) {
        gpu.forbid_while_capturing("allocating memory");
        gpu.forbid_while_waiting("allocating memory");
        *block = bytes > 0 ? gpu.memory.allocate(bytes) : nullptr;
        if (bytes > 0 && *block == nullptr) {
            fail(cudaErrorMemoryAllocation, "out of memory: " + std::to_string(gpu.memory.left()) + " bytes are left");
        }
    });
}

// Waits for all work that was enqueued before, as CUDA does.
cudaError_t cudaFree(void* block) {
    return entry([&](Machine& gpu) {
        gpu.forbid_while_capturing("freeing memory");
        gpu.forbid_while_waiting("freeing memory");
        gpu.run([&] { gpu.streams.run_everything(gpu.device()); });
        if (block != nullptr && !gpu.memory.free(block)) {
            fail(cudaErrorInvalidValue, "the freed address is no block of device memory");
        }
    });
}

cudaError_t cudaMallocHost(void** block, std::size_t bytes) {
    return entry([&](Machine& gpu) {
        gpu.forbid_while_capturing("allocating pinned memory");
        gpu.forbid_while_waiting("allocating pinned memory");
        *block = bytes > 0 ? gpu.memory.allocate_pinned(bytes) : nullptr;
        if (bytes > 0 && *block == nullptr) {
            fail(cudaErrorMemoryAllocation, "out of memory of the host");
        }
    });
}

cudaError_t cudaFreeHost(void* block) {
    return entry([&](Machine& gpu) {
        gpu.forbid_while_capturing("freeing pinned memory");
        gpu.forbid_while_waiting("freeing pinned memory");
        gpu.run([&] { gpu.streams.run_everything(gpu.device()); });
        if (block != nullptr && !gpu.memory.free_pinned(block)) {
            fail(cudaErrorInvalidValue, "the freed address is no block of pinned memory");
        }
    });
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return entry([&](Machine& gpu) {
        gpu.forbid_while_capturing("a synchronous copy");
        expect_copy(gpu, to, from, bytes, kind);
        gpu.run([&] {
            run_default(gpu);
            std::memcpy(to, from, bytes);
        });
    });
}

// Memory that is not pinned is read and written as late as other memory. CUDA does that earlier, but callers must not
// rely on it.
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return entry([&](Machine& gpu) {
        expect_copy(gpu, to, from, bytes, kind);
        emulated::Stream& on = gpu.streams.get(stream);
        const auto is_known = [&](const void* address) {
            return gpu.memory.is_device(address) || gpu.memory.is_pinned(address);
        };
        if (on.recording && (!is_known(to) || !is_known(from))) {
            on.recording->is_broken = true;
            fail(cudaErrorStreamCaptureUnsupported, "a copy of host memory that is not pinned cannot be captured");
        }
        const auto places = (gpu.memory.is_device(to) ? 1 : 0) + (gpu.memory.is_device(from) ? 2 : 0);
        constexpr std::uint8_t kCopyKinds[] = {9, kToDevice, 2, 8};  // numbers of CUPTI, by these places
        const emulated::ActivityRecord copied{emulated::kCopied, kCopyKinds[places], bytes};
        gpu.streams.put(on,
                        [=, &gpu] { gpu.activities.record(copied, [&] { copy(to, from, bytes, copied.copy_kind); }); });
    });
}

cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
    return entry([&](Machine& gpu) {
        gpu.forbid_while_capturing("setting memory synchronously");
        expect_device_range(gpu, to, bytes);
        gpu.run([&] {
            run_default(gpu);
            std::memset(to, value, bytes);
        });
    });
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
    return entry([&](Machine& gpu) {
        expect_device_range(gpu, to, bytes);
        gpu.expect_own(stream);
        const emulated::ActivityRecord filled{emulated::kFilled, 0, bytes};
        gpu.streams.put(gpu.streams.get(stream),
                        [=, &gpu] { gpu.activities.record(filled, [&] { std::memset(to, value, bytes); }); });
    });
}
