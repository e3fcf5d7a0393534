#include "run/replica/inference.hpp"

#include <algorithm>
#include <cmath>

#include "profile/stage_clock.hpp"
#include "run/upload/micro_batches.hpp"

namespace sluice::run {
namespace {

std::vector<registry::Field> fields_of_batch(const data::Batch& batch) {
    std::vector<registry::Field> fields;
    for (const data::NamedTensor& field : batch.fields) {
        fields.push_back({field.name, field.role, field.tensor.spec});
    }
    return fields;
}

}  // namespace

Inference::Inference(const config::PipelineSpec& spec, const plan::Toolbox& tools, NetworkRunner& runner,
                     ShardRange& shards)
    : input_(spec.model.input), runner_(runner), shards_(shards), sizes_(spec, tools) {}

// Sets the shapes of padded_ and prediction_, but not their values.
Inference::JudgedBatch Inference::to_judge(const data::Batch& own) {
    const auto input = std::ranges::find(own.fields, input_, &data::NamedTensor::name);
    const sluice_tensor_spec& spec = input->tensor.spec;
    const PictureSize size = sizes_.of_evaluation(fields_of_batch(own));
    if (spec.rank != 4 || size == size_of(spec)) {
        return {plan::Mode::evaluate, own};
    }
    padded_.count = own.count;
    padded_.fields = {{input->name, input->role, {with_size(spec, size), {}}}};
    const plan::Graph& graph = runner_.network().program(plan::Mode::forward, padded_).plan.graph;
    sluice_tensor_spec predicted = with_size(graph.tensors[graph.prediction].spec, size_of(spec));
    predicted.shape[0] = own.count;
    prediction_.count = own.count;
    prediction_.fields = own.fields;
    prediction_.fields.push_back({plan::kPrediction, SLUICE_FIELD_TENSOR, {predicted, {}}});
    return {plan::Mode::judge, prediction_};
}

// Fills padded_ and prediction_.
void Inference::predict_padded() {
    const data::NamedTensor& own = *std::ranges::find(prediction_.fields, input_, &data::NamedTensor::name);
    HostTensor& input = padded_.fields.front().tensor;
    HostTensor& output = prediction_.fields.back().tensor;
    const PictureSize size = size_of(own.tensor.spec);
    const PictureSize padded = size_of(input.spec);
    const auto bytes_of_one = [&](const HostTensor& tensor) {
        return byte_count(tensor.spec) / static_cast<std::uint64_t>(padded_.count);
    };
    const auto pixel_bytes = static_cast<std::int64_t>(bytes_of_one(own.tensor)) / (size.height * size.width);
    input.bytes.resize(byte_count(input.spec));
    for (std::int64_t n = 0; n < padded_.count; ++n) {
        copy_mirrored(own.tensor.bytes.data() + static_cast<std::uint64_t>(n) * bytes_of_one(own.tensor), size, 0, 0,
                      padded, pixel_bytes, input.bytes.data() + static_cast<std::uint64_t>(n) * bytes_of_one(input));
    }
    const Program& program = runner_.use(plan::Mode::forward, padded_);
    MicroBatches micro_batches(padded_, program.plan.micro_batches);
    output.bytes.resize(byte_count(output.spec));
    std::uint8_t* to = output.bytes.data();
    const auto scores_bytes = static_cast<std::int64_t>(bytes_of_one(output)) / (size.height * size.width);
    for (std::int64_t i = 0; i < program.plan.micro_batches; ++i) {
        forward(micro_batches[i]);
        const std::span<const float> values = runner_.tensor(program.plan.graph.prediction);
        const auto* from = reinterpret_cast<const std::uint8_t*>(values.data());
        for (std::int64_t n = 0; n < program.plan.batch; ++n) {
            copy_mirrored(from, padded, 0, 0, size, scores_bytes, to);
            from += values.size_bytes() / static_cast<std::size_t>(program.plan.batch);
            to += bytes_of_one(output);
        }
    }
}

void Inference::forward(const data::Batch& micro_batch) {
    profile::enter_stage(profile::Stage::upload);
    runner_.feed(micro_batch);
    profile::enter_stage(profile::Stage::forward);
    runner_.round_parameters(runner_.network().weights().average().is_kept());
    runner_.forward();
    // Results are read next, which waits for a device whose work is asynchronous.
    profile::enter_stage(runner_.device()->is_host_memory() ? profile::Stage::download : profile::Stage::device);
}

// Returns the first layer whose output is not finite; empty: none.
std::string Inference::layer_not_finite(plan::Mode mode, const data::Batch& batch) {
    const std::int64_t count = runner_.use(mode, batch).plan.micro_batches;
    MicroBatches micro_batches(batch, count);
    std::string layer;
    for (std::int64_t i = 0; i < count && layer.empty(); ++i) {
        layer = runner_.first_not_finite(micro_batches[i]).value_or("");
    }
    return layer;
}

void Inference::prepare(const data::Batch& batch) {
    for (std::int64_t shard = shards_.begin(); shard < shards_.end(); ++shard) {
        const data::Batch& own = shards_.samples(shard, batch);
        const JudgedBatch judged = to_judge(own.count > 0 ? own : shards_.first_sample(batch));
        runner_.use(judged.mode, judged.batch);
    }
}

void Inference::evaluate(const data::Batch& batch, std::vector<EvaluatedBatch>& shards) {
    for (std::int64_t shard = shards_.begin(); shard < shards_.end(); ++shard) {
        const data::Batch& own = shards_.samples(shard, batch);
        if (own.count == 0) {
            continue;
        }
        const JudgedBatch judged = to_judge(own);
        if (judged.mode == plan::Mode::judge) {
            predict_padded();
        }
        const Program& program = runner_.use(judged.mode, judged.batch);
        EvaluatedBatch& result = shards.emplace_back();
        result.names = own.names;
        MicroBatches micro_batches(judged.batch, program.plan.micro_batches);
        for (std::int64_t i = 0; i < program.plan.micro_batches; ++i) {
            forward(micro_batches[i]);
            result.add(program, runner_.reader());
        }
        if (!std::isfinite(result.loss.sum)) {
            if (judged.mode == plan::Mode::judge) {
                result.not_finite = layer_not_finite(plan::Mode::forward, padded_);
            }
            const std::string last = layer_not_finite(judged.mode, judged.batch);
            result.not_finite = result.not_finite.empty() ? last : result.not_finite;
        }
    }
}

void Inference::predict(const data::Batch& batch) {
    runner_.use(plan::Mode::predict, batch);
    forward(batch);
}

}  // namespace sluice::run
