// What a loader has done, stage by stage, and what that says about who waits for whom.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/chain/stage_times.hpp"

namespace sluice::data {

struct StageFigures {
    std::string name;
    StageSum sum;  // of all workers
};

// Sums since the loader was made; the difference of two is what happened in between.
struct LoaderFigures {
    std::vector<StageFigures> stages;  // in the order of the chain
    std::int64_t workers = 0;          // threads that make samples; at least 1: the caller
    std::int64_t prefetch = 0;
    double seconds = 0.0;
    double worker_seconds = 0.0;  // of all of these threads
    double at_work = 0.0;         // of them, with a sample or batch at hand; in the others all batches ahead were made
    double waited = 0.0;          // seconds that the caller waited for batches
    std::uint64_t batches = 0;    // handed out
    std::uint64_t samples = 0;    // in them
    std::uint64_t ready = 0;      // batches that were ready when one was asked for, that one with them
    std::uint64_t replaced = 0;   // samples that were bad, and others in their places

    [[nodiscard]] LoaderFigures since(const LoaderFigures& before) const;
    // The number of the stage that takes most of the workers' time.
    [[nodiscard]] std::size_t slowest() const;
};

// A table, one line for each stage, and a sentence that names what holds the others up. `drained`: the caller did
// nothing but ask for batches.
std::string to_text(const LoaderFigures& figures, bool drained);
std::string to_json(const LoaderFigures& figures);

}  // namespace sluice::data
