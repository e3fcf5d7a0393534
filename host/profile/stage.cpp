#include "profile/stage.hpp"

#include <numeric>

namespace sluice::profile {
namespace {

constexpr std::array<std::string_view, kStages + 1> kNames{"read",      "preprocess", "upload",   "forward", "backward",
                                                           "optimizer", "exchange",   "download", "output",  "storage",
                                                           "prepare",   "other",      "device"};

}  // namespace

std::string_view name_of(Stage stage) { return kNames[static_cast<std::size_t>(stage)]; }

StageSeconds& StageSeconds::operator+=(const StageSeconds& more) {
    for (std::size_t i = 0; i < seconds_.size(); ++i) {
        seconds_[i] += more.seconds_[i];
    }
    return *this;
}

double StageSeconds::total() const { return std::accumulate(seconds_.begin(), seconds_.end(), 0.0); }

}  // namespace sluice::profile
