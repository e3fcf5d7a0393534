#include "cli/training/closing_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/text/shell_quoted.hpp"
#include "cli/terminal/shell_words.hpp"
#include "history/run_record.hpp"
#include "history/step_split.hpp"
#include "profile/run_memory.hpp"
#include "run/checkpoint/checkpoint_folder.hpp"

namespace sluice::cli {
namespace {

bool makes_pictures(const config::PipelineSpec& spec, const data::Chain& train) {
    return std::ranges::any_of(train.fields(), [&](const registry::Field& field) {
        return field.name == spec.model.target && field.role == SLUICE_FIELD_IMAGE;
    });
}

}  // namespace

void print_closing(const config::PipelineSpec& spec, const data::Chain& train, std::uint64_t step, run::Outcome outcome,
                   const std::filesystem::path& folder) {
    const std::filesystem::path checkpoints = folder / "checkpoints";
    const bool best = std::filesystem::exists(checkpoints / run::kBestCheckpoint);
    const std::string chosen = (checkpoints / (best ? run::kBestCheckpoint : run::kLastCheckpoint)).string();
    log::info(fmt::format("{} at step {}", outcome == run::Outcome::finished ? "finished" : "stopped and saved", step));
    if (makes_pictures(spec, train)) {
        log::info(
            fmt::format("predict   {} predict {} --input PICTURE --output restored", program(), shell_quoted(chosen)));
    }
    log::info(fmt::format("evaluate  {} evaluate {}", program(), shell_quoted(chosen)));
    if (outcome == run::Outcome::interrupted) {
        log::info(fmt::format("resume    {} resume {}", program(), shell_quoted(folder.string())));
    }
}

void print_account(const run::RunAccount& account, const std::string& start_parts, const std::string& clock_cost) {
    const char* title = "time";
    for (const std::string& line : account.lines(start_parts)) {
        log::info(fmt::format("{:<9} {}", std::exchange(title, ""), line));
    }
    log::info(fmt::format("{:<9} {}", "", clock_cost));
}

void print_verdict(const std::filesystem::path& folder) {
    try {
        history::RunRecord record(folder);
        record.update();
        log::info(fmt::format("{:<9} {}", "limit", history::verdict_of(record.history(), folder)));
    } catch (const Error& error) {
        log::warn(error.what());
    }
}

void warn_of_growth(const std::filesystem::path& folder) {
    if (const std::string warning = profile::growth_warning(folder); !warning.empty()) {
        log::warn(warning);
    }
}

void print_how_to_train_further(const config::PipelineSpec& spec, const run::Progress& progress,
                                const std::filesystem::path& folder) {
    const std::uint64_t step = progress.step;
    const std::uint64_t epochs = std::max(static_cast<std::uint64_t>(spec.train.epochs), progress.epoch);
    const std::string longer = spec.train.steps && static_cast<std::uint64_t>(*spec.train.steps) <= step
                                   ? fmt::format("train.steps={}", 2 * std::max<std::uint64_t>(step, 1))
                                   : fmt::format("train.epochs={}", 2 * epochs);
    log::info(fmt::format("the run had finished at step {}; to train on: {} resume {} --set {}", step, program(),
                          shell_quoted(folder.string()), longer));
}

}  // namespace sluice::cli
