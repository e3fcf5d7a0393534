#include "observe/usage/sampler.hpp"

#include <fmt/format.h>

#include <cmath>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "observe/cpu_time.hpp"
#include "observe/usage/device_meter.hpp"
#include "observe/usage/process_meter.hpp"
#include "observe/usage/sample_budget.hpp"
#include "observe/usage/thread_meter.hpp"
#include "observe/usage/usage_file.hpp"
#include "profile/recorder.hpp"

namespace sluice::observe {
namespace {

using SamplerClock = std::chrono::steady_clock;

constexpr std::chrono::seconds kTimeout(3);  // until the end of a run does not wait for the driver of a device

double unix_seconds() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// Holds all that one run needs. The thread of the sampler owns it.
class Sampling {
public:
    explicit Sampling(SampledRun run)
        : run_(std::move(run)), devices_(usage_readers(run_.devices)), columns_(usage_columns(devices_.size())) {
        if (!run_.file.empty()) {
            file_.emplace(run_.file, columns_);
        }
        if (const std::string missing = processes_.missing(); !missing.empty()) {
            log::warn(fmt::format("usage: {} cannot be read; these columns stay empty", missing));
        }
        if (!threads_.read(0.0, *buffer_).is_known) {
            log::warn("usage: /proc/self/task/*/schedstat cannot be read; the columns of thread classes stay empty");
        }
    }

    // Returns false if `is_over` became true while a device was asked: nothing of the run may be used any more.
    bool sample(const std::function<bool()>& is_over) {
        Row row = unknown_row(columns_);
        const double time = now();
        const double seconds = time - last_;
        if (seconds < kShortest) {
            return true;
        }
        last_ = time;
        processes_.read(seconds, *buffer_, row);
        sample_threads(time, row);
        sample_devices(row);
        if (is_over()) {
            return false;
        }
        const RunPace& pace = run_.bus->pace();
        row[column::kUnixSeconds] = unix_seconds();
        row[column::kSeconds] = time - began_;
        row[column::kIntervalSeconds] = seconds;
        row[column::kStep] = pace.step() > 0 ? static_cast<double>(pace.step()) : row[column::kStep];
        if (run_.batches_ready) {
            row[column::kBatchesReady] = static_cast<double>(run_.batches_ready());
        }
        const double cpu = thread_cpu_seconds();
        row[column::kSamplerCpu] = (cpu - cpu_at_last_) / seconds;
        cpu_at_last_ = cpu;
        emit(row);
        if (file_) {
            file_->add(row);
        }
        return true;
    }

    void finish() {
        if (file_) {
            file_->finish();
        }
        const double seconds = now() - began_;
        const double cpu = thread_cpu_seconds() - cpu_at_begin_;
        const std::string share =
            seconds < kShortestShare ? "" : fmt::format(", {:.2g} % of one core", 100.0 * cpu / seconds);
        log::info(fmt::format("{:<9} sampling took {:.2g} ms{}", "usage", 1e3 * cpu, share));
    }

private:
    static constexpr double kShortest = 0.005;     // seconds; the rates of a shorter interval are noise
    static constexpr double kShortestShare = 5.0;  // seconds; in a shorter run it would be that of the first samples

    void sample_threads(double time, Row& row) {
        if (!thread_budget_.take()) {
            return;
        }
        const double start = thread_cpu_seconds();
        const double seconds = time - threads_at_;
        const ThreadSums& sums = threads_.read(seconds, *buffer_);
        if (sums.is_known && seconds > 0.0) {
            for (std::size_t kind = 0; kind < sums.cpu.size(); ++kind) {
                row[column::kCpuOfClass + kind] = (sums.cpu[kind] - before_.cpu[kind]) / seconds;
            }
            row[column::kRunQueue] = (sums.queued_in_all() - before_.queued_in_all()) / seconds;
        }
        before_ = sums;
        threads_at_ = time;
        thread_budget_.spend(thread_cpu_seconds() - start);
    }

    void sample_devices(Row& row) {
        if (devices_.empty() || !device_budget_.take()) {
            return;
        }
        const double start = thread_cpu_seconds();
        for (std::size_t device = 0; device < devices_.size(); ++device) {
            if (const auto figures = devices_[device]()) {
                set_device_columns(*figures, device, row);
            }
        }
        device_budget_.spend(thread_cpu_seconds() - start);
    }

