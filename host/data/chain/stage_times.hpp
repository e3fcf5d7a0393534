// How long each stage of a chain takes in one thread, and which of them that thread is at. One thread writes; any may
// read meanwhile.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::data {

// What a stage has done so far.
struct StageSum {
    std::uint64_t samples = 0;  // that entered it
    std::uint64_t taken = 0;    // bytes of the fields that reached it; none of a source, which reads what it likes
    std::uint64_t written = 0;  // bytes of the fields that it wrote
    double seconds = 0.0;       // between entering and leaving it
    double computed = 0.0;      // of them, on a core; in the others it waited for a file, or for a core

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
        std::uint64_t index;  // of the sample, or the batch
        double since;         // on the clock of now()
        std::string name;     // of the sample, where it is known by now
    };

    explicit StageTimes(std::size_t stages) : sums_(stages) {}

    // [its thread] Leaves the stage that it is in, if any. `samples`: so many enter; 0: the one that has been in it.
    void enter(std::size_t stage, std::uint64_t index, std::uint64_t samples = 1);
    void leave();
    // Leaves it at the end of a scope.
    class Leaving {
    public:
        explicit Leaving(StageTimes& times) : times_(times) {}
        ~Leaving() { times_.leave(); }
        Leaving(const Leaving&) = delete;
        Leaving& operator=(const Leaving&) = delete;

    private:
        StageTimes& times_;
    };
    // [its thread] Of the sample that it is at; empty: not known yet.
    void set_name(std::string_view name);
    // In the stage that it is in.
    void took(std::uint64_t bytes) { taken_ += bytes; }
    void wrote(std::uint64_t bytes) { written_ += bytes; }

    // [any thread]
    [[nodiscard]] StageSum sum(std::size_t stage) const;
    // Nothing where it is in no stage.
    [[nodiscard]] std::optional<Place> place() const;

private:
    static constexpr std::size_t kNowhere = ~std::size_t{0};

    // A number of one writer.
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
    std::atomic<std::size_t> stage_{kNowhere};
    std::atomic<std::uint64_t> index_{0};
    std::atomic<double> since_{0.0};
    mutable std::mutex name_mutex_;
    std::string name_;
    double computed_before_ = 0.0;  // CPU seconds of the thread when the stage was entered
    std::uint64_t taken_ = 0;       // in it
    std::uint64_t written_ = 0;
};

}  // namespace sluice::data
