#include "run/collective/exchange.hpp"

#include <algorithm>
#include <cstddef>

#include "run/collective/bucket_gather.hpp"

namespace sluice::run {
namespace {

constexpr std::uint64_t kSmall = 16384;  // bytes; no strategy converts a bucket up to this size to bfloat16

}  // namespace

// A norm that is summed over slices depends on the number of replicas. Micro-shards promise equal bits for any number,
// so every replica then needs all gradients.
bool scatters_gradients(const config::SharingSpec& sharing, const plan::Buckets& buckets, bool wants_norm) {
    return buckets.are_shared() && (sharing.micro_shards == 0 || !wants_norm);
}

bool could_send_bfloat16(const config::PipelineSpec& spec, const plan::Buckets& buckets, bool scales_loss) {
    if (spec.sharing.sends_bfloat16 || (spec.deterministic && spec.sharing.micro_shards > 0)) {
        return false;
    }
    return scatters_gradients(spec.sharing, buckets, spec.clip_norm > 0.0 || scales_loss) ||
           std::ranges::any_of(buckets.all(),
                               [](const plan::Range& bucket) { return bucket.count() * sizeof(float) > kSmall; });
}

Exchange::Exchange(const ReplicaPlace& place, const config::SharingSpec& sharing, const Dependencies& dependencies)
    : collectives_(place, *dependencies.device, dependencies.threads, dependencies.stream),
      vote_(dependencies.device, dependencies.stream, collectives_),
      weights_(dependencies.weights),
      report_(dependencies.report),
      status_(place.is_one_of_several_processes ? dependencies.status : nullptr),
      gradients_by_(scatters_gradients(sharing, weights_.buckets(), dependencies.wants_norm)
                        ? SLUICE_COLLECTIVE_REDUCE_SCATTER
                        : SLUICE_COLLECTIVE_SUM),
      gradient_wire_(sharing.sends_bfloat16 ? kBfloat16 : kFloat32),
      buckets_(weights_.buckets()),
      gradient_names_(bucket_names("gradients", buckets_.all().size())),
      skips_gradients_(dependencies.skips_gradients) {}

void Exchange::set_bucket_size(std::uint64_t bucket) {
    buckets_ = plan::Buckets(weights_.count(), {.bucket = bucket});
    gradient_names_ = bucket_names("gradients", buckets_.all().size());
}

void Exchange::gradients_filled(std::uint64_t elements) {
    const std::vector<plan::Range>& buckets = buckets_.all();
    for (; started_ < buckets.size() && buckets[started_].end <= elements; ++started_) {
        if (skips_gradients_) {
            continue;
        }
        const plan::Range& bucket = buckets[started_];
        collectives_.start(gradients_by_, weights_.gradients() + bucket.begin, bucket.count(), kFloat32, gradient_wire_,
                           gradient_names_[started_]);
    }
}

void Exchange::finish() {
    gradients_filled(weights_.count());
    started_ = 0;
    if (weights_.running_count() > 0) {
        collectives_.start(SLUICE_COLLECTIVE_MEAN, weights_.running(), weights_.running_count(), kFloat32,
                           "running statistics");
    }
    static_assert(offsetof(sluice_step_report, loss_weight) == offsetof(sluice_step_report, loss_sum) + sizeof(double));
    collectives_.start(SLUICE_COLLECTIVE_SUM, &report_->loss_sum, 2, kFloat64, "losses");
    if (status_ != nullptr) {
        collectives_.start(SLUICE_COLLECTIVE_MAX, status_, 1, kFloat64, "whether to stop");
    }
    waited_ = collectives_.finish();
}

std::string Exchange::next_collective() const {
    const std::size_t next = started_;
    return next < gradient_names_.size() ? "'" + gradient_names_[next] + "'" : "'losses'";
}

}  // namespace sluice::run