    void emit(const Row& row) const {
        if (!run_.bus->wanted(SLUICE_EVENT_USAGE)) {
            return;
        }
        Event event;
        event.kind = SLUICE_EVENT_USAGE;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            if (std::isfinite(row[i])) {
                event.scalars.emplace_back(columns_[i].name, row[i]);
            }
        }
        run_.bus->emit(std::move(event));
    }

    SampledRun run_;
    std::unique_ptr<ProcBuffer> buffer_ = std::make_unique<ProcBuffer>();
    ProcessMeter processes_;
    ThreadMeter threads_;
    ThreadSums before_;
    SampleBudget thread_budget_;
    std::vector<UsageReader> devices_;
    SampleBudget device_budget_;
    std::vector<Column> columns_;
    std::optional<UsageFile> file_;
    double began_ = now();
    double last_ = began_;
    double threads_at_ = began_;
    double cpu_at_begin_ = thread_cpu_seconds();
    double cpu_at_last_ = cpu_at_begin_;
};

}  // namespace

struct Sampler::State {
    enum class Phase { waiting, sampling, ending, ended, abandoned };

    // The body of the thread.
    static void serve(const std::shared_ptr<State>& state) {
        profile::name_thread(SLUICE_THREAD_OTHER, "usage");
        std::unique_lock lock(state->mutex);
        state->changed.wait(lock, [&] { return state->phase != Phase::waiting; });
        std::optional<SampledRun> run = std::exchange(state->run, std::nullopt);
        lock.unlock();
        try {
            if (run) {
                const std::chrono::milliseconds interval = run->interval;
                state->sample(std::make_unique<Sampling>(std::move(*run)), interval);
            }
        } catch (const std::exception& error) {
            log::warn(fmt::format("usage: {}; training continues without samples of it", error.what()));
        }
        lock.lock();
        state->phase = state->phase == Phase::abandoned ? state->phase : Phase::ended;
        state->changed.notify_all();
    }

    void sample(std::unique_ptr<Sampling> sampling, std::chrono::milliseconds interval) {
        const auto is_abandoned = [this] {
            const std::lock_guard lock(mutex);
            return phase == Phase::abandoned;
        };
        SamplerClock::time_point next = SamplerClock::now();
        bool is_over = false;
        while (!is_over) {
            // A sample that comes late, as after a suspended process, moves those after it.
            next = std::max(next + interval, SamplerClock::now());
            {
                std::unique_lock lock(mutex);
                is_over = changed.wait_until(lock, next, [this] { return phase != Phase::sampling; });
            }
            if (!sampling->sample(is_abandoned)) {
                static_cast<void>(sampling.release());  // the devices that it owns may be in an unknown state
                return;
            }
        }
        sampling->finish();
    }

    std::mutex mutex;  // guards the members below
    std::condition_variable changed;
    Phase phase = Phase::waiting;
    std::optional<SampledRun> run;
    std::thread thread;
};

Sampler::Sampler() : state_(std::make_shared<State>()) {
    state_->thread = std::thread([state = state_] { State::serve(state); });
}

Sampler::~Sampler() { end(); }

void Sampler::begin(SampledRun run) {
    const std::lock_guard lock(state_->mutex);
    if (state_->phase == State::Phase::waiting) {
        state_->run = std::move(run);
        state_->phase = State::Phase::sampling;
        state_->changed.notify_all();
    }
}

void Sampler::end() {
    State& state = *state_;
    if (!state.thread.joinable()) {
        return;
    }
    {
        std::unique_lock lock(state.mutex);
        if (state.phase != State::Phase::ended) {
            state.phase = State::Phase::ending;
            state.changed.notify_all();
        }
        if (!state.changed.wait_for(lock, kTimeout, [&] { return state.phase == State::Phase::ended; })) {
            state.phase = State::Phase::abandoned;
            state.thread.detach();
        }
    }
    if (state.thread.joinable()) {
        state.thread.join();
    } else {
        log::warn("usage: a device or the disk does not answer; the last rows of usage.csv are missing");
    }
}

}  // namespace sluice::observe
