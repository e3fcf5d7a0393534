#include "blur/motion_blur.hpp"

#include "blur/line_kernel.hpp"

namespace sluice::transforms {
namespace {

struct MotionBlurContext : sdk::WorkerContext {
    ConvolutionScratch scratch;
};

}  // namespace

MotionBlur::MotionBlur(sdk::Host, const sdk::Options& options)
    : from_(options.string("from")),
      to_(options.string("to")),
      length_(range_of(options, "length")),
      angle_(range_of(options, "angle")) {
    if (length_.is_fixed() && angle_.is_fixed()) {
        fixed_ = line_kernel(length_.least, angle_.least);
    }
}

void MotionBlur::describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) {
    const Chosen source = image_called(from_, fields);
    source_ = source.index;
    sink.field(to_, SLUICE_FIELD_IMAGE, source.spec);
}

std::unique_ptr<sdk::WorkerContext> MotionBlur::make_context() const { return std::make_unique<MotionBlurContext>(); }

void MotionBlur::apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key& key,
                       const sdk::SampleSink& sink) const {
    const sluice_tensor& field = fields[source_];
    const Picture picture = picture_of(field);
    std::uint8_t* to = sink.allocate(0, spec_like(field, picture.extent));
    ConvolutionScratch& scratch = static_cast<MotionBlurContext&>(context).scratch;
    if (!fixed_.empty()) {
        convolve(picture, fixed_, scratch, to);
        return;
    }
    sdk::Draws draws(key);
    const double length = draw(length_, draws);
    convolve(picture, line_kernel(length, draw(angle_, draws)), scratch, to);
}

}  // namespace sluice::transforms
