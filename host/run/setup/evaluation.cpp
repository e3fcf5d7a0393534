#include "run/setup/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "profile/stage_clock.hpp"
#include "run/collective/timeouts.hpp"
#include "run/network/packed.hpp"

namespace sluice::run {
namespace {

// Adds the results of a shard of a batch to the sums.
void add(const EvaluatedBatch& shard, Evaluation& to, std::vector<std::vector<double>>& totals) {
    to.loss.sum += shard.loss.sum;
    to.loss.weight += shard.loss.weight;
    if (!std::isfinite(shard.loss.sum) && to.not_finite.empty()) {
        to.not_finite = shard.not_finite.empty() ? "loss" : shard.not_finite;
    }
    totals.resize(shard.metric_sums.size());
    for (std::size_t m = 0; m < totals.size(); ++m) {
        totals[m].resize(shard.metric_sums[m].size(), 0.0);
        std::ranges::transform(totals[m], shard.metric_sums[m], totals[m].begin(), std::plus<>{});
    }
}

void add_samples(const EvaluatedBatch& shard, std::vector<SampleScore>& samples) {
    for (std::size_t i = 0; i < shard.names.size(); ++i) {
        SampleScore& sample = samples.emplace_back(SampleScore{shard.names[i], {}});
        for (const std::vector<double>& values : shard.per_sample) {
            sample.values.push_back(values[i]);
        }
    }
}

// The results of one batch, in the order of its samples.
struct BatchResults {
    std::vector<EvaluatedBatch> shards;
    std::vector<data::BadSample> left_out;

