#include "data/loader/stall_report.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/process_place.hpp"
#include "data/loader/stall_text.hpp"

namespace sluice::data {

StallReport::StallReport(std::string purpose, const LoaderOptions& options, const BatchLayout& layout,
                         const LoaderMeter& meter, bool watches)
    : purpose_(std::move(purpose)), options_(options), layout_(layout), meter_(meter) {
    if (watches && options_.stall_seconds > 0.0) {
        watch_.emplace(options_.stall_seconds, [this](double seconds) { warn(made_, seconds); });
    }
}

void StallReport::stalled(std::uint64_t sequence, double seconds) {
    const auto stalls = static_cast<std::int64_t>(seconds / options_.stall_seconds);
    if (options_.most_stalls > 0 && stalls >= options_.most_stalls) {
        give_up(sequence, seconds);
    }
    warn(sequence, seconds);
}

bool StallReport::has_given_up() const { return gave_up_; }

void StallReport::begin(std::uint64_t sequence) {
    made_ = sequence;
    if (watch_) {
        watch_->begin();
    }
}

void StallReport::end() {
    if (watch_) {
        watch_->end();
    }
}

void StallReport::warn(std::uint64_t sequence, double seconds) const {
    log::warn(fmt::format("{}: waiting for batch {} for {} s: {}", purpose_, layout_.at(sequence).number,
                          seconds_text(seconds), meter_.places()));
}

void StallReport::give_up(std::uint64_t sequence, double seconds) {
    gave_up_ = true;
    const std::string whose =
        process_place().count > 1 ? fmt::format(" of rank {}", process_place().rank) : std::string();
    throw Error(Exit::data, fmt::format("{}: the input{} has not delivered batch {} for {:.0f} s: {}", purpose_, whose,
                                        layout_.at(sequence).number, seconds, meter_.places()));
}

}  // namespace sluice::data
