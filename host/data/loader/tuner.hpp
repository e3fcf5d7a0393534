// How many threads make samples and how many batches they make ahead, where the pipeline leaves it to us: no more than
// the consumer needs, and no more than helps.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sluice::data {

struct Effort {
    std::int64_t workers = 1;   // threads
    std::int64_t prefetch = 2;  // batches made ahead
    friend bool operator==(const Effort&, const Effort&) = default;
};

// Sums since some time.
struct TunerSums {
    double seconds = 0.0;
    double waited = 0.0;  // of them, by the consumer
    double busy = 0.0;    // of all workers together
    std::int64_t batches = 0;

    TunerSums& operator-=(const TunerSums& before);
};

class Tuner {
public:
    // `most`: the budget. Where it is no more than `start`, nothing is tuned.
    Tuner(Effort start, Effort most);

    // After each batch. True where it has decided something: effort(), reason() and has_news() may have changed.
    bool observe(const TunerSums& sums);
    // Whether there is anything to tune, and observe() with so much would decide; without `busy`.
    [[nodiscard]] bool is_due(const TunerSums& sums) const;

    [[nodiscard]] const Effort& effort() const { return effort_; }
    // Why it was not raised further, as one of a few literals; empty while a raise is on trial.
    [[nodiscard]] std::string_view reason() const { return reason_; }
    // Whether it came to this effort for this reason for the first time.
    [[nodiscard]] bool has_news() const { return has_news_; }

private:
    struct Decision {
        Effort effort;
        std::string_view reason;
        friend bool operator==(const Decision&, const Decision&) = default;
    };

    void decide(const TunerSums& window);
    void raise(const TunerSums& window);
    void take_back();

    Effort effort_;
    Effort most_;
    Effort before_;                // the raise that is on trial
    int trial_ = 0;                // windows in which it may still show that it helps
    double waited_before_ = 0.0;   // seconds a batch
    double seconds_before_ = 0.0;  // the same
    int pause_ = 0;                // windows without a new trial, after one that did not help
    int next_pause_ = 8;           // doubled each time: a cold disk may be a warm one later
    std::optional<TunerSums> begin_;
    std::string_view reason_;
    std::vector<Decision> told_;
    bool has_news_ = false;
};

}  // namespace sluice::data
