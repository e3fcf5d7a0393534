#include "data/loader/loader_meter.hpp"

#include <span>
#include <utility>
#include <vector>

#include "data/loader/batch.hpp"
#include "data/loader/stall_text.hpp"

namespace sluice::data {

LoaderMeter::LoaderMeter(std::vector<std::string> stages, std::size_t of_batches, std::vector<bool> reads)
    : stages_(std::move(stages)), of_samples_(stages_.size() - of_batches), reads_(std::move(reads)) {}

void LoaderMeter::add_thread(const StageTimes& samples, const StageTimes& batches) {
    threads_.push_back({samples, batches});
}

void LoaderMeter::count(const Batch& batch, std::uint64_t replaced, std::uint64_t ready, double waited) {
    const std::lock_guard lock(mutex_);
    ++counts_.batches;
    counts_.samples += static_cast<std::uint64_t>(batch.made.end - batch.made.begin);
    counts_.replaced += replaced;
    counts_.ready += ready;
    counts_.waited += waited;
}

LoaderFigures LoaderMeter::figures() const {
    LoaderFigures figures;
    {
        const std::lock_guard lock(mutex_);
        figures = counts_;
    }
    figures.seconds = now() - start_;
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
        figures.stages.push_back({stages_[stage], sum_of(stage)});
    }
    return figures;
}

double LoaderMeter::busy_seconds() const {
    double seconds = 0.0;
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
        seconds += sum_of(stage).seconds;
    }
    return seconds;
}

LoaderMeter::InputSeconds LoaderMeter::input_seconds() const {
    const double time = now();
    InputSeconds sum;
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
        double& seconds = reads_[stage] ? sum.read : sum.preprocess;
        for (const Thread& thread : threads_) {
            seconds += stage < of_samples_ ? thread.samples.seconds_so_far(stage, time)
                                           : thread.batches.seconds_so_far(stage - of_samples_, time);
        }
    }
    return sum;
}

// The sum of a stage over all threads.
StageSum LoaderMeter::sum_of(std::size_t stage) const {
    StageSum sum;
    for (const Thread& thread : threads_) {
        sum += stage < of_samples_ ? thread.samples.sum(stage) : thread.batches.sum(stage - of_samples_);
    }
    return sum;
}

std::string_view LoaderMeter::slowest_stage() const {
    std::size_t slowest = 0;
    double most = 0.0;
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
        if (const double seconds = sum_of(stage).seconds; seconds > most) {
            slowest = stage;
            most = seconds;
        }
    }
    return stages_[slowest];
}

std::string LoaderMeter::places() const {
    std::vector<std::string> places;
    for (const Thread& thread : threads_) {
        add_place(thread.samples, stages_, "sample", places);
        add_place(thread.batches, std::span(stages_).subspan(of_samples_), "batch", places);
    }
    return places_text(places);
}

}  // namespace sluice::data
