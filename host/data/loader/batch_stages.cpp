#include "data/loader/batch_stages.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "data/chain/draw_counter.hpp"

namespace sluice::data {

BatchStages::BatchStages(const Chain& chain, std::span<const std::string> fields)
    : purpose_(chain.purpose()), seed_(chain.seed()) {
    std::vector<registry::Field> incoming;
    for (const std::string& name : fields) {
        const auto found = std::ranges::find(chain.fields(), name, &registry::Field::name);
        if (found != chain.fields().end()) {
            incoming.push_back(*found);
        }
    }
    for (const BatchEntry& entry : chain.batch_entries()) {
        stages_.push_back({.name = entry.component.manifest->provides,
                           .transform = {entry.component, entry.options, entry.origin, incoming},
                           .random_stream = entry.random_stream});
    }
}

BatchStages::Worker::Worker(const BatchStages& stages) : stages_(&stages), times_(stages.count()) {
    std::vector<StageTimes::Label> labels;
    for (const Stage& stage : stages.stages_) {
        contexts_.push_back(stage.transform.make_context());
        labels.push_back({SLUICE_SPAN_PREPROCESS, stage.name});
    }
    times_.record_as(std::move(labels));
}

void BatchStages::Worker::view(Batch& batch) {
    views_.clear();
    strides_.resize(batch.fields.size());
    for (std::size_t i = 0; i < batch.fields.size(); ++i) {
        HostTensor& tensor = batch.fields[i].tensor;
        views_.push_back(plugin_view(tensor.spec, tensor.bytes.data(), strides_[i]));
    }
}

void BatchStages::Worker::apply(Batch& batch) {
    const StageTimes::Leaving leaving(times_);
    view(batch);
    for (std::size_t i = 0; i < stages_->count(); ++i) {
        const Stage& stage = stages_->stages_[i];
        times_.enter(i, batch.number, static_cast<std::uint64_t>(batch.count));
        for (const NamedTensor& field : batch.fields) {
            times_.took(field.tensor.bytes.size());
        }
        for (const registry::Field& field : stage.transform.written()) {
            times_.wrote(std::ranges::find(batch.fields, field.name, &NamedTensor::name)->tensor.bytes.size());
        }
        try {
            stage.transform.apply(contexts_[i], views_,
                                  {stages_->seed_, stage.random_stream, draw_counter(batch.epoch, batch.number)});
        } catch (const Error& error) {
            throw Error(error.exit(), fmt::format("{}: batch {} of epoch {}: {}", stages_->purpose_, batch.number,
                                                  batch.epoch + 1, error.what()));
        }
    }
}

}  // namespace sluice::data
