// A long series with fewer points.
#include "series/mean_series.hpp"

#include <algorithm>
#include <utility>

#include "sluice/sdk/run.hpp"

namespace sluice::observers {
namespace {

constexpr std::int64_t kMostNumber = std::int64_t{1} << 48;  // so that nothing overflows

}  // namespace

std::int64_t last_of_point(std::int64_t number, std::int64_t full) {
    std::int64_t stride = 1;
    while (number > full * stride) {
        stride *= 2;
    }
    return (number + stride - 1) / stride * stride;
}

void MeanSeries::add(std::int64_t number, const sluice_event& event, std::vector<MeanPoint>& to) {
    number = std::clamp(number, std::int64_t{1}, kMostNumber);
    const std::int64_t last = last_of_point(number, full_);
    if (last_ != 0 && last != last_) {
        finish(to);
    }
    last_ = last;
    open_.epoch = event.epoch;
    open_.step = event.step;
    open_.seconds = event.seconds;
    for (std::uint64_t i = 0; i < event.scalar_count; ++i) {
        const sluice_scalar& scalar = event.scalars[i];
        Sum& sum = sum_of(sdk::view(scalar.name), i);
        sum.value = sum.takes_last ? scalar.value : sum.value + scalar.value;
        ++sum.count;
    }
    if (number == last) {
        finish(to);
    }
}

void MeanSeries::finish(std::vector<MeanPoint>& to) {
    if (last_ == 0) {
        return;
    }
    MeanPoint point = open_;
    for (Sum& sum : sums_) {
        if (sum.count > 0) {
            point.values.push_back({sum.name, sum.takes_last ? sum.value : sum.value / static_cast<double>(sum.count)});
        }
        sum.value = 0.0;
        sum.count = 0;
    }
    to.push_back(std::move(point));
    last_ = 0;
}

// likely: the place that the name has if the events before had the same scalars.
MeanSeries::Sum& MeanSeries::sum_of(std::string_view name, std::size_t likely) {
    if (likely < sums_.size() && sums_[likely].name == name) {
        return sums_[likely];
    }
    for (Sum& sum : sums_) {
        if (sum.name == name) {
            return sum;
        }
    }
    sums_.push_back({std::string(name), takes_last_(name)});
    return sums_.back();
}

}  // namespace sluice::observers
