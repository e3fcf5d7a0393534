#include "run/evaluation.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace sluice::run {
namespace {

void add(std::vector<std::vector<double>>& totals, const std::vector<std::vector<double>>& sums) {
    totals.resize(sums.size());
    for (std::size_t m = 0; m < sums.size(); ++m) {
        totals[m].resize(sums[m].size(), 0.0);
        std::ranges::transform(totals[m], sums[m], totals[m].begin(), std::plus<>{});
    }
}

}  // namespace

Evaluation evaluate(Replica& replica, data::Loader& loader, const std::function<bool()>& stop) {
    if (loader.batches_per_epoch() == 0) {
        throw Error(Exit::data, "the validation data has no samples");
    }
    Evaluation result;
    std::vector<std::vector<double>> totals;
    loader.seek(0, 0);
    for (std::uint64_t b = 0; b < loader.batches_per_epoch() && !stop(); ++b) {
        const data::Batch& batch = loader.next();
        const EvaluatedBatch scores = replica.evaluate(batch);
        result.loss.sum += scores.loss.sum;
        result.loss.weight += scores.loss.weight;
        add(totals, scores.metric_sums);
        for (std::size_t i = 0; i < batch.names.size(); ++i) {
            SampleScore& sample = result.samples.emplace_back(SampleScore{batch.names[i], {}});
            for (const std::vector<double>& values : scores.per_sample) {
                sample.values.push_back(values[i]);
            }
        }
        if (b == 0) {
            result.pictures = replica.images();
        }
        if (!std::isfinite(scores.loss.sum) && result.not_finite.empty()) {
            result.not_finite = replica.first_not_finite(batch);
        }
    }
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
