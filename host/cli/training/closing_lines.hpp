// The lines of the log after the last step: where the run stopped, and the commands that use it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "config/spec.hpp"
#include "data/chain/chain.hpp"
#include "run/train/trainer.hpp"

namespace sluice::cli {

// `step`: the last step.
void print_closing(const config::PipelineSpec& spec, const data::Chain& train, std::uint64_t step, run::Outcome outcome,
                   const std::filesystem::path& folder);

// A finished run that is resumed trains no step. Prints the command that makes it train further.
void print_how_to_train_further(const config::PipelineSpec& spec, const run::Progress& progress,
                                const std::filesystem::path& folder);

// Logs how the time of the run was spent.
void print_account(const run::RunAccount& account, const std::string& start_parts, const std::string& clock_cost);

// Logs what limits the run, as the events in its folder show it.
void print_verdict(const std::filesystem::path& folder);

// Warns if the memory of the run grew, as the samples in its folder show it.
void warn_of_growth(const std::filesystem::path& folder);

}  // namespace sluice::cli
