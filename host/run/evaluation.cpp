#include "run/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/error.hpp"
#include "run/packed.hpp"

namespace sluice::run {
namespace {

// What the samples of a part of a batch add.
void add(const EvaluatedBatch& part, Evaluation& to, std::vector<std::vector<double>>& totals) {
    to.loss.sum += part.loss.sum;
    to.loss.weight += part.loss.weight;
    if (!std::isfinite(part.loss.sum) && to.not_finite.empty()) {
        to.not_finite = part.not_finite.empty() ? "loss" : part.not_finite;
    }
    totals.resize(part.metric_sums.size());
    for (std::size_t m = 0; m < totals.size(); ++m) {
        totals[m].resize(part.metric_sums[m].size(), 0.0);
        std::ranges::transform(totals[m], part.metric_sums[m], totals[m].begin(), std::plus<>{});
    }
}

void add_samples(const EvaluatedBatch& part, std::vector<SampleScore>& samples) {
    for (std::size_t i = 0; i < part.names.size(); ++i) {
        SampleScore& sample = samples.emplace_back(SampleScore{part.names[i], {}});
        for (const std::vector<double>& values : part.per_sample) {
            sample.values.push_back(values[i]);
        }
    }
}

// Of one batch, in the order of its samples.
using BatchParts = std::vector<EvaluatedBatch>;

// The same batches with the parts of all processes.
std::vector<BatchParts> put_together(const std::vector<BatchParts>& own, const registry::Processes& processes) {
    if (processes.count() == 1) {
        return own;
    }
    std::string written;
    for (const BatchParts& batch : own) {
        put(batch.size(), written);
        for (const EvaluatedBatch& part : batch) {
            part.write(written);
        }
    }
    std::vector<BatchParts> all(own.size());
    for (const std::string& text : processes.gather_texts(written, "the evaluation", kLongPatience)) {
        std::string_view rest = text;
        for (BatchParts& batch : all) {
            for (auto left = take<std::size_t>(rest); left > 0; --left) {
                batch.push_back(EvaluatedBatch::read(rest));
            }
        }
    }
    return all;
}

// Null where it does not come, and the run is to stop.
const data::Batch* next_of(data::Loader& loader) {
    try {
        return &loader.next();
    } catch (const data::Stopped&) {
        return nullptr;
    }
}

}  // namespace

Evaluation evaluate(const ReplicaGroup& replicas, const registry::Processes& processes, data::Loader& loader,
                    const std::function<bool()>& stop) {
    if (loader.batches_per_epoch() == 0) {
        throw Error(Exit::data, "the validation data has no samples");
    }
    Evaluation result;
    std::vector<BatchParts> batches;
    std::vector<std::vector<EvaluatedBatch>> parts(replicas.size());
    loader.seek(0, 0);
    for (std::uint64_t b = 0; b < loader.batches_per_epoch() && !stop(); ++b) {
        const data::Batch* const batch = next_of(loader);
        if (batch == nullptr) {
            break;
        }
        replicas.each(
            [&](Replica& replica, std::uint32_t number) {
                parts[number].clear();
                replica.evaluate(*batch, parts[number]);
            },
            kLongPatience);
        BatchParts& own = batches.emplace_back();
        for (const std::vector<EvaluatedBatch>& of_replica : parts) {
            own.insert(own.end(), of_replica.begin(), of_replica.end());
        }
        if (b == 0 && !parts.front().empty()) {
            result.pictures = replicas.first().images();
        }
    }
    std::vector<std::vector<double>> totals;
    for (const BatchParts& batch : put_together(batches, processes)) {
        for (const EvaluatedBatch& part : batch) {
            add(part, result, totals);
            add_samples(part, result.samples);
        }
    }
    Replica& replica = replicas.first();
    const std::vector<plan::MetricOutput>& metrics = replica.last_plan().graph.metrics;
    for (std::size_t m = 0; m < totals.size(); ++m) {
        result.metrics.emplace_back(metrics[m].name, metrics[m].value(totals[m]));
        result.higher_is_better.push_back((metrics[m].layer->traits().flags & SLUICE_LAYER_HIGHER_IS_BETTER) != 0);
    }
    return result;
}

Monitored monitored(const Evaluation& evaluation, const std::string& name) {
    if (name == "loss" || evaluation.metrics.empty()) {
        return {evaluation.loss.mean(), false};
    }
    const auto at = name.empty() ? evaluation.metrics.begin()
                                 : std::ranges::find(evaluation.metrics, name, &std::pair<std::string, double>::first);
    return {at->second, evaluation.higher_is_better[static_cast<std::size_t>(at - evaluation.metrics.begin())]};
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
