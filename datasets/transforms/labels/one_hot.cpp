#include "labels/one_hot.hpp"

#include <algorithm>

#include "labels/class_number.hpp"

namespace sluice::transforms {

OneHot::OneHot(sdk::Host, const sdk::Options& options)
    : from_(options.string("from")),
      to_(options.has("to") ? options.string("to") : from_),
      classes_(options.integer("classes")),
      smoothing_(static_cast<float>(options.number("smoothing"))) {}

void OneHot::describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) {
    source_ = class_called(from_, fields).index;
    sink.field(to_, SLUICE_FIELD_TENSOR, sdk::make_spec(sdk::kFloat32, {classes_}));
}

void OneHot::apply(sdk::WorkerContext&, std::span<const sluice_tensor> fields, const sluice_random_key&,
                   const sdk::SampleSink& sink) const {
    const std::int64_t number = class_number(fields[source_]);
    if (number < 0 || number >= classes_) {
        throw sdk::Failure(SLUICE_BAD_SAMPLE, "'" + from_ + "' is " + std::to_string(number) +
                                                  "; with classes = " + std::to_string(classes_) +
                                                  " it must be from 0 to " + std::to_string(classes_ - 1));
    }
    auto* const to = sink.allocate<float>(0, sdk::make_spec(sdk::kFloat32, {classes_}));
    std::fill_n(to, classes_, smoothing_ / static_cast<float>(classes_));
    to[number] += 1.0F - smoothing_;
}

}  // namespace sluice::transforms
