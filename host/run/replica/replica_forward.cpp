// What a replica makes of batches that it does not train on.
#include <algorithm>
#include <cmath>

#include "run/replica/replica.hpp"
#include "run/upload/batch_pieces.hpp"

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

// The shapes of padded_ and prediction_ are set, but not their values.
Replica::Judged Replica::to_judge(const data::Batch& own) {
    const auto input = std::ranges::find(own.fields, spec_.model.input, &data::NamedTensor::name);
    const sluice_tensor_spec& spec = input->tensor.spec;
    const PictureSize size = sizes_.of_evaluation(fields_of_batch(own));
    if (spec.rank != 4 || size == size_of(spec)) {
        return {plan::Mode::evaluate, own};
    }
    padded_.count = own.count;
    padded_.fields = {{input->name, input->role, {with_size(spec, size), {}}}};
    const plan::Graph& graph = program(plan::Mode::forward, padded_).plan.graph;
    sluice_tensor_spec predicted = with_size(graph.tensors[graph.prediction].spec, size_of(spec));
    predicted.shape[0] = own.count;
    prediction_.count = own.count;
    prediction_.fields = own.fields;
    prediction_.fields.push_back({plan::kPrediction, SLUICE_FIELD_TENSOR, {predicted, {}}});
    return {plan::Mode::judge, prediction_};
}

// Fills padded_ and prediction_.
void Replica::predict_padded() {
    const data::NamedTensor& own = *std::ranges::find(prediction_.fields, spec_.model.input, &data::NamedTensor::name);
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
    Program& program = this->program(plan::Mode::forward, padded_);
    last_ = &program;
    round_parameters(weights().average().is_kept());
    Pieces pieces(padded_, program.plan.pieces);
    output.bytes.resize(byte_count(output.spec));
    std::uint8_t* to = output.bytes.data();
    const auto scores_bytes = static_cast<std::int64_t>(bytes_of_one(output)) / (size.height * size.width);
    for (std::int64_t i = 0; i < program.plan.pieces; ++i) {
        feed_.feed(program, pieces[i]);
        program.executor->forward(network_.weights().version());
        const std::span<const float> values = tensor(program.plan.graph.prediction);
        const auto* from = reinterpret_cast<const std::uint8_t*>(values.data());
        for (std::int64_t n = 0; n < program.plan.batch; ++n) {
            copy_mirrored(from, padded, 0, 0, size, scores_bytes, to);
            from += values.size_bytes() / static_cast<std::size_t>(program.plan.batch);
            to += bytes_of_one(output);
        }
    }
}

// Empty if none is found.
std::string Replica::layer_not_finite(plan::Mode mode, const data::Batch& batch) {
    last_ = &program(mode, batch);
    Pieces pieces(batch, last_->plan.pieces);
    std::string layer;
    for (std::int64_t i = 0; i < last_->plan.pieces && layer.empty(); ++i) {
        layer = layer_not_finite(pieces[i]).value_or("");
    }
    return layer;
}

void Replica::prepare_to_evaluate(const data::Batch& batch) {
    for (std::int64_t shard = own_shards_.begin(); shard < own_shards_.end(); ++shard) {
        const data::Batch& own = own_shards_.samples(shard, batch);
        const Judged judged = to_judge(own.count > 0 ? own : own_shards_.first_sample(batch));
        last_ = &program(judged.mode, judged.batch);
    }
}

void Replica::evaluate(const data::Batch& batch, std::vector<EvaluatedBatch>& shards) {
    for (std::int64_t shard = own_shards_.begin(); shard < own_shards_.end(); ++shard) {
        const data::Batch& own = own_shards_.samples(shard, batch);
        if (own.count == 0) {
            continue;
        }
        const Judged judged = to_judge(own);
        if (judged.mode == plan::Mode::judge) {
            predict_padded();
        }
        Program& program = this->program(judged.mode, judged.batch);
        last_ = &program;
        round_parameters(weights().average().is_kept());
        EvaluatedBatch& result = shards.emplace_back();
        result.names = own.names;
        Pieces pieces(judged.batch, program.plan.pieces);
        for (std::int64_t i = 0; i < program.plan.pieces; ++i) {
            feed_.feed(program, pieces[i]);
            program.executor->forward(network_.weights().version());
            result.add(program, reader_);
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

void Replica::predict(const data::Batch& batch) {
    Program& program = this->program(plan::Mode::predict, batch);
    last_ = &program;
    feed_.feed(program, batch);
    round_parameters(weights().average().is_kept());
    program.executor->forward(network_.weights().version());
}

}  // namespace sluice::run
