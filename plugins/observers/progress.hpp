// Progress on the standard error: the run's position, quality, speed and remaining time, and a line for each epoch.
#pragma once

#include <optional>
#include <string>

#include "epoch_row.hpp"
#include "sluice/sdk/run.hpp"
#include "status_line.hpp"

namespace sluice::observers {

// A moving mean: of all values at first, then of about the last twenty.
class Smoothed {
public:
    void add(double value);
    [[nodiscard]] double value() const { return value_; }

private:
    double value_ = 0.0;
    int count_ = 0;
};

class Progress : public sdk::Observer {
public:
    Progress(sdk::Host host, sdk::Options options);
    std::uint64_t wants() const noexcept override;
    void on_event(const sluice_event& event) override;

private:
    void begin(const sluice_event& event);
    void add_step(const sluice_event& event);
    void show_step(const sluice_event& event);
    void print_epoch(const EpochRow& row);
    [[nodiscard]] std::string place(std::int64_t epoch) const;

    StatusLine line_;
    double interval_;              // seconds between two updates
    std::optional<double> shown_;  // seconds of the run at the last update
    EpochRows rows_;
    std::int64_t epochs_ = 0;
    std::int64_t steps_ = 0;
    Smoothed loss_;
    Smoothed step_seconds_;
    Smoothed data_seconds_;
    Smoothed samples_;
    std::string latest_metric_;  // "psnr 30.12"
};

}  // namespace sluice::observers
