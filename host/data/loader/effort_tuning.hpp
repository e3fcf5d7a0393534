// Workers and prefetch of a loader while batches are taken: the autotuner with the clock and the memory that it goes
// by. Private to this folder.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "data/loader/caller_clock.hpp"
#include "data/loader/loader.hpp"
#include "data/loader/tuner.hpp"

namespace sluice::data {

// Not thread-safe.
class EffortTuning {
public:
    // `purpose` opens what is reported; `options` is kept.
    EffortTuning(std::string purpose, const LoaderOptions& options);

    // Until the first adjust(): no batches are made ahead whose size is not known yet.
    [[nodiscard]] const Effort& effort() const { return effort_; }
    // From here to the next batch is none of the caller's steps.
    void pause();
    // A batch was handed out, for which the caller waited so many seconds.
    void hand_out(double waited);
    // After hand_out(), for threads that make batches of `sample_bytes` a sample. `busy_seconds`: of all of them so
    // far; asked for only if that is needed. True if effort() may have changed.
    bool adjust(std::uint64_t sample_bytes, const std::function<double()>& busy_seconds);
    // What the last adjust() has to report; empty: nothing.
    [[nodiscard]] const std::string& news() const { return news_; }

private:
    [[nodiscard]] std::int64_t batches_that_fit(std::uint64_t sample_bytes) const;
    void begin(std::uint64_t sample_bytes);
    bool observe(const std::function<double()>& busy_seconds);

    const std::string purpose_;
    const LoaderOptions& options_;
    Effort effort_;
    CallerClock clock_;
    std::int64_t batches_ = 0;    // handed out
    std::optional<Tuner> tuner_;  // none before the first batch: how many fit is known only then
    std::string news_;
};

}  // namespace sluice::data
