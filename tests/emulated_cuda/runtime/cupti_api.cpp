// CUPTI, as far as the CUDA plugin uses it. Records have the sizes and places of CUDA 13. With
// SLUICE_EMULATED_CUDA_CUPTI=0 it refuses to record, as it does where the driver keeps its counters for administrators.
#include <algorithm>
#include <cstring>

#include "figures.hpp"
#include "machine.hpp"

using emulated::Activities;
using emulated::ActivityRecord;
using emulated::Machine;
using emulated::machine;

namespace {

enum : int { kSuccess = 0, kMaxLimitReached = 12, kNotInitialized = 15, kNotAllowed = 35 };

using Request = void (*)(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records);
using Complete = void (*)(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t bytes,
                          std::size_t valid_bytes);

Request request = nullptr;
Complete complete = nullptr;
std::size_t dropped = 0;

std::size_t size_of(std::uint32_t kind) {
    return kind == emulated::kComputed ? 216 : kind == emulated::kCopied ? 96 : kind == emulated::kFilled ? 88 : 40;
}

void write(std::uint8_t* to, const ActivityRecord& record) {
    const bool is_call = record.kind == emulated::kCalled;
    const bool is_kernel = record.kind == emulated::kComputed;
    const auto set = [&](std::size_t place, const auto& value) { std::memcpy(to + place, &value, sizeof(value)); };
    std::memset(to, 0, size_of(record.kind));
    set(0, record.kind);
    set(is_call ? 8 : 16, record.start);
    set(is_call ? 16 : 24, record.end);
    set(is_kernel ? 92 : is_call ? 32 : 44, record.correlation);
    if (is_kernel) {
        set(40, record.device);
        set(48, record.stream);
        set(104, record.name);
    } else if (!is_call) {
        set(4, record.copy_kind);
        set(8, record.bytes);
        set(32, record.device);
        set(40, record.stream);
    }
}

}  // namespace

extern "C" {

int cuptiActivityRegisterCallbacks(Request on_request, Complete on_complete) {
    request = on_request;
    complete = on_complete;
    return kSuccess;
}

int cuptiActivityEnable(std::uint32_t kind) {
    if (emulated::figure("CUPTI", 1) == 0) {
        return kNotAllowed;
    }
    const std::lock_guard lock(machine().mutex);
    machine().activities.enable(kind);
    return kSuccess;
}

int cuptiActivityDisable(std::uint32_t kind) {
    const std::lock_guard lock(machine().mutex);
    machine().activities.disable(kind);
    return kSuccess;
}

int cuptiActivityFlushAll(std::uint32_t /*flag*/) {
    if (request == nullptr) {
        return kNotInitialized;
    }
    const std::lock_guard lock(machine().mutex);
    const std::vector<ActivityRecord> records = machine().activities.take();
    for (std::size_t next = 0; next < records.size();) {
        std::uint8_t* buffer = nullptr;
        std::size_t bytes = 0;
        std::size_t most = 0;
        request(&buffer, &bytes, &most);
        std::size_t used = 0;
        while (buffer != nullptr && next < records.size() && used + size_of(records[next].kind) <= bytes) {
            write(buffer + used, records[next]);
            used += size_of(records[next++].kind);
        }
        if (used == 0) {
            dropped += records.size() - next;
            next = records.size();
        }
        if (buffer != nullptr) {
            complete(nullptr, 0, buffer, bytes, used);
        }
    }
    return kSuccess;
}

int cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t bytes, std::uint8_t** record) {
    std::uint8_t* next = buffer;
    if (*record != nullptr) {
        std::uint32_t kind = 0;
        std::memcpy(&kind, *record, sizeof(kind));
        next = *record + size_of(kind);
    }
    if (next >= buffer + bytes) {
        return kMaxLimitReached;
    }
    *record = next;
    return kSuccess;
}

int cuptiActivityGetNumDroppedRecords(void* /*context*/, std::uint32_t /*stream*/, std::size_t* number) {
    *number = std::exchange(dropped, 0);
    return kSuccess;
}

int cuptiGetTimestamp(std::uint64_t* nanoseconds) {
    *nanoseconds = Activities::now();
    return kSuccess;
}

int cuptiGetResultString(int status, const char** text) {
    *text = status == kNotInitialized ? "CUPTI_ERROR_NOT_INITIALIZED"
            : status == kNotAllowed   ? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"
                                      : "CUPTI_ERROR_UNKNOWN";
    return kSuccess;
}

}  // extern "C"
