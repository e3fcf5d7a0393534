// The loader's figures, stage by stage, and the verdict whether the input or its consumer is the bottleneck.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/chain/stage_times.hpp"

namespace sluice::data {

// Bytes of memory that an input takes now.
struct InputMemory {
    std::uint64_t batches = 0;  // in flight
    std::uint64_t cache = 0;    // cached samples, unless they are on disk
};

struct StageFigures {
    std::string name;
    StageSum sum;  // of all workers
};

// Sums since the loader was made. since() gives those of an interval.
struct LoaderFigures {
    std::vector<StageFigures> stages;  // in the order of the chain
    std::int64_t workers = 0;          // threads that make samples; 1 if only the caller does
    std::int64_t prefetch = 0;
    double seconds = 0.0;
    double worker_seconds = 0.0;  // of all these threads together
    double at_work = 0.0;         // of worker_seconds, with a task; the rest was idle, as all batches ahead were made
    double waited = 0.0;          // seconds that the caller waited for batches
    std::uint64_t batches = 0;    // handed out
    std::uint64_t samples = 0;    // in these batches
    std::uint64_t ready = 0;      // sum over batches: ready ones when it was requested, including itself
    std::uint64_t replaced = 0;   // bad samples that others replaced

    [[nodiscard]] LoaderFigures since(const LoaderFigures& before) const;
    // The number of the stage that takes the most time.
    [[nodiscard]] std::size_t slowest() const;
};

// A table with one line for each stage, and a sentence that names the bottleneck. `drained`: the caller did nothing but
// take batches.
std::string to_text(const LoaderFigures& figures, bool drained);
std::string to_json(const LoaderFigures& figures);

}  // namespace sluice::data
