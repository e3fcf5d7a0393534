// How much a ring of batches does: its threads and the batches made ahead, which are tuned while batches are taken.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/byte_size.hpp"
#include "base/counted.hpp"
#include "base/log.hpp"
#include "data/loader/batch_ring.hpp"

namespace sluice::data {

void BatchRing::note_pause() {
    const std::lock_guard lock(mutex_);
    caller_.pause();
}

void BatchRing::add_waited(double seconds) {
    std::string news;
    {
        const std::lock_guard lock(mutex_);
        figures_.waited += seconds;
        caller_.hand_out(seconds);
        news = threads_.empty() ? std::string() : tune();
    }
    if (!news.empty()) {
        log::info(news);
    }
}

// Ahead; under the mutex, when a batch was handed out.
std::int64_t BatchRing::batches_that_fit() const {
    if (options_.ahead_bytes == 0) {
        return std::numeric_limits<std::int64_t>::max();
    }
    const BatchSlot& slot = lines_.front();
    const std::uint64_t bytes =
        slot.bytes() / static_cast<std::uint64_t>(slot.count()) * static_cast<std::uint64_t>(options_.batch);
    return std::max(static_cast<std::int64_t>(options_.ahead_bytes / std::max<std::uint64_t>(bytes, 1)),
                    std::int64_t{options_.one_ahead ? 1 : 0});
}

// Under the mutex, when the first batch was handed out: what one takes is known then. Returns what there is to tell.
std::string BatchRing::begin_tuning() {
    const std::int64_t fit = batches_that_fit();
    effort_.prefetch = std::min(options_.prefetch, fit);
    reserve_lines();
    work_.notify_all();
    tuner_.emplace(effort_,
                   Effort{.workers = options_.most_workers, .prefetch = std::min(options_.most_prefetch, fit)});
    if (effort_.prefetch < options_.prefetch && options_.most_prefetch < options_.prefetch) {
        return fmt::format("{}: {} ahead, not {}: data.memory leaves {} for them", chain_.purpose(),
                           counted(effort_.prefetch, "batch"), options_.prefetch, format_size(options_.ahead_bytes));
    }
    return {};
}

// Under the mutex. Returns what there is to tell.
std::string BatchRing::tune() {
    if (!tuner_) {
        if (std::string news = begin_tuning(); !news.empty()) {
            return news;
        }
    }
    TunerSums sums{.seconds = caller_.seconds(),
                   .waited = caller_.waited(),
                   .busy = 0.0,
                   .batches = static_cast<std::int64_t>(figures_.batches)};
    if (!tuner_->is_due(sums)) {
        return {};
    }
    sums.busy = busy_seconds();
    if (!tuner_->observe(sums)) {
        return {};
    }
    effort_ = tuner_->effort();
    workers_.set(effort_.workers);
    reserve_lines();
    work_.notify_all();
    if (!options_.tells_effort || !tuner_->has_news()) {
        return {};
    }
    return fmt::format("{}: {}, {} ahead: {}", chain_.purpose(), counted(effort_.workers, "worker"),
                       counted(effort_.prefetch, "batch"), tuner_->reason());
}

}  // namespace sluice::data
