#include "cli/training/measure_log.hpp"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <system_error>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/process_place.hpp"
#include "run/account/step_log.hpp"

namespace sluice::cli {
namespace {

constexpr std::chrono::milliseconds kMeasureInterval{500};

void write_input(std::ofstream& out, const data::Chain& chain, const data::Loader& loader) {
    auto line = nlohmann::ordered_json::parse(to_json(loader.figures()));
    line["time"] = now();
    line["cache_bytes"] = chain.cache_bytes();
    out << line.dump() << std::endl;
}

}  // namespace

MeasureLog::MeasureLog(const std::filesystem::path& folder, run::Trainer& trainer, const data::Chain& chain,
                       const data::Loader& loader) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) {
        throw Error(Exit::save, fmt::format("--measure {}: cannot be made: {}", folder.string(), failed.message()));
    }
    const std::int64_t rank = process_place().rank;
    trainer.log_steps(run::StepLog(run::step_log_file(folder, rank)));
    if (rank != 0) {
        return;
    }
    std::ofstream out(folder / "input.jsonl");
    thread_ = std::jthread([out = std::move(out), &chain, &loader](const std::stop_token& stop) mutable {
        std::mutex mutex;
        std::condition_variable_any wake;
        std::unique_lock lock(mutex);
        do {
            write_input(out, chain, loader);
        } while (!wake.wait_for(lock, stop, kMeasureInterval, [&] { return stop.stop_requested(); }));
    });
}

}  // namespace sluice::cli
