#include "run/network/scores.hpp"

#include <algorithm>
#include <functional>
#include <span>

#include "run/network/packed.hpp"

namespace sluice::run {
namespace {

void add_loss(std::span<const float> rows, LossSum& loss) {
    LossSum micro_batch;
    for (std::size_t i = 0; i + 1 < rows.size(); i += 2) {
        micro_batch.sum += rows[i];
        micro_batch.weight += rows[i + 1];
    }
    loss.sum += micro_batch.sum;
    loss.weight += micro_batch.weight;
}

}  // namespace

void EvaluatedBatch::add(const Program& program, TensorReader& reader) {
    const std::vector<plan::MetricOutput>& metrics = program.plan.graph.metrics;
    add_loss(reader.read(program, program.plan.graph.loss), loss);
    metric_sums.resize(metrics.size());
    per_sample.resize(metrics.size());
    for (std::size_t m = 0; m < metrics.size(); ++m) {
        const std::span<const float> rows = reader.read(program, metrics[m].tensor);
        const std::size_t width = rows.size() / static_cast<std::size_t>(program.plan.batch);
        std::vector<double>& sums = metric_sums[m];
        sums.resize(width, 0.0);
        for (std::size_t i = 0; i < rows.size(); i += width) {
            const std::vector<double> row(rows.begin() + static_cast<std::ptrdiff_t>(i),
                                          rows.begin() + static_cast<std::ptrdiff_t>(i + width));
            std::ranges::transform(sums, row, sums.begin(), std::plus<>{});
            per_sample[m].push_back(metrics[m].value(row));
        }
    }
}

void EvaluatedBatch::write(std::string& to) const {
    put(loss, to);
    put(not_finite, to);
    put(metric_sums, to);
}

EvaluatedBatch EvaluatedBatch::read(std::string_view& from) {
    EvaluatedBatch batch;
    batch.loss = take<LossSum>(from);
    batch.not_finite = take<std::string>(from);
    batch.metric_sums = take<std::vector<std::vector<double>>>(from);
    return batch;
}

std::vector<data::NamedTensor> read_images(const Program& program, TensorReader& reader) {
    const plan::Graph& graph = program.plan.graph;
    std::vector<data::NamedTensor> images;
    for (const plan::ImageOutput& image : graph.images) {
        const std::span<const float> values = reader.read(program, image.tensor);
        data::NamedTensor out{image.name, SLUICE_FIELD_IMAGE, {graph.tensors[image.tensor].spec, {}}};
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
        out.tensor.bytes.assign(bytes, bytes + values.size() * sizeof(float));
        images.push_back(std::move(out));
    }
    return images;
}

}  // namespace sluice::run
