// Records what the emulated GPUs do, for the functions of CUPTI (cupti_api.cpp). The caller holds the machine's lock.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace emulated {

// Numbers of CUPTI.
enum ActivityKind : std::uint32_t { kCopied = 1, kFilled = 2, kCalled = 5, kComputed = 10 };

struct ActivityRecord {
    std::uint32_t kind = 0;
    std::uint8_t copy_kind = 0;
    std::uint64_t bytes = 0;
    const char* name = nullptr;  // of a kernel; valid until the process ends
    std::uint32_t device = 0;
    std::uint32_t stream = 0;
    std::uint32_t correlation = 0;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
};

class Activities {
public:
    void enable(std::uint32_t kind) { enabled_.insert(kind); }
    void disable(std::uint32_t kind) { enabled_.erase(kind); }
    // Returns the work of one call to a stream. What record() records in it belongs to that call.
    [[nodiscard]] std::function<void()> of_call(std::function<void()> work, int device, unsigned stream);
    // Runs the work and records it with its times, if its kind is enabled.
    void record(ActivityRecord record, const std::function<void()>& work);
    void record_kernel(const void* kernel, const std::function<void()>& work);
    [[nodiscard]] std::vector<ActivityRecord> take();
    // Nanoseconds of CUPTI's clock, which is not that of events.
    [[nodiscard]] static std::uint64_t now();

private:
    std::set<std::uint32_t> enabled_;
    std::vector<ActivityRecord> records_;
    std::uint32_t calls_ = 0;
};

}  // namespace emulated
