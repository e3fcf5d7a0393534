// What a ring of batches tells of itself: its figures, and what its threads are at when a batch does not come.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/error.hpp"
#include "base/job.hpp"
#include "base/log.hpp"
#include "data/loader/awaiting.hpp"
#include "data/loader/batch_ring.hpp"

namespace sluice::data {

void BatchRing::tell_of_stall(std::uint64_t line, double seconds) const {
    log::warn(fmt::format("{}: waiting for batch {} for {} s: {}", chain_.purpose(), line % batches_per_epoch_,
                          seconds_text(seconds), what_threads_do()));
}

void BatchRing::give_up(double seconds) {
    has_given_up_ = true;
    const std::string whose = job().count > 1 ? fmt::format(" of process {}", job().number) : std::string();
    throw Error(Exit::data, fmt::format("{}: the input{} has not brought batch {} for {:.0f} s: {}", chain_.purpose(),
                                        whose, wanted_line_ % batches_per_epoch_, seconds, what_threads_do()));
}

std::string BatchRing::what_threads_do() const {
    const std::vector<std::string> stages = chain_.stages();
    const std::span<const std::string> of_batches = std::span(stages).subspan(stages_ - batch_stages_.count());
    std::vector<std::string> places;
    for (const Maker& maker : makers_) {
        add_place(maker.worker.times(), stages, "sample", places);
        add_place(maker.batches.times(), of_batches, "batch", places);
    }
    return places_text(places);
}

LoaderFigures BatchRing::figures() const {
    const std::lock_guard lock(mutex_);
    LoaderFigures figures = figures_;
    figures.seconds = now() - start_;
    figures.workers = std::max<std::int64_t>(1, effort_.workers);
    figures.prefetch = effort_.prefetch;
    figures.worker_seconds = workers_.sum();
    figures.at_work = at_work_.sum();
    for (const std::string& name : chain_.stages()) {
        figures.stages.push_back({name, sum_of(figures.stages.size())});
    }
    return figures;
}

// Of a stage, over all threads.
StageSum BatchRing::sum_of(std::size_t stage) const {
    const std::size_t of_samples = stages_ - batch_stages_.count();
    StageSum sum;
    for (const Maker& maker : makers_) {
        sum += stage < of_samples ? maker.worker.times().sum(stage) : maker.batches.times().sum(stage - of_samples);
    }
    return sum;
}

double BatchRing::busy_seconds() const {
    double seconds = 0.0;
    for (std::size_t stage = 0; stage < stages_; ++stage) {
        seconds += sum_of(stage).seconds;
    }
    return seconds;
}

}  // namespace sluice::data
