#include "gaussian_blur.hpp"

#include <cmath>

#include "picture.hpp"
#include "reflect.hpp"

namespace sluice::transforms {
namespace {

struct Context : sdk::WorkerContext {
    std::vector<float> weights;  // of the centre, of its neighbours, and so on
    std::vector<float> padded;   // one row that is blurred downward, with its borders
    std::vector<float> row;      // the same blurred across
};

// Three standard deviations to each side.
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

// to[i] += weight * (a[i] + b[i])
template <class T>
void add_two(float weight, const T* a, const T* b, std::int64_t count, float* to) {
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] += weight * static_cast<float>(a[i] + b[i]);
    }
}

// Row `y` blurred downward. to: [width, channels]
void blur_down(const Picture& from, std::int64_t y, std::span<const float> weights, float* to) {
    const std::int64_t count = from.row_bytes();
    const auto row = [&](std::int64_t number) { return from.bytes + reflect(number, from.extent.height) * count; };
    const std::uint8_t* const middle = row(y);
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = weights[0] * static_cast<float>(middle[i]);
    }
    for (std::int64_t k = 1; k < std::ssize(weights); ++k) {
        add_two(weights[static_cast<std::size_t>(k)], row(y - k), row(y + k), count, to);
    }
}

// Beyond its borders the row is mirrored without repeating its outermost pixels. middle: [width, channels]
void fill_borders(std::int64_t width, std::int64_t channels, std::int64_t reach, float* middle) {
    for (std::int64_t x = 1; x <= reach; ++x) {
        for (std::int64_t c = 0; c < channels; ++c) {
            middle[-x * channels + c] = middle[reflect(-x, width) * channels + c];
            middle[(width - 1 + x) * channels + c] = middle[reflect(width - 1 + x, width) * channels + c];
        }
    }
}

void blur(const Picture& from, Context& scratch, std::uint8_t* to) {
    const std::int64_t reach = std::ssize(scratch.weights) - 1;
    const std::int64_t count = from.row_bytes();
    scratch.padded.resize(static_cast<std::size_t>(count + 2 * reach * from.channels));
    scratch.row.resize(static_cast<std::size_t>(count));
    float* const middle = scratch.padded.data() + reach * from.channels;
    for (std::int64_t y = 0; y < from.extent.height; ++y) {
        blur_down(from, y, scratch.weights, middle);
        fill_borders(from.extent.width, from.channels, reach, middle);
        for (std::int64_t i = 0; i < count; ++i) {
            scratch.row[static_cast<std::size_t>(i)] = 0.5F + scratch.weights[0] * middle[i];  // the cast below rounds
        }
        for (std::int64_t k = 1; k <= reach; ++k) {
            const std::int64_t offset = k * from.channels;
            add_two(scratch.weights[static_cast<std::size_t>(k)], middle - offset, middle + offset, count,
                    scratch.row.data());
        }
        for (std::int64_t i = 0; i < count; ++i) {
            *to++ = static_cast<std::uint8_t>(scratch.row[static_cast<std::size_t>(i)]);
        }
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

std::unique_ptr<sdk::WorkerContext> GaussianBlur::make_context() const { return std::make_unique<Context>(); }

void GaussianBlur::apply(sdk::WorkerContext& context, std::span<const sluice_tensor> fields,
                         const sluice_random_key& key, const sdk::SampleSink& sink) const {
    auto& scratch = static_cast<Context&>(context);
    sdk::Draws draws(key);
    make_weights(draw(sigma_, draws), scratch.weights);
    for (std::uint32_t i = 0; i < chosen_.size(); ++i) {
        const sluice_tensor& field = fields[chosen_[i].index];
        const Picture picture = picture_of(field);
        blur(picture, scratch, sink.allocate(i, spec_like(field, picture.extent)));
    }
}

}  // namespace sluice::transforms
