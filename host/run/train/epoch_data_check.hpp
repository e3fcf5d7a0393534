// The SHA-256 of each epoch's samples: of all processes, and over a stop and a resume.
#pragma once

#include <cstdint>

#include "config/spec.hpp"
#include "data/loader/loader.hpp"
#include "registry/optional/processes.hpp"
#include "run/train/stop_request.hpp"
#include "run/train/timeline.hpp"

namespace sluice::run {

// If batches are replayed (train.overfit_one_batch, what_if.replay_batches), no digest is kept.
class EpochDataCheck {
public:
    // All references must outlive this object.
    EpochDataCheck(const config::PipelineSpec& spec, const registry::Processes& processes, data::Loader& loader,
                   const Timeline& timeline, StopRequest& stop);

    // Moves the loader to the next batch of `progress`. Batches that the digest lacks are made again. If the samples of
    // the epoch have changed since it began, warns, and the epoch has no digest. Returns false if the run is to stop
    // meanwhile. `timeout`, here and below: seconds that processes may be apart; 0: any number.
    [[nodiscard]] bool seek(Progress& progress, double timeout);
    // Exchanges hashes with the other processes at certain steps. All processes call this after each step. Throws
    // Disagreement(Exit::data) if processes that make all samples have made different ones.
    void add_step(Progress& progress, double timeout);

private:
    [[nodiscard]] bool make_again(std::uint64_t batches) const;
    [[nodiscard]] bool compare_beginning(Progress& progress, double timeout) const;
    [[nodiscard]] double data_timeout(double timeout) const;
    [[nodiscard]] bool is_time(const Progress& progress) const;
    void merge_hashes(double timeout) const;
    void expect_one_digest(const Progress& progress, double timeout) const;

    const config::PipelineSpec& spec_;
    const registry::Processes& processes_;
    data::Loader& loader_;
    const Timeline& timeline_;
    StopRequest& stop_;
};

}  // namespace sluice::run
