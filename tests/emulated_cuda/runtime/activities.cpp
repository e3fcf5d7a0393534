#include "activities.hpp"

#include <chrono>
#include <map>
#include <utility>

#include "symbol_name.hpp"

namespace emulated {
namespace {

// The call whose work the thread runs; correlation 0: none.
thread_local ActivityRecord running_call;

const char* name_of_kernel(const void* kernel) {
    static auto& names = *new std::map<const void*, std::string>;
    const auto known = names.find(kernel);
    return (known != names.end() ? known : names.emplace(kernel, symbol_name(kernel)).first)->second.c_str();
}

}  // namespace

std::function<void()> Activities::of_call(std::function<void()> work, int device, unsigned stream) {
    if (enabled_.empty()) {
        return work;
    }
    ActivityRecord call;
    call.kind = kCalled;
    call.device = static_cast<std::uint32_t>(device);
    call.stream = stream;
    call.correlation = ++calls_;
    call.start = call.end = now();
    if (enabled_.contains(kCalled)) {
        records_.push_back(call);
    }
    return [call, work = std::move(work)] {
        const ActivityRecord outer = std::exchange(running_call, call);
        try {
            work();
        } catch (...) {
            running_call = outer;
            throw;
        }
        running_call = outer;
    };
}

void Activities::record(ActivityRecord record, const std::function<void()>& work) {
    record.device = running_call.device;
    record.stream = running_call.stream;
    record.correlation = running_call.correlation;
    record.start = now();
    work();
    record.end = now();
    if (record.correlation != 0 && enabled_.contains(record.kind)) {
        records_.push_back(record);
    }
}

void Activities::record_kernel(const void* kernel, const std::function<void()>& work) {
    ActivityRecord computed;
    computed.kind = kComputed;
    computed.name = enabled_.contains(kComputed) ? name_of_kernel(kernel) : nullptr;
    record(computed, work);
}

std::vector<ActivityRecord> Activities::take() { return std::exchange(records_, {}); }

std::uint64_t Activities::now() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}

}  // namespace emulated
