// The batches that a training takes from its loader.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "config/spec.hpp"
#include "data/loader/loader.hpp"

namespace sluice::run {

// With train.overfit_one_batch, all of them are the first.
class TrainingBatches {
public:
    // Both outlive it.
    TrainingBatches(const config::PipelineSpec& spec, data::Loader& loader);

    // The next batch, valid until the next call. Throws as Loader::next().
    const data::Batch& next();
    // Seconds that next() has waited since the last call of this function.
    double take_waited_seconds();
    // Whether the batches of the next `steps` steps are made already.
    [[nodiscard]] bool are_ready(std::uint64_t steps) const;
    // What Loader::order_fingerprint() and class_names() return.
    [[nodiscard]] std::string order() const { return loader_.order_fingerprint(); }
    [[nodiscard]] const data::ClassNames& class_names() const { return loader_.class_names(); }
    // SHA-256 of the epoch's samples; empty if it is not known.
    [[nodiscard]] std::string digest() const;
    // What a run needs to know of the data if it resumes at `batch` of the epoch.
    [[nodiscard]] data::LoaderState loader_state_at(std::uint64_t batch) const;
    // What follows until next() is no step: the loader does not count it as time to make batches in.
    void note_pause() { loader_.note_pause(); }

private:
    const config::PipelineSpec& spec_;
    data::Loader& loader_;
    std::optional<data::Batch> only_batch_;
    double waited_ = 0.0;
};

}  // namespace sluice::run
