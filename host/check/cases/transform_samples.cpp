#include "check/cases/transform_samples.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "registry/windows.hpp"

namespace sluice::check {

FittedTransform::FittedTransform(Trial& trial, const SampleShape& shape)
    : shape_(shape), folder_(trial.folder().path()), seed_(trial.seed()), is_reversed_(trial.setup().is_reversed) {
    const bool works_on_batches = registry::works_on_batches(trial.component());
    if (works_on_batches) {
        shape_.is_known = true;
        shape_.batch = std::max<std::int64_t>(shape.batch, 1);
    }
    std::string refusal;
    for (; kind_ < kSampleKinds; ++kind_) {
        const std::vector<registry::Field> fields = sample(0).fields;
        try {
            if (works_on_batches) {
                batches_.emplace(trial.component(), trial.options(), Origin{}, fields);
            } else {
                samples_.emplace(trial.component(), trial.options(), Origin{}, fields);
                if (const auto choice = registry::WindowChoice::of(*samples_)) {
                    choice->expect(std::vector<std::uint8_t>(fields.size(), 0), {});
                }
            }
            return;
        } catch (const Error& error) {
            if (error.exit() != Exit::config) {
                throw;
            }
            refusal = refusal.empty() ? error.what() : refusal;
        }
    }
    throw Error(Exit::config, refusal);
}

const registry::Transform& FittedTransform::of_samples() const {
    if (!samples_) {
        throw NotShown("it works on batches");
    }
    return *samples_;
}

registry::WorkerContext FittedTransform::make_context() const {
    return batches_ ? batches_->make_context() : samples_->make_context();
}

Sample FittedTransform::sample(std::uint64_t number, const SampleShape& shape) const {
    SampleShape own = shape;
    own.is_known = shape_.is_known;
    Sample sample = make_sample(kind_, own, seed_ + number, folder_);
    if (is_reversed_) {
        std::ranges::reverse(sample.fields);
        std::ranges::reverse(sample.tensors);
    }
    return sample;
}

std::string FittedTransform::apply(const registry::WorkerContext& context, const Sample& sample,
                                   const sluice_random_key& key, std::string* broken) const {
    const Sample::View view = sample.view();
    SampleBuffer buffer;
    std::string result;
    try {
        if (batches_) {
            result = apply_to_batch(context, view, key);
        } else {
            samples_->apply(context, view.tensors, key, buffer);
            result = buffer.digest();
        }
    } catch (const Error& error) {
        if (error.exit() != Exit::data) {
            throw;
        }
        result = error.what();
    }
    if (broken != nullptr) {
        *broken = buffer.damage().empty() ? damage_of(sample, view) : fmt::format("apply() writes {}", buffer.damage());
    }
    return result;
}

std::string FittedTransform::apply_to_batch(const registry::WorkerContext& context, const Sample::View& view,
                                            const sluice_random_key& key) const {
    batches_->apply(context, view.tensors, key);
    Sha256 hash;
    for (const TightBytes& memory : view.memory) {
        hash.add(memory.bytes());
    }
    return hash.finish();
}

bool FittedTransform::is_written(const registry::Field& field) const {
    return batches_ && std::ranges::count(batches_->written(), field.name, &registry::Field::name) > 0;
}

std::string FittedTransform::damage_of(const Sample& sample, const Sample::View& view) const {
    for (std::size_t i = 0; i < sample.fields.size(); ++i) {
        const std::string& name = sample.fields[i].name;
        if (!view.memory[i].damage().empty()) {
            return fmt::format("apply() writes {} of field '{}'", view.memory[i].damage(), name);
        }
        if (!is_written(sample.fields[i]) && !std::ranges::equal(view.memory[i].bytes(), sample.tensors[i].bytes)) {
            return fmt::format("apply() writes to field '{}', which {}", name,
                               batches_ ? "describe() did not report" : "it may only read");
        }
    }
    return {};
}

}  // namespace sluice::check
