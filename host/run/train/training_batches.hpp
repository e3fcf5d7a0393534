// The batches that a training takes from its loader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "config/spec.hpp"
#include "data/loader/loader.hpp"
#include "profile/stage.hpp"

namespace sluice::run {

// With train.overfit_one_batch, every batch is the first one. With what_if.replay_batches = N, the first N come again
// and again.
class TrainingBatches {
public:
    // Both must outlive this object.
    TrainingBatches(const config::PipelineSpec& spec, data::Loader& loader);

    // Returns the next batch, which is valid until the next call. Throws as Loader::next().
    const data::Batch& next();
    // Returns true if the batches of the next `steps` steps are ready.
    [[nodiscard]] bool are_ready(std::uint64_t steps) const;
    // See Loader::order_fingerprint() and Loader::class_names().
    [[nodiscard]] std::string order() const { return loader_.order_fingerprint(); }
    [[nodiscard]] const data::ClassNames& class_names() const { return loader_.class_names(); }
    [[nodiscard]] data::InputMemory memory() const { return loader_.memory(); }
    [[nodiscard]] double read_seconds() const { return loader_.read_seconds(); }
    [[nodiscard]] double preprocess_seconds() const { return loader_.preprocess_seconds(); }
    // The stage of the input for which a step of these times waited long; empty: it did not. Valid as long as the
    // loader.
    [[nodiscard]] std::string_view awaited_stage(const profile::StageSeconds& step) const;
    // SHA-256 of the epoch's samples; empty if it is not known.
    [[nodiscard]] std::string digest() const;
    // Returns the loader's state for a resume at `batch` of the epoch.
    [[nodiscard]] data::LoaderState loader_state_at(std::uint64_t batch) const;
    // Excludes the time until the next next() from what the autotuner measures.
    void note_pause() { loader_.note_pause(); }

private:
    // True if all batches of the run are in memory.
    [[nodiscard]] bool replays() const { return most_kept_ > 0 && kept_.size() == most_kept_; }

    const config::PipelineSpec& spec_;
    data::Loader& loader_;
    std::size_t most_kept_;           // batches that come again and again; 0: none does
    std::deque<data::Batch> kept_{};  // their addresses do not change
    std::size_t next_kept_ = 0;
};

}  // namespace sluice::run
