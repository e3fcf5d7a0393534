// The time of each stage of a chain in one thread, and the stage that the thread is in. One thread writes; any thread
// may read meanwhile.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profile/recorder.hpp"

namespace sluice::data {

// Sums of a stage so far.
struct StageSum {
    std::uint64_t samples = 0;  // that entered the stage
    std::uint64_t taken = 0;    // bytes of its input fields; 0 for a source
    std::uint64_t written = 0;  // bytes of the fields that it wrote
    double seconds = 0.0;       // wall time in the stage
    double computed = 0.0;      // CPU time in the stage; the rest was spent waiting for a file or a core

    StageSum& operator+=(const StageSum& other) {
        samples += other.samples;
        taken += other.taken;
        written += other.written;
        seconds += other.seconds;
        computed += other.computed;
        return *this;
    }
    StageSum& operator-=(const StageSum& other) {
        samples -= other.samples;
        taken -= other.taken;
        written -= other.written;
        seconds -= other.seconds;
        computed -= other.computed;
        return *this;
    }
};

class StageTimes {
public:
    struct Place {
        std::size_t stage;
        std::uint64_t index;  // of the sample or batch
        double since;         // time of now() when it entered the stage
        std::string name;     // of the sample; empty: not known yet
    };

    // How a stage is recorded in windows of a profile.
    struct Label {
        std::uint32_t kind;  // SLUICE_SPAN_READ or SLUICE_SPAN_PREPROCESS
        profile::Span::Name name;
    };

    explicit StageTimes(std::size_t stages) : sums_(stages) {}
    // Records the stages, in this order. Call it before the thread runs.
    void record_as(std::vector<Label> labels) { labels_ = std::move(labels); }

    // [its thread] Leaves the current stage, if any, and enters another. `samples`: how many enter; 0: the sample has
    // been counted in this stage before.
    void enter(std::size_t stage, std::uint64_t index, std::uint64_t samples = 1);
    void leave();
    // Calls leave() at the end of a scope.
    class Leaving {
    public:
        explicit Leaving(StageTimes& times) : times_(times) {}
        ~Leaving() { times_.leave(); }
        Leaving(const Leaving&) = delete;
        Leaving& operator=(const Leaving&) = delete;

    private:
        StageTimes& times_;
    };
    // [its thread] Sets the name of the current sample; empty: not known yet.
    void set_name(std::string_view name);
    // [its thread] Add bytes to the current stage.
    void took(std::uint64_t bytes) { taken_ += bytes; }
    void wrote(std::uint64_t bytes) { written_ += bytes; }

    // [any thread]
    [[nodiscard]] StageSum sum(std::size_t stage) const;
    // Wall seconds in the stage, with those of the current sample.
    [[nodiscard]] double seconds_so_far(std::size_t stage, double time) const;
    // std::nullopt if the thread is in no stage.
    [[nodiscard]] std::optional<Place> place() const;

private:
    static constexpr std::size_t kNowhere = ~std::size_t{0};

    // A number with one writer and any number of readers.
    template <class T>
    struct Shared {
        std::atomic<T> value{};
        void add(T more) { value.store(value.load(std::memory_order_relaxed) + more, std::memory_order_relaxed); }
        [[nodiscard]] T get() const { return value.load(std::memory_order_relaxed); }
    };
    struct Sum {
        Shared<std::uint64_t> samples;
        Shared<std::uint64_t> taken;
        Shared<std::uint64_t> written;
        Shared<double> seconds;
        Shared<double> computed;
    };

    void close(double time, double computed);

    std::deque<Sum> sums_;
    std::vector<Label> labels_;  // empty: nothing is recorded
    std::atomic<std::size_t> stage_{kNowhere};
    std::atomic<std::uint64_t> index_{0};
    std::atomic<double> since_{0.0};
    mutable std::mutex name_mutex_;
    std::string name_;
    double computed_before_ = 0.0;  // CPU seconds of the thread when the stage was entered
    std::uint64_t taken_ = 0;       // bytes of the current stage, not yet in sums_
    std::uint64_t written_ = 0;     // the same
};

}  // namespace sluice::data
