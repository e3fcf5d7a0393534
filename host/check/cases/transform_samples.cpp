#include "check/cases/transform_samples.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/sha256.hpp"
#include "registry/optional/windows.hpp"

namespace sluice::check {

FittedTransform::FittedTransform(Trial& trial, const SampleShape& shape)
    : shape_(shape), folder_(trial.folder().path()), seed_(trial.seed()), is_reversed_(trial.setup().is_reversed) {
    if (registry::works_on_batches(trial.component())) {
        shape_.is_known = true;
        shape_.batch = std::max<std::int64_t>(shape.batch, 1);
    }
    std::string refusal;
    for (; kind_ < kSampleKinds; ++kind_) {
        const std::vector<registry::Field> fields = sample(0).fields;
        try {
            take(trial, fields);
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

FittedTransform::FittedTransform(Trial& trial, const Sample& sample)
    : folder_(trial.folder().path()), seed_(trial.seed()), is_reversed_(false) {
    take(trial, sample.fields);
}

void FittedTransform::take(Trial& trial, const std::vector<registry::Field>& fields) {
    if (registry::works_on_batches(trial.component())) {
        batches_.emplace(trial.component(), trial.options(), Origin{}, fields);
        return;
    }
    samples_.emplace(trial.component(), trial.options(), Origin{}, fields);
    if (const auto choice = registry::WindowChoice::of(*samples_)) {
        choice->expect(std::vector<std::uint8_t>(fields.size(), 0), {});
    }
}

const registry::Transform& FittedTransform::of_samples() const {
    if (!samples_) {
        throw CaseSkipped("the transform works on batches");
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

FittedTransform::Outcome FittedTransform::outcome(const registry::WorkerContext& context, const Sample& sample,
                                                  const sluice_random_key& key) const {
    const Sample::View view = sample.view();
    SampleBuffer buffer;
    Outcome found = apply_to(context, view, key, buffer);
    found.wrong_writes =
        buffer.damage().empty() ? damage_of(sample, view) : fmt::format("apply() writes {}", buffer.damage());
    return found;
}

std::optional<Error> FittedTransform::refusal(const registry::WorkerContext& context, const Sample::View& view,
                                              const sluice_random_key& key, SampleBuffer& buffer) const {
    try {
        if (batches_) {
            batches_->apply(context, view.tensors, key);
        } else {
            samples_->apply(context, view.tensors, key, buffer);
        }
        return std::nullopt;
    } catch (const Error& error) {
        if (error.exit() != Exit::data) {
            throw;
        }
        return error;
    }
}

FittedTransform::Outcome FittedTransform::apply_to(const registry::WorkerContext& context, const Sample::View& view,
                                                   const sluice_random_key& key, SampleBuffer& buffer) const {
    if (const auto why = refusal(context, view, key, buffer)) {
        return {.result = why->what(), .has_reason = why->has_reason()};
    }
    if (!batches_) {
        return {.result = buffer.digest()};
    }
    Sha256 hash;
    for (const GuardedBytes& memory : view.memory) {
        hash.add(memory.bytes());
    }
    return {.result = hash.finish()};
}

std::string FittedTransform::content(const registry::WorkerContext& context, const Sample& sample,
                                     const sluice_random_key& key, bool waits) const {
    const Sample::View view = sample.view();
    YieldingBuffer buffer(waits);
    if (const auto why = refusal(context, view, key, buffer)) {
        return why->what();
    }
    std::string all = buffer.content();
    for (const GuardedBytes& memory : view.memory) {
        if (batches_) {
            all.append(reinterpret_cast<const char*>(memory.bytes().data()), memory.bytes().size());
        }
    }
    return all;
}

bool FittedTransform::leaves_bytes(const registry::WorkerContext& context, const Sample& sample) const {
    SampleBuffer one(0x00);
    SampleBuffer other(0xFF);
    return apply_to(context, sample.view(), kSampleKey, one).result !=
           apply_to(context, sample.view(), kSampleKey, other).result;
}

void FittedTransform::expect_sound(const Sample& sample, const std::string& what) const {
    const registry::WorkerContext context = make_context();
    const Outcome first = outcome(context, sample, kSampleKey);
    expect(first.wrong_writes.empty(), fmt::format("{}: {}", what, first.wrong_writes));
    expect(first.has_reason, fmt::format("{}: {}", what, first.result));
    expect(apply(context, sample, kSampleKey) == first.result,
           fmt::format("{}: the same key gives other bytes the second time", what));
    expect(!leaves_bytes(context, sample), fmt::format("{}: apply() leaves bytes of a field unwritten", what));
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
