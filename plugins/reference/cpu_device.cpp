#include "cpu_device.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "sluice/sdk/cpu.hpp"

namespace sluice::reference {
namespace {

constexpr std::uint64_t kAlignment = 64;  // a cache line, and the widest vector

// Large blocks lie in pages of 2 MiB if the system has them, because loops over them then look up fewer addresses.
// Finding such pages takes time, which smaller blocks, touched once a step, do not win back.
constexpr std::uint64_t kHugePage = 2U << 20U;
constexpr std::uint64_t kLarge = 32 * kHugePage;

// Returns the instruction sets of this CPU that matter to kernels, such as "avx2 avx512f avx512_bf16 amx".
std::string instructions_of_cpu() {
    // The name in /proc/cpuinfo, and ours.
    constexpr std::pair<const char*, const char*> kNames[] = {
        {" avx2 ", "avx2"}, {" avx512f ", "avx512f"}, {" avx512_bf16 ", "avx512_bf16"}, {" amx_tile ", "amx"}};
    const std::string flags = " " + sdk::cpu_info("flags") + " ";
    std::string found;
    for (const auto& [flag, name] : kNames) {
        if (flags.find(flag) != std::string::npos) {
            found += (found.empty() ? "" : " ") + std::string(name);
        }
    }
    return found;
}

std::string mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

CpuDevice::CpuDevice(sdk::Host host, const sdk::Options&, std::uint32_t index) : host_(host) {
    if (index != 0) {
        throw sdk::Failure(SLUICE_INVALID,
                           "device cpu number " + std::to_string(index) + " does not exist; there is only number 0");
    }
}

sluice_device_info CpuDevice::info() const {
    sluice_device_info info{};
    const std::uint32_t cores = host_.usable_cores();
    const std::string instructions = instructions_of_cpu();
    const std::string text = ", " + std::to_string(cores) + (cores == 1 ? " core" : " cores") +
                             (instructions.empty() ? "" : ", " + instructions);
    // A long model name is cut to make room for the text after it.
    const std::size_t room = sizeof(info.name) - 1 - text.size();
    const std::string name = sdk::cpu_name().substr(0, room) + text;
    std::memcpy(info.name, name.data(), name.size());
    info.free_bytes = host_.available_memory();
    info.alignment = kAlignment;
    info.ref = {SLUICE_DEVICE_CPU, 0};
    return info;
}

void* CpuDevice::alloc(std::uint64_t bytes) {
    const std::uint64_t alignment = bytes < kLarge ? kAlignment : kHugePage;
    const std::uint64_t padded = std::max((bytes + alignment - 1) / alignment * alignment, alignment);
    void* const block = padded < bytes ? nullptr : std::aligned_alloc(alignment, padded);
    if (block == nullptr) {
        throw sdk::Failure(SLUICE_NO_MEMORY, "no memory on device cpu: " + mebibytes(bytes) + " were asked for, " +
                                                 mebibytes(host_.available_memory()) + " are free");
    }
    if (alignment == kHugePage) {
        ::madvise(block, padded, MADV_HUGEPAGE);  // a hint: without huge pages everything works, but slower
    }
    return block;
}

void CpuDevice::free(void* block) noexcept { std::free(block); }

void CpuDevice::copy(void* to, const void* from, std::uint64_t bytes, void*) {
    if (bytes != 0) {
        std::memcpy(to, from, bytes);
    }
}

void CpuDevice::zero(void* block, std::uint64_t bytes, void*) {
    if (bytes != 0) {
        std::memset(block, 0, bytes);
    }
}

}  // namespace sluice::reference
