#include "run/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::run {

Exchange::Exchange(const ReplicaPlace& place, const config::SharingSpec& sharing, const Loan& loan)
    : place_(place), gradient_wire_(sharing.narrow_wire ? kBfloat16 : kFloat32), loan_(loan) {
    const std::uint64_t elements = std::max<std::uint64_t>(sharing.bucket / sizeof(float), 1);
    const std::uint64_t count = (loan_.weights.count() + elements - 1) / elements;
    for (std::uint64_t i = 0; i < count; ++i) {
        buckets_.push_back({i * elements, std::min((i + 1) * elements, loan_.weights.count()),
                            fmt::format("gradients {} of {}", i + 1, count)});
    }
}

void Exchange::start(std::uint32_t kind, void* data, std::uint64_t count, sluice_dtype dtype, sluice_dtype wire,
                     const std::string& name) {
    place_.strategy->start({.struct_size = sizeof(sluice_collective),
                            .kind = kind,
                            .replica = place_.local,
                            .data = data,
                            .count = count,
                            .dtype = dtype,
                            .wire = wire,
                            .name = {name.data(), name.size()},
                            .threads = loan_.threads,
                            .stream = loan_.stream});
}

void Exchange::begin_part(double patience, bool asks_to_stop) {
    patience_ = patience;
    stop_ = asks_to_stop ? 1.0 : 0.0;
    expect_whole();
}

// Work may have been recorded, and then runs without a call.
void Exchange::expect_whole() const {
    if (loan_.threads == nullptr) {
        place_.strategy->finish(place_.local, patience_);
    }
}

void Exchange::gradients_filled(std::uint64_t elements) {
    for (; started_ < buckets_.size() && buckets_[started_].end <= elements; ++started_) {
        const Bucket& bucket = buckets_[started_];
        start(SLUICE_COLLECTIVE_SUM, loan_.weights.gradients() + bucket.begin, bucket.end - bucket.begin, kFloat32,
              gradient_wire_, bucket.name);
    }
}

void Exchange::finish() {
    static const std::string statistics = "running statistics";
    static const std::string losses = "losses";
    static const std::string stop = "whether to stop";
    gradients_filled(loan_.weights.count());
    started_ = 0;
    if (loan_.weights.running_count() > 0) {
        start(SLUICE_COLLECTIVE_MEAN, loan_.weights.running(), loan_.weights.running_count(), kFloat32, statistics);
    }
    static_assert(offsetof(sluice_step_report, loss_weight) == offsetof(sluice_step_report, loss_sum) + sizeof(double));
    start(SLUICE_COLLECTIVE_SUM, &loan_.report->loss_sum, 2, kFloat64, losses);
    if (place_.is_one_of_several_processes) {
        start(SLUICE_COLLECTIVE_MAX, &stop_, 1, kFloat64, stop);
    }
    place_.strategy->finish(place_.local, patience_);
}

}  // namespace sluice::run
