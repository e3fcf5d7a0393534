// Warns of a batch that does not come, and gives up on it after a while. Private to this folder.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "data/loader/batch_layout.hpp"
#include "data/loader/loader_meter.hpp"
#include "data/loader/loader_options.hpp"
#include "data/loader/stall_watch.hpp"

namespace sluice::data {

class StallReport {
public:
    // `purpose` opens messages; the references are kept. `watches`: the caller makes the batches itself between begin()
    // and end(), so a separate thread reports stalls.
    StallReport(std::string purpose, const LoaderOptions& options, const BatchLayout& layout, const LoaderMeter& meter,
                bool watches);

    // The caller has waited `seconds` for batch `sequence`. Warns, or throws Error(Exit::data) after `most_stalls`.
    void stalled(std::uint64_t sequence, double seconds);
    [[nodiscard]] bool has_given_up() const;

    void begin(std::uint64_t sequence);
    void end();

private:
    void warn(std::uint64_t sequence, double seconds) const;
    [[noreturn]] void give_up(std::uint64_t sequence, double seconds);

    const std::string purpose_;
    const LoaderOptions& options_;
    const BatchLayout& layout_;
    const LoaderMeter& meter_;
    bool gave_up_ = false;
    std::atomic<std::uint64_t> made_{0};  // the batch that the caller is making
    std::optional<StallWatch> watch_;     // last member: its thread uses the others
};

}  // namespace sluice::data
