// An event file for TensorBoard in the folder tensorboard/ of the run's folder: curves, pictures, the pipeline as text
// and hyperparameters, and histograms if they are wanted. A resumed run adds a file, and cuts off what earlier ones
// have of steps that run again. Records that cannot be written are kept and retried at later events. The RUN_END event
// fails if some are still missing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "files/record_file.hpp"
#include "series/run_series.hpp"
#include "series/thinner.hpp"
#include "sluice/sdk/run.hpp"
#include "tensorboard/event_messages.hpp"

namespace sluice::observers {

class TensorBoard : public sdk::Observer {
public:
    TensorBoard(sdk::Host host, sdk::Options options);
    std::uint64_t wants() const noexcept override;
    void on_event(const sluice_event& event) override;

private:
    void begin(const sluice_event& event);
    void add_pipeline(const std::filesystem::path& folder, const tensorboard::Moment& moment);
    void add_points(const sluice_event& event);
    void add_picture(const sluice_event& samples);
    void add_histograms(const sluice_event& weights);
    void add_end(const sluice_event& event);
    [[nodiscard]] tensorboard::Moment moment_of(std::int64_t step, double seconds) const;

    sdk::Host host_;
    bool histograms_;
    std::int64_t samples_;  // most rows of a picture
    double began_ = 0.0;    // seconds since 1970 at second 0 of the run
    std::optional<RecordFile> file_;
    std::function<void()> cut_;  // cuts off what will run again; empty: it is done
    RunSeries series_;
    Thinner pictures_;
    Thinner weights_;
    std::string last_picture_;  // the record of a picture that was left out, if it is the newest
};

}  // namespace sluice::observers
