#include "run/train/recorded_devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "run/membership/agreement.hpp"
#include "run/train/kernel_launches.hpp"

namespace sluice::run {
namespace {

// The devices of all replicas whose work is asynchronous, each once.
std::vector<std::shared_ptr<const registry::Device>> asynchronous_devices(const ReplicaGroup& replicas) {
    std::vector<std::shared_ptr<const registry::Device>> of_replicas(replicas.size());
    replicas.each([&](Replica& replica, std::uint32_t local) { of_replicas[local] = replica.runner().device(); });
    std::vector<std::shared_ptr<const registry::Device>> devices;  // in the order of the replicas
    for (const std::shared_ptr<const registry::Device>& device : of_replicas) {
        const bool works_later = device != nullptr && !device->is_host_memory();  // null: the replica is stuck
        if (works_later && std::ranges::find(devices, device) == devices.end()) {
            devices.push_back(device);
        }
    }
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

// Returns the name of a kernel's function, without its type, namespaces, template arguments and parameters:
// "void sluice::loss_kernel<float>(float const*)" gives "loss_kernel".
std::string short_name(const std::string& name) {
    std::string plain;
    int depth = 0;
    for (const char c : name) {
        depth += c == '<' ? 1 : 0;
        if (depth == 0 && c == '(' && plain.find_first_not_of(' ') != std::string::npos && !plain.ends_with("::")) {
            break;
        }
        if (depth == 0) {
            plain += c;
        }
        depth -= c == '>' ? 1 : 0;
    }
    const std::size_t begin = plain.find_last_of(" :");
    const std::string last = begin == std::string::npos ? plain : plain.substr(begin + 1);
    return last.empty() ? name : last;
}

// One operation for each name of a kernel whose launch is not known.
profile::Operations list_kernels(const std::vector<registry::Activity>& records, const KernelLaunches& launches) {
    std::vector<profile::Operation> operations;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const registry::Activity& record = records[i];
        if (launches.operations[i] == nullptr && span_kind(record.kind) == SLUICE_SPAN_KERNEL &&
            std::ranges::find(operations, record.name, &profile::Operation::kernel) == operations.end()) {
            operations.push_back({.path = short_name(record.name),
                                  .type = "kernel",
                                  .shape = {},
                                  .kernel = record.name,
                                  .kind = SLUICE_SPAN_KERNEL});
        }
    }
    return std::make_shared<const std::vector<profile::Operation>>(std::move(operations));
}

// `launch` is null if it is not known; the operation is then that of the kernel's name.
profile::Span span_of(const registry::Activity& record, const profile::Operation* launch,
                      const std::vector<profile::Operation>& kernels) {
    const auto found = std::ranges::find(kernels, record.name, &profile::Operation::kernel);
    const profile::Operation* const kernel = found == kernels.end() ? nullptr : &*found;
    const std::uint32_t kind = launch != nullptr ? launch->kind : span_kind(record.kind);
    return {.begin = 1e-9 * static_cast<double>(record.begin_ns),
            .end = 1e-9 * static_cast<double>(record.end_ns),
            .kind = is_collective(record.name) ? std::uint32_t{SLUICE_SPAN_EXCHANGE} : kind,
            .name = record.name,
            .operation = launch != nullptr ? launch : kernel,
            .bytes = record.bytes,
            .correlation = record.correlation};
}

// The threads of calls are no threads of the system. Their numbers are above those, and positive, since XProf takes a
// negative one for a counter.
constexpr std::int64_t kFirstCallsThread = 1'000'000'000;

// The calls that enqueued the records, as the driver noted them. All kernels of a replayed graph have the same call.
profile::RecordedThread list_calls(const std::vector<registry::Activity>& records, std::uint32_t device,
                                   const std::vector<profile::StepBegin>& steps) {
    profile::RecordedThread calls{.name = fmt::format("calls to device {}", device), .id = kFirstCallsThread + device};
    std::set<std::uint64_t> seen;
    for (const registry::Activity& record : records) {
        if (record.launch_ns >= 0 && record.correlation != 0 && seen.insert(record.correlation).second) {
            const double time = 1e-9 * static_cast<double>(record.launch_ns);
            calls.spans.push_back({.begin = time,
                                   .end = time,
                                   .kind = SLUICE_SPAN_CALL,
                                   .name = "launch",
                                   .step = step_at(steps, time),
                                   .correlation = record.correlation});
        }
    }
    return calls;
}

// Adds a thread for each stream that did something.
void add_streams(const registry::Activities& activities, std::uint32_t device,
                 const std::vector<StreamSpans::Launch>& launched, profile::RecordedSpans& to) {
    const KernelLaunches launches = find_launches(activities.records, launched, to.steps);
    to.operations.push_back(launches.parts);
    const profile::Operations kernels = to.operations.emplace_back(list_kernels(activities.records, launches));
    std::map<std::uint32_t, profile::RecordedThread> streams;
    for (std::size_t i = 0; i < activities.records.size(); ++i) {
        const registry::Activity& record = activities.records[i];
        profile::Span& span =
            streams[record.stream].spans.emplace_back(span_of(record, launches.operations[i], *kernels));
        if (record.launch_ns >= 0) {
            span.step = step_at(to.steps, 1e-9 * static_cast<double>(record.launch_ns));
        }
    }
    to.threads.push_back(list_calls(activities.records, device, to.steps));
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

void RecordedDevices::start(const ReplicaGroup& replicas, const registry::Processes& processes) {
    end();
    devices_ = asynchronous_devices(replicas);
    std::string reason;
    for (std::uint32_t number = 0; number < devices_.size(); ++number) {
        try {
            active_.try_emplace(number, devices_[number]);
        } catch (const Error& error) {
            reason = error.what();
        }
    }
    note_launches(replicas);
    const std::string problem = reason.empty() ? "" : time_launches(replicas);
    const bool replays = replicas.first().network().captures_graphs();
    choose_eager_steps(replays && timed_ != nullptr, replays && noted_ != nullptr,
                       replicas.is_whole_world() ? nullptr : &processes);
    if (!reason.empty() && !std::exchange(has_warned_, true)) {
        log::warn(
            problem.empty()
                ? fmt::format("kernels of the device are not recorded, so its launches are timed one by one{}: {}",
                              runs_eagerly_ ? "; the steps of the window run without captured graphs, "
                                              "so their times differ from those of other steps"
                                            : "",
                              reason)
                : fmt::format("kernels of the device are not recorded, so the window lacks some of its work: {}; "
                              "its launches are not timed either: {}",
                              reason, problem));
    }
}

// The launches of two replicas on one device cannot be told apart.
void RecordedDevices::note_launches(const ReplicaGroup& replicas) {
    if (active_.empty() || devices_.size() != replicas.size()) {
        return;
    }
    replicas.each([&](Replica& replica, std::uint32_t) {
        if (active_.contains(number_of(replica.runner().device()))) {
            replica.runner().spans().note_launches();
        }
    });
    noted_ = &replicas;
}

std::string RecordedDevices::time_launches(const ReplicaGroup& replicas) {
    std::string problem;
    std::mutex mutex;
    replicas.each([&](Replica& replica, std::uint32_t) {
        const std::uint32_t number = number_of(replica.runner().device());
        if (number == devices_.size() || active_.contains(number)) {
            return;
        }
        std::string reason;
        try {
            replica.runner().spans().start();
        } catch (const Error& error) {  // must not end the other replicas
            reason = error.what();
        }
        const std::lock_guard lock(mutex);
        problem = reason.empty() ? problem : reason;
        timed_ = reason.empty() ? &replicas : timed_;
    });
    return problem;
}

// NCCL asks that all processes replay a collective or none, so they all do what one of them needs.
void RecordedDevices::choose_eager_steps(bool needs_all, bool needs_first, const registry::Processes* processes) {
    if (processes != nullptr) {
        needs_all = asks_any(*processes, needs_all, "whether a window runs without captured graphs");
        needs_first = asks_any(*processes, needs_first, "whether a window begins without captured graphs");
    }
    runs_eagerly_ = needs_all;
    replays_after_first_ = needs_first && !needs_all;
    if (runs_eagerly_) {
        profile::Recorder::set_runs_eagerly(true);
    } else if (replays_after_first_) {
        profile::Recorder::run_next_step_eagerly();
    }
}

void RecordedDevices::stop(profile::RecordedSpans& to) {
    to.runs_eagerly = runs_eagerly_;
    to.eager_step = replays_after_first_ && !to.steps.empty() ? to.steps.front().step : 0;
    try {
        add_activities(to);
        add_launches(to);
    } catch (const Error& error) {  // the device may be lost, which the next step reports
        log::warn(fmt::format("the window lacks work of the device: {}", error.what()));
    }
    end();
}

void RecordedDevices::add_activities(profile::RecordedSpans& to) {
    std::vector<std::vector<StreamSpans::Launch>> launches(devices_.size());
    if (noted_ != nullptr) {
        noted_->each([&](Replica& replica, std::uint32_t) {
            if (const std::uint32_t number = number_of(replica.runner().device()); number < launches.size()) {
                launches[number] = replica.runner().spans().take_launches();
            }
        });
    }
    for (auto& [number, device] : active_) {
        add_streams(device.stop(), number, launches[number], to);
    }
}

void RecordedDevices::add_launches(profile::RecordedSpans& to) const {
    if (timed_ == nullptr) {
        return;
    }
    std::string problem;
    std::mutex mutex;  // guards `problem`
    std::vector<std::optional<profile::RecordedThread>> streams(timed_->size());
    timed_->each([&](Replica& replica, std::uint32_t local) {
        if (!replica.runner().spans().is_started()) {
            return;
        }
        try {
            streams[local] = replica.runner().spans().stop();
            streams[local]->device = number_of(replica.runner().device());
        } catch (const Error& error) {  // must not end the other replicas
            const std::lock_guard lock(mutex);
            problem = error.what();
        }
    });
    for (std::optional<profile::RecordedThread>& stream : streams) {
        if (stream) {
            to.threads.push_back(std::move(*stream));
        }
    }
    if (!problem.empty()) {
        throw Error(Exit::device, problem);
    }
}

std::uint32_t RecordedDevices::number_of(const SharedDevice& device) const {
    return static_cast<std::uint32_t>(std::ranges::find(devices_, device) - devices_.begin());
}

void RecordedDevices::end() {
    profile::Recorder::set_runs_eagerly(false);
    runs_eagerly_ = false;
    replays_after_first_ = false;
    active_.clear();
    devices_.clear();
    timed_ = nullptr;
    noted_ = nullptr;
}

}  // namespace sluice::run
