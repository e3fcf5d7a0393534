// The course of a training, from the events that its folder records.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "history/event_line.hpp"
#include "history/series.hpp"

namespace sluice::history {

struct EvaluationRow {
    std::int64_t epoch = 0;
    std::int64_t step = 0;
    std::vector<std::pair<std::string, double>> scores{};  // with "validation_loss"
    std::string best_by{};  // the score that decides, if no earlier evaluation was better by it; else empty
};

// The best evaluation of a run.
struct BestScore {
    std::string name{};
    double value = 0.0;
    std::int64_t step = 0;
};

// One start or resume of the run.
struct Sitting {
    std::int64_t first_step = 0;  // steps before it were trained earlier
    double seconds = 0.0;         // until its last event
    std::string ended{};  // "finished", "interrupted", "diverged" or "failed"; empty: it was killed, or is alive
    // Seconds of each phase, in the order of the log; empty without a run_end event.
    std::vector<std::pair<std::string, double>> phases{};
};

class RunHistory {
public:
    void add(const EventLine& event);

    // From the last run_begin event; 0 if there was none.
    [[nodiscard]] std::int64_t epochs() const { return epochs_; }
    [[nodiscard]] std::int64_t last_step() const { return last_step_; }  // at which the training is finished
    // Number of the last step with an event.
    [[nodiscard]] std::int64_t step() const { return step_; }
    [[nodiscard]] std::int64_t epoch() const { return epoch_; }
    // Seconds of all sittings.
    [[nodiscard]] double seconds() const;
    // Samples per second by the last step events; 0: none.
    [[nodiscard]] double samples_per_second() const;

    // The stage of the input for which most steps waited that waited long; empty: none did, or the events lack it.
    [[nodiscard]] std::string awaited_stage() const;

    // One series for each scalar of step events, in the order in which they came first.
    [[nodiscard]] const std::vector<Series>& steps() const { return steps_.series; }
    // Same for the evaluations.
    [[nodiscard]] const std::vector<Series>& scores() const { return scores_.series; }
    // Null if there is no such series.
    [[nodiscard]] const Series* step_series(const std::string& name) const { return steps_.find(name); }
    [[nodiscard]] const Series* score_series(const std::string& name) const { return scores_.find(name); }
    [[nodiscard]] const std::vector<EvaluationRow>& evaluations() const { return evaluations_; }
    // Returns nothing before the first evaluation.
    [[nodiscard]] std::optional<BestScore> best() const;
    [[nodiscard]] const std::vector<Sitting>& sittings() const { return sittings_; }
    // Names of the sheets of pictures, such as "epoch_003", in the order of their steps.
    [[nodiscard]] std::vector<std::string> pictures() const;

private:
    struct SeriesList {
        std::vector<Series> series;

        void add(const EventLine& event);
        void cut_after(double step);
        [[nodiscard]] const Series* find(const std::string& name) const;
    };

    void begin(const EventLine& event);
    void count_awaited(const std::string& stage);

    std::int64_t epochs_ = 0;
    std::int64_t last_step_ = 0;
    std::int64_t step_ = 0;
    std::int64_t epoch_ = 0;
    SeriesList steps_;
    SeriesList scores_;
    std::vector<EvaluationRow> evaluations_;
    std::vector<Sitting> sittings_;
    std::vector<std::pair<std::int64_t, std::string>> pictures_;  // with their steps
    std::vector<std::pair<std::string, std::int64_t>> awaited_;  // stages of the input, with the steps that waited long
};

}  // namespace sluice::history
