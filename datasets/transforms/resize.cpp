#include "resize.hpp"

#include "resample.hpp"

namespace sluice::transforms {
namespace {

struct Context : sdk::WorkerContext {
    ResampleScratch scratch;
};

}  // namespace

Resize::Resize(sdk::Host, const sdk::Options& options)
    : choice_(options), is_bilinear_(options.string("method") == "bilinear") {
    const std::vector<std::int64_t> size = options.integers("size");
    size_ = {size.at(0), size.at(1)};
}

void Resize::describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) {
    chosen_ = choice_.pictures(fields);
    for (const Chosen& field : chosen_) {
        if (is_bilinear_ && field.role == SLUICE_FIELD_LABEL_MAP) {
            throw sdk::Failure(SLUICE_INVALID, "field '" + field.name +
                                                   "' is a label map, and bilinear would mix its "
                                                   "class numbers: take method = \"nearest\"");
        }
        sluice_tensor_spec spec = field.spec;
        spec.shape[0] = size_.height;
        spec.shape[1] = size_.width;
        sink.field(field.name, field.role, spec);
    }
}

std::unique_ptr<sdk::WorkerContext> Resize::make_context() const { return std::make_unique<Context>(); }

void Resize::apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key&,
                   const sdk::SampleSink& sink) const {
    for (std::uint32_t i = 0; i < chosen_.size(); ++i) {
        const sluice_tensor& field = fields[chosen_[i].index];
        std::uint8_t* to = sink.allocate(i, spec_like(field, size_));
        if (is_bilinear_) {
            resample_bilinear(picture_of(field), size_, static_cast<Context&>(context).scratch, to);
        } else {
            resample_nearest(picture_of(field), size_, to);
        }
    }
}

}  // namespace sluice::transforms
