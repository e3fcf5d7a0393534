// The files that `train --measure FOLDER` writes while the run lasts, and `diagnose` reads: steps-rank-N.bin has the
// times of the steps of a rank, and input.jsonl the figures of the input, twice a second.
#pragma once

#include <filesystem>
#include <thread>

#include "data/chain/chain.hpp"
#include "data/loader/loader.hpp"
#include "run/train/trainer.hpp"

namespace sluice::cli {

class MeasureLog {
public:
    // Makes the folder. The chain and its loader must outlive this object. Throws Error(Exit::save) if a file cannot be
    // made.
    MeasureLog(const std::filesystem::path& folder, run::Trainer& trainer, const data::Chain& chain,
               const data::Loader& loader);

private:
    std::jthread thread_;
};

}  // namespace sluice::cli
