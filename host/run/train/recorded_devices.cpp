#include "run/train/recorded_devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"

namespace sluice::run {
namespace {

using SharedDevice = std::shared_ptr<const registry::Device>;

// The devices of all replicas whose work is asynchronous, each once.
std::vector<SharedDevice> asynchronous_devices(const ReplicaGroup& replicas) {
    std::vector<SharedDevice> devices;
    std::mutex mutex;
    replicas.each([&](Replica& replica, std::uint32_t) {
        const SharedDevice& device = replica.runner().device();
        const std::lock_guard lock(mutex);
        if (!device->is_host_memory() && std::ranges::find(devices, device) == devices.end()) {
            devices.push_back(device);
        }
    });
    return devices;
}

std::uint32_t span_kind(std::uint32_t activity) {
    switch (activity) {
        case SLUICE_ACTIVITY_UPLOAD:
            return SLUICE_SPAN_UPLOAD;
        case SLUICE_ACTIVITY_DOWNLOAD:
            return SLUICE_SPAN_DOWNLOAD;
        default:
            return SLUICE_SPAN_KERNEL;
    }
}

bool is_collective(const std::string& kernel) {
    return kernel.find("nccl") != std::string::npos || kernel.find("Nccl") != std::string::npos;
}

// One operation for each name of a kernel.
profile::Operations list_kernels(const std::vector<registry::Activity>& records) {
    std::vector<profile::Operation> operations;
    for (const registry::Activity& record : records) {
        if (span_kind(record.kind) == SLUICE_SPAN_KERNEL &&
            std::ranges::find(operations, record.name, &profile::Operation::path) == operations.end()) {
            operations.push_back({.path = record.name,
                                  .type = "kernel",
                                  .shape = {},
                                  .kernel = record.name,
                                  .kind = SLUICE_SPAN_KERNEL});
        }
    }
    return std::make_shared<const std::vector<profile::Operation>>(std::move(operations));
}

profile::Span span_of(const registry::Activity& record, const std::vector<profile::Operation>& operations) {
    const auto found = std::ranges::find(operations, record.name, &profile::Operation::path);
    return {.begin = 1e-9 * static_cast<double>(record.begin_ns),
            .end = 1e-9 * static_cast<double>(record.end_ns),
            .kind = is_collective(record.name) ? std::uint32_t{SLUICE_SPAN_EXCHANGE} : span_kind(record.kind),
            .name = record.name,
            .operation = found == operations.end() ? nullptr : &*found,
            .bytes = record.bytes,
            .correlation = record.correlation};
}

// Adds a thread for each stream that did something.
void add_streams(const registry::Activities& activities, std::uint32_t device, profile::RecordedSpans& to) {
    const profile::Operations& operations = to.operations.emplace_back(list_kernels(activities.records));
    std::map<std::uint32_t, profile::RecordedThread> streams;
    for (const registry::Activity& record : activities.records) {
        streams[record.stream].spans.push_back(span_of(record, *operations));
    }
    if (!streams.empty()) {
        streams.begin()->second.dropped = activities.dropped;
    }
    for (auto& [stream, thread] : streams) {
        thread.name = fmt::format("stream {}", stream);
        thread.id = stream;
        thread.kind = SLUICE_THREAD_STREAM;
        thread.device = device;
        to.threads.push_back(std::move(thread));
    }
}

}  // namespace

void RecordedDevices::start(const ReplicaGroup& replicas) {
    for (const SharedDevice& device : asynchronous_devices(replicas)) {
        try {
            recorded_.emplace_back(device);
        } catch (const Error& error) {
            if (!std::exchange(has_warned_, true)) {
                log::warn(
                    fmt::format("the kernels of the device are not recorded, so the window has the host's times "
                                "only: {}",
                                error.what()));
            }
        }
    }
}

void RecordedDevices::stop(profile::RecordedSpans& to) {
    std::uint32_t number = 0;
    for (registry::DeviceActivity& device : recorded_) {
        try {
            add_streams(device.stop(), number++, to);
        } catch (const Error& error) {  // the device may be lost, which the next step reports
            log::warn(fmt::format("the kernels of the device are missing in the window: {}", error.what()));
        }
    }
    recorded_.clear();
}

}  // namespace sluice::run
