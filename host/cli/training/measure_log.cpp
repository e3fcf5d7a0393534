#include "cli/training/measure_log.hpp"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <fstream>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <system_error>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/process_place.hpp"
#include "observe/usage/thread_meter.hpp"
#include "run/account/step_log.hpp"

namespace sluice::cli {
namespace {

constexpr std::chrono::milliseconds kMeasureInterval{500};

// Writes a line with the figures of the input now.
class InputWriter {
public:
    InputWriter(const std::filesystem::path& file, const data::Chain& chain, const data::Loader& loader)
        : out_(file), chain_(chain), loader_(loader) {}

    void write() {
        const double time = now();
        const observe::ThreadSums& threads = threads_.read(time - before_, *buffer_);
        before_ = time;
        auto line = nlohmann::ordered_json::parse(to_json(loader_.figures()));
        line["time"] = time;
        line["cache_bytes"] = chain_.cache_bytes();
        line["queued_seconds"] = threads.queued[static_cast<std::size_t>(observe::ThreadClass::input)];
        out_ << line.dump() << std::endl;
    }

private:
    std::ofstream out_;
    const data::Chain& chain_;
    const data::Loader& loader_;
    observe::ThreadMeter threads_;
    std::unique_ptr<observe::ProcBuffer> buffer_ = std::make_unique<observe::ProcBuffer>();
    double before_ = now();
};

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
    auto writer = std::make_unique<InputWriter>(folder / "input.jsonl", chain, loader);
    thread_ = std::jthread([writer = std::move(writer)](const std::stop_token& stop) {
        std::mutex mutex;
        std::condition_variable_any wake;
        std::unique_lock lock(mutex);
        do {
            writer->write();
        } while (!wake.wait_for(lock, stop, kMeasureInterval, [&] { return stop.stop_requested(); }));
    });
}

}  // namespace sluice::cli
