#include "device/activity_recorder.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <memory>
#include <utility>

#include "sluice/sdk/guard.hpp"

namespace sluice::cudnn {
namespace {

// Calls give the time of a launch. Records of whole graphs are not wanted: they would replace those of kernels.
constexpr std::array kRecorded{Cupti::kKernel, Cupti::kCopy, Cupti::kFill, Cupti::kRuntimeCall, Cupti::kDriverCall};
constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr std::size_t kMostActivities = std::size_t{1} << 20;  // of a window; further ones are dropped
constexpr std::size_t kMostLaunches = std::size_t{1} << 20;    // of further ones, the time is not known

// The recorder that CUPTI's callbacks, which have no argument of their own, use.
std::atomic<ActivityRecorder*> current_recorder = nullptr;

std::int64_t host_nanoseconds() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

std::string demangled(const char* name) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                           std::free);
    return status == 0 && text != nullptr ? text.get() : name;
}

}  // namespace

void ActivityRecorder::start(int gpu) {
    const std::lock_guard calling(calls_);
    open();
    const auto key = static_cast<std::uint32_t>(gpu);
    const Moment began = now();
    bool is_first = false;
    {
        const std::lock_guard lock(records_);
        is_first = windows_.empty();
        if (!windows_.try_emplace(key, Window{began, {}, 0}).second) {
            throw sdk::Failure(SLUICE_FAILED, "its activity is recorded already");
        }
    }
    const int status = is_first ? enable() : 0;
    if (status != 0) {
        disable();
        const std::lock_guard lock(records_);
        windows_.erase(key);
        throw sdk::Failure(SLUICE_UNSUPPORTED, "CUPTI cannot record: " + error_text(*cupti_, status));
    }
}

void ActivityRecorder::stop(int gpu, const sluice_activity_sink& sink) {
    const std::lock_guard calling(calls_);
    std::optional<Recorded> recorded = end(gpu);
    if (!recorded) {
        throw sdk::Failure(SLUICE_FAILED, "its activity is not recorded");
    }
    if (recorded->status != 0) {
        throw sdk::Failure(SLUICE_FAILED, "CUPTI cannot deliver its records: " + error_text(*cupti_, recorded->status));
    }
    // The system may adjust CUPTI's clock, so that both differ in rate.
    const Moment began = recorded->window.began;
    const Moment ended = now();
    const double drift = static_cast<double>((ended.host - ended.cupti) - (began.host - began.cupti)) /
                         static_cast<double>(std::max<std::int64_t>(ended.cupti - began.cupti, 1));
    const auto by_host = [&](std::uint64_t time) {
        const std::int64_t since = static_cast<std::int64_t>(time) - began.cupti;
        return began.host + since + static_cast<std::int64_t>(drift * static_cast<double>(since));
    };
    std::ranges::sort(recorded->launches);  // a call of the runtime comes before the driver's call that it makes
    for (const Activity& one : recorded->window.activities) {
        const auto launch = std::ranges::lower_bound(recorded->launches, Launch{one.correlation, 0});
        const bool has_launch = launch != recorded->launches.end() && launch->first == one.correlation;
        sluice_activity activity{};
        activity.struct_size = sizeof(activity);
        activity.begin_ns = by_host(one.begin);
        activity.end_ns = std::max(activity.begin_ns, by_host(one.end));
        activity.launch_ns = has_launch ? by_host(launch->second) : -1;
        activity.bytes = one.bytes;
        activity.correlation = one.correlation;
        activity.kind = one.kind;
        activity.stream = one.stream;
        activity.name = sdk::text_of(one.name);
        sink.add(&sink, &activity);
    }
    if (recorded->window.dropped > 0) {
        sink.add_dropped(&sink, recorded->window.dropped);
    }
}

void ActivityRecorder::discard(int gpu) noexcept {
    try {
        const std::lock_guard calling(calls_);
        end(gpu);
    } catch (const std::exception&) {  // there is no memory: the window stays, and later ones of this GPU are refused
    }
}

void ActivityRecorder::open() {
    std::optional<sdk::Failure> first;
    for (std::size_t i = 0; !cupti_ && i < libraries_.size(); ++i) {
        try {
            cupti_ = open_cupti(libraries_[i]);
        } catch (const sdk::Failure& failure) {
            first = first ? first : std::optional(failure);
        }
    }
    if (!cupti_ && first) {
        throw sdk::Failure(*first);
    }
}

int ActivityRecorder::enable() {
    current_recorder = this;
    int status = cupti_->set_callbacks(on_request, on_complete);
    for (std::size_t i = 0; status == 0 && i < kRecorded.size(); ++i) {
        status = cupti_->enable(kRecorded[i]);
    }
    return status;
}

void ActivityRecorder::disable() const noexcept {
    for (const std::uint32_t kind : kRecorded) {
        cupti_->disable(kind);
    }
}