    void write(std::string& to) const {
        put(shards.size(), to);
        for (const EvaluatedBatch& shard : shards) {
            shard.write(to);
        }
        put(left_out.size(), to);
        for (const data::BadSample& sample : left_out) {
            put(sample.position, to);
            put(sample.index, to);
            put(sample.what, to);
        }
    }
    // Reads the results of another process, and removes their bytes from `from`.
    void add(std::string_view& from) {
        for (auto left = take<std::size_t>(from); left > 0; --left) {
            shards.push_back(EvaluatedBatch::read(from));
        }
        for (auto left = take<std::size_t>(from); left > 0; --left) {
            data::BadSample& sample = left_out.emplace_back();
            sample.position = take<std::int64_t>(from);
            sample.index = take<std::uint64_t>(from);
            sample.what = take<std::string>(from);
        }
    }
};

// Merges the shards of all processes, batch by batch.
std::vector<BatchResults> put_together(const std::vector<BatchResults>& own, const registry::Processes& processes) {
    if (processes.count() == 1) {
        return own;
    }
    std::string written;
    for (const BatchResults& batch : own) {
        batch.write(written);
    }
    const profile::StageScope stage(profile::Stage::exchange);
    std::vector<BatchResults> all(own.size());
    for (const std::string& text : processes.gather_texts(written, "the evaluation", kRareWorkTimeout)) {
        std::string_view rest = text;
        for (BatchResults& batch : all) {
            batch.add(rest);
        }
    }
    return all;
}

std::size_t bytes_of(const data::Batch& batch) {
    return std::transform_reduce(batch.fields.begin(), batch.fields.end(), std::size_t{0}, std::plus<>{},
                                 [](const data::NamedTensor& field) { return byte_count(field.tensor.spec); });
}

// Returns null if the run is to stop while the batch is awaited.
const data::Batch* next_of(data::Loader& loader) {
    profile::enter_stage(profile::Stage::read);
    try {
        const data::Batch* const batch = &loader.next();
        if (profile::StageClock* const clock = profile::loop_clock()) {
            clock->move(profile::Stage::preprocess, loader.preprocess_share() * loader.waited());
        }
        profile::enter_stage(profile::Stage::other);
        return batch;
    } catch (const data::Stopped&) {
        return nullptr;
    }
}

// Evaluates a batch on all replicas. The clock of the loop follows the first one, and then waits for the others.
void evaluate_batch(const ReplicaGroup& replicas, const data::Batch& batch, double timeout,
                    std::vector<std::vector<EvaluatedBatch>>& shards) {
    profile::StageClock* const clock = profile::loop_clock();
    const Replica* const first = &replicas.first();
    replicas.each(
        [&](Replica& replica, std::uint32_t number) {
            const profile::LoopClock measured(&replica == first ? clock : nullptr);
            shards[number].clear();
            replica.inference().evaluate(batch, shards[number]);
            profile::enter_stage(replicas.size() > 1 ? profile::Stage::exchange : profile::Stage::other);
        },
        timeout);
    profile::enter_stage(profile::Stage::other);
}

// Evaluates the share of this process. `pictures` receives those of the first replica's first shard.
std::vector<BatchResults> evaluate_own(const ReplicaGroup& replicas, data::Loader& loader, data::BadSamples& bad,
                                       EvaluationTimes& times, const std::function<bool()>& stop,
                                       std::vector<data::NamedTensor>& pictures) {
    std::vector<BatchResults> batches;
    std::vector<std::vector<EvaluatedBatch>> shards(replicas.size());
    bool has_pictures = false;
    loader.seek(0, 0);
    for (std::uint64_t b = 0; b < loader.batches_per_epoch() && !stop(); ++b) {
        const data::Batch* const batch = next_of(loader);
        if (batch == nullptr) {
            break;
        }
        bad.add(batch->left_out);
        BatchResults& own = batches.emplace_back(BatchResults{{}, batch->left_out});
        if (std::cmp_equal(batch->left_out.size(), batch->count)) {
            continue;  // without samples, the shapes of the batch may be unknown
        }
        replicas.each([&](Replica& replica, std::uint32_t) { replica.inference().prepare(*batch); }, kRareWorkTimeout);
        const double begin = now();
        evaluate_batch(replicas, *batch, times.timeout(*batch), shards);
        times.add(*batch, now() - begin);
        for (const std::vector<EvaluatedBatch>& of_replica : shards) {
            own.shards.insert(own.shards.end(), of_replica.begin(), of_replica.end());
        }
        if (!has_pictures && !shards.front().empty()) {
            const profile::StageScope stage(profile::Stage::download);
            pictures = replicas.first().inference().images();
            has_pictures = true;
        }
    }
    return batches;
}

}  // namespace

double EvaluationTimes::timeout(const data::Batch& batch) const {
    if (deadline_ == 0.0) {
        return 0.0;
    }
    return bytes_of(batch) > largest_ ? std::max(deadline_, kRareWorkTimeout)
                                      : std::max(deadline_, kTimeoutFactor * longest_);
}

void EvaluationTimes::add(const data::Batch& batch, double seconds) {
    largest_ = std::max(largest_, bytes_of(batch));
    longest_ = std::max(longest_, seconds);
}

Evaluation evaluate(const ReplicaGroup& replicas, const registry::Processes& processes, data::Loader& loader,
                    data::BadSamples& bad, EvaluationTimes& times, const std::function<bool()>& stop) {
    if (loader.batches_per_epoch() == 0) {
        throw Error(Exit::data, "the validation data has no samples");
    }
    Evaluation result;
    const std::vector<BatchResults> own = evaluate_own(replicas, loader, bad, times, stop, result.pictures);
    std::vector<std::vector<double>> totals;
    std::set<std::uint64_t> left_out;
    std::size_t shards = 0;
    for (const BatchResults& batch : put_together(own, processes)) {
        bad.add(batch.left_out);
        std::ranges::transform(batch.left_out, std::inserter(left_out, left_out.end()), &data::BadSample::index);
        shards += batch.shards.size();
        for (const EvaluatedBatch& shard : batch.shards) {
            add(shard, result, totals);
            add_samples(shard, result.samples);
        }
    }
    result.left_out = left_out.size();
    const bool is_whole = own.size() == loader.batches_per_epoch();
    if (is_whole && result.left_out > 0 && shards == 0) {
        throw Error(Exit::data, "every sample of the validation data is bad, so there is nothing to evaluate");
    }
    Replica& replica = replicas.first();
    const std::vector<plan::MetricOutput>& metrics = replica.runner().used().plan.graph.metrics;
    for (std::size_t m = 0; m < totals.size(); ++m) {
        const plan::MetricOutput& metric = metrics[m];
        result.metrics.push_back(
            {.name = metric.name,
             .value = metric.value(totals[m]),
             .higher_is_better = (metric.layer->traits().flags & SLUICE_LAYER_HIGHER_IS_BETTER) != 0,
             .of_input = metric.of_input});
    }
    return result;
}

Monitored monitored(const Evaluation& evaluation, const std::string& name) {
    if (name == "loss" || evaluation.metrics.empty()) {
        return {.name = "validation_loss", .value = evaluation.loss.mean()};
    }
    const auto at =
        name.empty() ? evaluation.metrics.begin() : std::ranges::find(evaluation.metrics, name, &MetricScore::name);
    return {.name = at->name, .value = at->value, .higher_is_better = at->higher_is_better};
}

std::vector<std::pair<std::string, HostTensor>> to_bytes(std::span<const data::NamedTensor> pictures) {
    std::vector<std::pair<std::string, HostTensor>> out;
    for (const data::NamedTensor& picture : pictures) {
        HostTensor bytes{make_spec(kUint8, shape_of(picture.tensor.spec)), {}};
        for (const float value : picture.tensor.as<float>()) {
            bytes.bytes.push_back(static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0F, 1.0F) * 255.0F)));
        }
        out.emplace_back(picture.name, std::move(bytes));
    }
    return out;
}

}  // namespace sluice::run
