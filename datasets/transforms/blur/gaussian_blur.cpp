#include "blur/gaussian_blur.hpp"

#include <cmath>

#include "blur/row_sums.hpp"
#include "geometry/reflect.hpp"
#include "sample/picture.hpp"

namespace sluice::transforms {
namespace {

struct GaussianBlurContext : sdk::WorkerContext {
    std::vector<float> weights;  // [0] of the centre, [1] of its neighbours, and so on
    std::vector<float> padded;   // one vertically blurred row with its borders
    std::vector<float> row;      // the same row, also blurred horizontally
};

// The filter reaches three standard deviations to each side.
void make_weights(double sigma, std::vector<float>& weights) {
    weights.resize(static_cast<std::size_t>(std::ceil(3.0 * sigma)) + 1);
    double sum = 0.0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
        const double distance = static_cast<double>(k) / sigma;
        const double weight = std::exp(-0.5 * distance * distance);
        weights[k] = static_cast<float>(weight);
        sum += k == 0 ? weight : 2.0 * weight;
    }
    for (float& weight : weights) {
        weight = static_cast<float>(weight / sum);
    }
}

// Row `y` blurred vertically. to: [width, channels]
void blur_down(const Picture& from, std::int64_t y, std::span<const float> weights, float* to) {
    const std::int64_t count = from.row_bytes();
    const auto row = [&](std::int64_t number) { return from.bytes + reflect(number, from.extent.height) * count; };
    const std::uint8_t* const middle = row(y);
    to_floats(middle, count, to);
    scale_row(0.0F, weights[0], to, count, to);
    for (std::int64_t k = 1; k < std::ssize(weights); ++k) {
        add_scaled(weights[static_cast<std::size_t>(k)], row(y - k), row(y + k), count, to);
    }
}

void blur(const Picture& from, GaussianBlurContext& scratch, std::uint8_t* to) {
    const std::int64_t reach = std::ssize(scratch.weights) - 1;
    const std::int64_t count = from.row_bytes();
    scratch.padded.resize(static_cast<std::size_t>(count + 2 * reach * from.channels));
    scratch.row.resize(static_cast<std::size_t>(count));
    float* const middle = scratch.padded.data() + reach * from.channels;
    for (std::int64_t y = 0; y < from.extent.height; ++y) {
        blur_down(from, y, scratch.weights, middle);
        mirror_borders(from.extent.width, from.channels, reach, middle);
        scale_row(0.5F, scratch.weights[0], middle, count, scratch.row.data());  // so that to_bytes() rounds
        for (std::int64_t k = 1; k <= reach; ++k) {
            const std::int64_t offset = k * from.channels;
            add_scaled(scratch.weights[static_cast<std::size_t>(k)], middle - offset, middle + offset, count,
                       scratch.row.data());
        }
        to_bytes(scratch.row.data(), count, to + y * count);
    }
}

}  // namespace

GaussianBlur::GaussianBlur(sdk::Host, const sdk::Options& options)
    : choice_(options), sigma_(range_of(options, "sigma")) {}

void GaussianBlur::describe(std::span<const sluice_field> fields, const sdk::FieldSink& sink) {
    chosen_ = choice_.images(fields);
    for (const Chosen& field : chosen_) {
        sink.field(field.name, field.role, field.spec);
    }
}

std::unique_ptr<sdk::WorkerContext> GaussianBlur::make_context() const {
    return std::make_unique<GaussianBlurContext>();
}

void GaussianBlur::apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields,
                         const sluice_random_key& key, const sdk::SampleSink& sink) const {
    auto& scratch = static_cast<GaussianBlurContext&>(context);
    sdk::Draws draws(key);
    make_weights(draw(sigma_, draws), scratch.weights);
    for (std::uint32_t i = 0; i < chosen_.size(); ++i) {
        const sluice_tensor& field = fields[chosen_[i].index];
        const Picture picture = picture_of(field);
        blur(picture, scratch, sink.allocate(i, spec_like(field, picture.extent)));
    }
}

}  // namespace sluice::transforms