std::optional<ActivityRecorder::Recorded> ActivityRecorder::end(int gpu) {
    const auto key = static_cast<std::uint32_t>(gpu);
    bool is_last = false;
    {
        const std::lock_guard lock(records_);
        if (!windows_.contains(key)) {
            return std::nullopt;
        }
        is_last = windows_.size() == 1;
    }
    if (is_last) {
        disable();
    }
    Recorded recorded;
    recorded.status = cupti_->flush(Cupti::kForced);
    std::size_t dropped = 0;
    if (cupti_->dropped(nullptr, 0, &dropped) != 0) {
        dropped = 0;
    }
    const std::lock_guard lock(records_);
    count_dropped(dropped);
    recorded.launches = is_last ? std::exchange(launches_, {}) : launches_;
    recorded.window = std::move(windows_.at(key));
    windows_.erase(key);
    return recorded;
}

// Takes the closest of several readings.
ActivityRecorder::Moment ActivityRecorder::now() const {
    constexpr int kReadings = 16;
    Moment best;
    std::int64_t least = 0;
    for (int i = 0; i < kReadings; ++i) {
        std::uint64_t time = 0;
        const std::int64_t before = host_nanoseconds();
        const int status = cupti_->now(&time);
        const std::int64_t took = host_nanoseconds() - before;
        if (status != 0) {
            throw sdk::Failure(SLUICE_UNSUPPORTED, "CUPTI tells no time: " + error_text(*cupti_, status));
        }
        if (i == 0 || took < least) {
            best = {static_cast<std::int64_t>(time), before + took / 2};
            least = took;
        }
    }
    return best;
}

void ActivityRecorder::on_request(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records) {
    *buffer = static_cast<std::uint8_t*>(std::malloc(kBufferBytes));  // without one, CUPTI counts dropped records
    *bytes = *buffer != nullptr ? kBufferBytes : 0;
    *most_records = 0;
}

void ActivityRecorder::on_complete(void* /*context*/, std::uint32_t /*stream*/, std::uint8_t* buffer,
                                   std::size_t /*bytes*/, std::size_t valid_bytes) {
    if (buffer != nullptr && valid_bytes > 0) {
        current_recorder.load()->read(buffer, valid_bytes);
    }
    std::free(buffer);
}

void ActivityRecorder::read(std::uint8_t* buffer, std::size_t bytes) {
    const std::lock_guard lock(records_);
    Cupti::Record* record = nullptr;
    while (cupti_->next_record(buffer, bytes, &record) == 0) {
        try {
            add(*record);
        } catch (const std::exception&) {  // there is no memory
            count_dropped(1);
        }
    }
}

void ActivityRecorder::add(const Cupti::Record& record) {
    switch (record.kind) {
        case Cupti::kKernel:
            add_kernel(reinterpret_cast<const Cupti::Kernel&>(record));
            break;
        case Cupti::kCopy:
        case Cupti::kFill:
            add_transfer(reinterpret_cast<const Cupti::Transfer&>(record));
            break;
        case Cupti::kRuntimeCall:
        case Cupti::kDriverCall: {
            const auto& call = reinterpret_cast<const Cupti::Call&>(record);
            if (!windows_.empty() && launches_.size() < kMostLaunches) {
                launches_.emplace_back(call.correlation, call.start);
            }
            break;
        }
        default:  // of a later CUPTI
            break;
    }
}

void ActivityRecorder::add_kernel(const Cupti::Kernel& kernel) {
    add(kernel.device, {kernel.start, kernel.end, 0, SLUICE_ACTIVITY_KERNEL, kernel.stream, kernel.correlation,
                        shown_name(kernel.name)});
}

void ActivityRecorder::add_transfer(const Cupti::Transfer& transfer) {
    std::uint32_t kind = SLUICE_ACTIVITY_COPY;
    std::string_view name = "Memcpy DtoD";
    if (transfer.kind == Cupti::kFill) {
        kind = SLUICE_ACTIVITY_FILL;
        name = "Memset";
    } else if (transfer.copy_kind == Cupti::kToDevice) {
        kind = SLUICE_ACTIVITY_UPLOAD;
        name = "Memcpy HtoD";
    } else if (transfer.copy_kind == Cupti::kToHost) {
        kind = SLUICE_ACTIVITY_DOWNLOAD;
        name = "Memcpy DtoH";
    }
    add(transfer.device,
        {transfer.start, transfer.end, transfer.bytes, kind, transfer.stream, transfer.correlation, name});
}

void ActivityRecorder::add(std::uint32_t gpu, const Activity& activity) {
    const auto window = windows_.find(gpu);
    if (window == windows_.end()) {
        return;
    }
    // CUPTI leaves times 0 if it had no memory for them.
    const bool has_times = activity.begin != 0 && activity.end >= activity.begin;
    if (has_times && window->second.activities.size() < kMostActivities) {
        window->second.activities.push_back(activity);
    } else {
        ++window->second.dropped;
    }
}

// CUPTI does not say which GPU a dropped record was of.
void ActivityRecorder::count_dropped(std::uint64_t count) {
    for (auto& [gpu, window] : windows_) {
        window.dropped += count;
    }
}

std::string_view ActivityRecorder::shown_name(const char* name) {
    if (name == nullptr) {
        return "kernel";
    }
    const auto known = names_.find(std::string_view(name));
    return known != names_.end() ? known->second : names_.emplace(name, demangled(name)).first->second;
}

}  // namespace sluice::cudnn
