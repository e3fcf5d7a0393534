#include "run/tuning/bucket_tuner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "base/text/byte_size.hpp"
#include "run/collective/exchange.hpp"
#include "run/collective/sharing.hpp"
#include "run/collective/timeouts.hpp"

namespace sluice::run {
namespace {

constexpr int kFirstSteps = 3;           // warm-up steps, which also prepare the exchange
constexpr std::size_t kTrialTurns = 4;   // steps with each size
constexpr double kClearlyFaster = 0.98;  // largest share of the first size's seconds
constexpr std::uint64_t kOtherSizes[] = {std::uint64_t{1} << 20, std::uint64_t{16} << 20};
constexpr const char* kBucketChoice = "strategy";  // provider name of this entry in registry::TuningCache

// Returns the sizes that split the gradients in different ways, or one size if nothing is to be measured.
// Only a CPU is measured: elsewhere sums may depend on where a bucket begins, and captured graphs keep their buckets.
// A sharded optimizer lays out its states by buckets. With strategy.wire = "bfloat16", short buckets travel as float32.
std::vector<std::uint64_t> sizes_to_try(const config::PipelineSpec& spec, Replica& replica, std::uint32_t world) {
    std::vector<std::uint64_t> sizes{bucket_bytes(spec.sharing)};
    if (spec.sharing.bucket || world == 1 || !replica.runner().device()->is_host_memory() ||
        !replica.choices().may_measure() || spec.sharing.shard_optimizer || spec.sharing.sends_bfloat16) {
        return sizes;
    }
    const std::uint64_t all = replica.network().weights().count() * sizeof(float);
    for (const std::uint64_t size : kOtherSizes) {
        if (std::min(size, all) != std::min(sizes.front(), all)) {
            sizes.push_back(size);
        }
    }
    return sizes;
}

}  // namespace

BucketTrial::BucketTrial(std::vector<std::uint64_t> sizes)
    : sizes_(std::move(sizes)), seconds_(sizes_.size(), std::numeric_limits<double>::infinity()) {}

bool BucketTrial::is_over() const { return sizes_.size() == 1 || steps_ == kTrialTurns * sizes_.size(); }

void BucketTrial::add_step(double seconds) {
    double& best = seconds_[steps_++ % sizes_.size()];
    best = std::min(best, seconds);
}

std::size_t BucketTrial::best_of(const std::vector<double>& seconds) {
    const auto fastest = std::ranges::min_element(seconds);
    return *fastest < kClearlyFaster * seconds.front() ? static_cast<std::size_t>(fastest - seconds.begin()) : 0;
}

BucketTuner::BucketTuner(const config::PipelineSpec& spec, const ReplicaGroup& replicas,
                         const registry::Processes& processes, std::uint32_t world)
    : replicas_(replicas), processes_(processes), world_(world), trial_(sizes_to_try(spec, replicas.first(), world)) {}

// A result for another model, number of replicas or number of processes is of no use.
std::string BucketTuner::key() const {
    return fmt::format("bucket of {} gradients, {} replicas in {} process(es)",
                       replicas_.first().network().weights().count(), world_, processes_.count());
}

void BucketTuner::set_bucket_size(std::uint64_t bucket) const {
    replicas_.each([&](Replica& replica, std::uint32_t) { replica.training().exchange()->set_bucket_size(bucket); });
}

void BucketTuner::begin() {
    if (is_done()) {
        return;
    }
    const std::string known = processes_.from_first(replicas_.first().choices().recall(kBucketChoice, key()),
                                                    "the bucket that was found before", kRareWorkTimeout);
    std::uint64_t bucket = 0;
    std::from_chars(known.data(), known.data() + known.size(), bucket);
    if (bucket > 0) {
        trial_ = BucketTrial({bucket});
        set_bucket_size(bucket);
    }
}

std::string BucketTuner::add_step(double seconds, double timeout) {
    if (is_done() || ++steps_ < kFirstSteps) {
        return {};
    }
    if (steps_ > kFirstSteps) {
        trial_.add_step(seconds);
    }
    if (is_done()) {
        return settle(timeout);
    }
    set_bucket_size(trial_.size());
    return {};
}

// The slowest process decides.
std::string BucketTuner::settle(double timeout) {
    std::vector<double> seconds;
    for (const double own : trial_.seconds()) {
        seconds.push_back(std::ranges::max(processes_.gather(own, "seconds of steps", timeout)));
    }
    const std::size_t best = BucketTrial::best_of(seconds);
    const std::uint64_t bucket = trial_.sizes()[best];
    std::string times;
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        times +=
            fmt::format("{}{:.1f} ms with {}", i == 0 ? "" : ", ", 1e3 * seconds[i], format_size(trial_.sizes()[i]));
    }
    set_bucket_size(bucket);
    replicas_.first().choices().restore(fmt::format("{}\t{}\t{}\n", kBucketChoice, key(), bucket));
    return fmt::format("bucket  {} of gradients are sent together from now on: a step takes {}", format_size(bucket),
                       times);
}

}  // namespace sluice::run
