#include "prepare/progress_meter.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/byte_size.hpp"
#include "base/text/counted.hpp"

namespace sluice::prepare {
namespace {

constexpr double kLineSeconds = 0.2;  // between two lines, at least

}  // namespace

std::string ProgressMeter::line(std::uint64_t done, double time) {
    if (time - last_ < kLineSeconds) {
        return {};
    }
    last_ = time;
    const double seconds = time - start_;
    const double rate = static_cast<double>(done - first_) / seconds;
    return fmt::format("{} of {}, {:.0f} samples/s, {}/s, {:.0f} s left", done, counted(end_, "sample"), rate,
                       format_size(static_cast<std::uint64_t>(static_cast<double>(bytes_) / seconds)),
                       static_cast<double>(end_ - done) / std::max(rate, 1e-3));
}

}  // namespace sluice::prepare
