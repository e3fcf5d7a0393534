#include "run/collective/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/clock.hpp"

namespace sluice::run {
namespace {

constexpr std::uint64_t kSmall = 16384;  // bytes of a bucket up to which all strategies let it travel as it is

}  // namespace

// A norm that is added up in slices depends on their number: where the bits shall not, everybody adds up all of it.
bool scatters_gradients(const config::SharingSpec& sharing, const plan::Buckets& buckets, bool wants_norm) {
    return buckets.are_shared() && (sharing.micro_shards == 0 || !wants_norm);
}

bool may_travel_narrow(const config::PipelineSpec& spec, const plan::Buckets& buckets, bool scales_loss) {
    if (spec.sharing.narrow_wire || (spec.deterministic && spec.sharing.micro_shards > 0)) {
        return false;
    }
    return scatters_gradients(spec.sharing, buckets, spec.clip_norm > 0.0 || scales_loss) ||
           std::ranges::any_of(buckets.all(),
                               [](const plan::Range& bucket) { return bucket.count() * sizeof(float) > kSmall; });
}

Exchange::Exchange(const ReplicaPlace& place, const config::SharingSpec& sharing, const Loan& loan)
    : place_(place),
      gradients_by_(scatters_gradients(sharing, loan.weights.buckets(), loan.wants_norm)
                        ? SLUICE_COLLECTIVE_REDUCE_SCATTER
                        : SLUICE_COLLECTIVE_SUM),
      gradient_wire_(sharing.narrow_wire ? kBfloat16 : kFloat32),
      loan_(loan),
      buckets_(loan.weights.buckets()),
      gradient_names_(names_of("gradients")) {}

void Exchange::cut(std::uint64_t bucket) {
    buckets_ = plan::Buckets(loan_.weights.count(), {.bucket = bucket});
    gradient_names_ = names_of("gradients");
}

// One for each bucket.
std::vector<std::string> Exchange::names_of(std::string_view what) const {
    std::vector<std::string> names;
    for (std::size_t i = 1; i <= buckets().size(); ++i) {
        names.push_back(fmt::format("{} {} of {}", what, i, buckets().size()));
    }
    return names;
}

void Exchange::start(std::uint32_t kind, void* data, std::uint64_t count, sluice_dtype dtype, sluice_dtype wire,
                     std::string_view name) {
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
    if (waits_for_each_) {
        await_others();
    }
}

void Exchange::begin_part(double patience) {
    patience_ = patience;
    is_waiting_ = false;  // where a wait had failed
    expect_whole();
}

// Work may have been recorded, and then runs without a call.
void Exchange::expect_whole() const {
    if (loan_.threads == nullptr) {
        place_.strategy->finish(place_.local, patience_);
    }
}

void Exchange::forget_started() {
    started_ = 0;
    gathered_ = 0;
}

void Exchange::gradients_filled(std::uint64_t elements) {
    for (; started_ < buckets().size() && buckets()[started_].end <= elements; ++started_) {
        const plan::Range& bucket = buckets()[started_];
        start(gradients_by_, loan_.weights.gradients() + bucket.begin, bucket.count(), kFloat32, gradient_wire_,
              gradient_names_[started_]);
    }
}

void Exchange::finish() {
    gradients_filled(loan_.weights.count());
    started_ = 0;
    if (loan_.weights.running_count() > 0) {
        start(SLUICE_COLLECTIVE_MEAN, loan_.weights.running(), loan_.weights.running_count(), kFloat32,
              "running statistics");
    }
    static_assert(offsetof(sluice_step_report, loss_weight) == offsetof(sluice_step_report, loss_sum) + sizeof(double));
    start(SLUICE_COLLECTIVE_SUM, &loan_.report->loss_sum, 2, kFloat64, "losses");
    if (place_.is_one_of_several_processes) {
        start(SLUICE_COLLECTIVE_MAX, loan_.word, 1, kFloat64, "whether to stop");
    }
    const double before = now();
    await_others();
    waited_ = came_back_ - before;
}

void Exchange::await_others() {
    is_waiting_ = true;
    place_.strategy->finish(place_.local, patience_);
    if (waits_for_each_) {
        loan_.device.wait(loan_.stream);
    }
    came_back_ = now();
    is_waiting_ = false;
}

double Exchange::busy_since() const {
    return is_waiting_ ? std::numeric_limits<double>::infinity() : came_back_.load();
}

std::string Exchange::missed() const {
    const std::size_t next = started_;
    return next < gradient_names_.size() ? "'" + gradient_names_[next] + "'" : "'losses'";
}

void Exchange::add_square_sums() { add_up(&loan_.report->square_sum, 1, "norm of the gradients"); }

void Exchange::add_up(double* values, std::uint64_t count, std::string_view name) {
    start(SLUICE_COLLECTIVE_SUM, values, count, kFloat64, name);
    await_others();
}

void Exchange::gather_next(float* flat, std::string_view what) {
    if (gathered_ == 0 && gathering_ != what) {
        gathering_ = what;
        gathering_names_ = names_of(what);
    }
    const plan::Range& bucket = buckets()[gathered_];
    start(SLUICE_COLLECTIVE_ALL_GATHER, flat + bucket.begin, bucket.count(), kFloat32, gathering_names_[gathered_++]);
}

void Exchange::finish_gathering() {
    await_others();
    gathered_ = 0;
}

void Exchange::gather(float* flat, std::string_view what) {
    for (std::size_t i = 0; i < buckets().size(); ++i) {
        gather_next(flat, what);
    }
    finish_gathering();
}

}  // namespace sluice::run
