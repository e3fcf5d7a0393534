// Base of the observers that turn a recorded window into a file below the run's folder.
#include "profile/window_writer.hpp"

#include "files/retry.hpp"

namespace sluice::observers {

std::uint64_t WindowWriter::wants() const noexcept {
    return (1U << SLUICE_EVENT_RUN_BEGIN) | (1U << SLUICE_EVENT_PROFILE) | (1U << SLUICE_EVENT_EVALUATION) |
           (1U << SLUICE_EVENT_CHECKPOINT) | (1U << SLUICE_EVENT_RUN_END);
}

void WindowWriter::on_event(const sluice_event& event) {
    if (event.kind == SLUICE_EVENT_RUN_BEGIN) {
        run_folder_ = sdk::view(event.text);
    } else if (event.kind == SLUICE_EVENT_PROFILE) {
        const std::optional<sdk::Profile> profile = sdk::profile(event);
        if (!profile || run_folder_.empty()) {
            throw sdk::Failure(SLUICE_INVALID, !profile ? "an event of kind profile has no window"
                                                        : "a recorded window arrived before the run_begin event");
        }
        add(Window(profile->head()), run_folder_, files_);
    }
    if (!files_.empty()) {
        write_all({[this] { files_.write_out(); }}, kTries);
    }
    if (event.kind == SLUICE_EVENT_RUN_END) {
        files_.expect_none_lost();
    }
}

}  // namespace sluice::observers
