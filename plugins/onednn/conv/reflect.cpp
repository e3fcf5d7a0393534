#include "conv/reflect.hpp"

#include <algorithm>
#include <type_traits>

#include "math/conversions.hpp"
#include "math/elementwise.hpp"

namespace sluice::onednn {
namespace {

std::int64_t mirror(std::int64_t position, std::int64_t extent) {
    const std::int64_t inside = std::abs(position);
    return inside < extent ? inside : 2 * (extent - 1) - inside;
}

template <class From, class To>
void copy(const From* from, std::int64_t count, To* to) {
    if constexpr (std::is_same_v<From, To>) {
        std::copy_n(from, count, to);
    } else {
        convert(to, from, count, false);
    }
}

// Adds the left and right border of source [W + 2 border, C] to the ends of row [W, C].
void fold_ends(const ConvGeometry& geometry, const float* source, float* row) {
    const std::int64_t channels = geometry.channels;
    const std::int64_t border = geometry.border;
    const std::int64_t last = geometry.width.in - 1;
    for (std::int64_t i = 1; i <= border; ++i) {
        add_to(row + i * channels, source + (border - i) * channels, channels);
        add_to(row + (last - i) * channels, source + (border + last + i) * channels, channels);
    }
}

// Adds all of source [W + 2 border, C] to row [W, C].
void fold_row(const ConvGeometry& geometry, const float* source, float* row) {
    add_to(row, source + geometry.border * geometry.channels, geometry.width.in * geometry.channels);
    fold_ends(geometry, source, row);
}

// Adds row y of one image's gradient to sums [W, C]. has_middle: `sums` already hold the middle of that row.
void fold_rows(const ConvGeometry& geometry, const float* image, std::int64_t y, float* sums, bool has_middle) {
    const std::int64_t border = geometry.border;
    const std::int64_t height = geometry.height.in;
    const std::int64_t step = geometry.source_width() * geometry.channels;
    const float* own = image + (y + border) * step;
    has_middle ? fold_ends(geometry, own, sums) : fold_row(geometry, own, sums);
    if (y >= 1 && y <= border) {
        fold_row(geometry, image + (border - y) * step, sums);
    }
    if (y <= height - 2 && y >= height - 1 - border) {
        fold_row(geometry, image + (2 * (height - 1) - y + border) * step, sums);
    }
}

}  // namespace

template <class From, class To>
void reflect_pad(const sluice_threads* threads, const ConvGeometry& geometry, const From* input, To* source) {
    const std::int64_t channels = geometry.channels;
    const std::int64_t border = geometry.border;
    const std::int64_t height = geometry.height.in;
    const std::int64_t width = geometry.width.in;
    sdk::parallel_for(threads, geometry.batch * geometry.source_height(), 1,
                      [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                          for (std::int64_t row = begin; row < end; ++row) {
                              const std::int64_t image = row / geometry.source_height();
                              const std::int64_t y = mirror(row % geometry.source_height() - border, height);
                              const From* from = input + (image * height + y) * width * channels;
                              To* to = source + row * geometry.source_width() * channels;
                              copy(from, width * channels, to + border * channels);
                              for (std::int64_t i = 1; i <= border; ++i) {
                                  copy(from + i * channels, channels, to + (border - i) * channels);
                                  copy(from + (width - 1 - i) * channels, channels,
                                       to + (border + width - 1 + i) * channels);
                              }
                          }
                      });
}

template <class To>
void reflect_fold(const sluice_threads* threads, const ConvGeometry& geometry, float* source_gradient,
                  To* input_gradient, bool accumulate) {
    const std::int64_t height = geometry.height.in;
    const std::int64_t source_row = geometry.source_width() * geometry.channels;
    const std::int64_t input_row = geometry.width.in * geometry.channels;
    sdk::parallel_for(threads, geometry.batch * height, 1, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
        for (std::int64_t row = begin; row < end; ++row) {
            const std::int64_t y = row % height;
            float* image = source_gradient + row / height * geometry.source_height() * source_row;
            To* to = input_gradient + row * input_row;
            if constexpr (std::is_same_v<To, float>) {
                if (!accumulate) {
                    std::fill_n(to, input_row, 0.0F);
                }
                fold_rows(geometry, image, y, to, false);
            } else {
                // The sums may overwrite the middle of this row, because no other row reads it.
                float* sums = image + (y + geometry.border) * source_row + geometry.border * geometry.channels;
                fold_rows(geometry, image, y, sums, true);
                convert(to, sums, input_row, accumulate);
            }
        }
    });
}

template void reflect_pad(const sluice_threads*, const ConvGeometry&, const float*, float*);
template void reflect_pad(const sluice_threads*, const ConvGeometry&, const Bfloat16*, float*);
template void reflect_pad(const sluice_threads*, const ConvGeometry&, const Bfloat16*, Bfloat16*);
template void reflect_fold(const sluice_threads*, const ConvGeometry&, float*, float*, bool);
template void reflect_fold(const sluice_threads*, const ConvGeometry&, float*, Bfloat16*, bool);

}  // namespace sluice::onednn
