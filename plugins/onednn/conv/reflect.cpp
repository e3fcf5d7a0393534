#include "conv/reflect.hpp"

#include <algorithm>

#include "math/elementwise.hpp"

namespace sluice::onednn {
namespace {

std::int64_t mirror(std::int64_t position, std::int64_t extent) {
    const std::int64_t inside = std::abs(position);
    return inside < extent ? inside : 2 * (extent - 1) - inside;
}

// One row: source [W + 2 border, C] added to input_gradient [W, C].
void fold_row(const ConvGeometry& geometry, const float* source, float* input_gradient) {
    const std::int64_t channels = geometry.channels;
    const std::int64_t border = geometry.border;
    const std::int64_t last = geometry.width.in - 1;
    add_to(input_gradient, source + border * channels, geometry.width.in * channels);
    for (std::int64_t i = 1; i <= border; ++i) {
        add_to(input_gradient + i * channels, source + (border - i) * channels, channels);
        add_to(input_gradient + (last - i) * channels, source + (border + last + i) * channels, channels);
    }
}

}  // namespace

void reflect_pad(const sluice_threads* threads, const ConvGeometry& geometry, const float* input, float* source) {
    const std::int64_t channels = geometry.channels;
    const std::int64_t border = geometry.border;
    const std::int64_t height = geometry.height.in;
    const std::int64_t width = geometry.width.in;
    sdk::parallel_for(threads, geometry.batch * geometry.source_height(), 1,
                      [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                          for (std::int64_t row = begin; row < end; ++row) {
                              const std::int64_t image = row / geometry.source_height();
                              const std::int64_t y = mirror(row % geometry.source_height() - border, height);
                              const float* from = input + (image * height + y) * width * channels;
                              float* to = source + row * geometry.source_width() * channels;
                              std::copy_n(from, width * channels, to + border * channels);
                              for (std::int64_t i = 1; i <= border; ++i) {
                                  std::copy_n(from + i * channels, channels, to + (border - i) * channels);
                                  std::copy_n(from + (width - 1 - i) * channels, channels,
                                              to + (border + width - 1 + i) * channels);
                              }
                          }
                      });
}

const float* mirrored_source(const sluice_launch& launch, const ConvGeometry& geometry, float* memory) {
    const float* input = sdk::input<float>(launch, 0);
    if (!geometry.mirrors()) {
        return input;
    }
    reflect_pad(launch.threads, geometry, input, memory);
    return memory;
}

void reflect_fold(const sluice_threads* threads, const ConvGeometry& geometry, const float* source_gradient,
                  float* input_gradient, bool accumulate) {
    const std::int64_t border = geometry.border;
    const std::int64_t height = geometry.height.in;
    const std::int64_t source_row = geometry.source_width() * geometry.channels;
    const std::int64_t input_row = geometry.width.in * geometry.channels;
    sdk::parallel_for(threads, geometry.batch * height, 1, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
        for (std::int64_t row = begin; row < end; ++row) {
            const std::int64_t y = row % height;
            const float* image = source_gradient + row / height * geometry.source_height() * source_row;
            float* to = input_gradient + row * input_row;
            if (!accumulate) {
                std::fill_n(to, input_row, 0.0F);
            }
            fold_row(geometry, image + (y + border) * source_row, to);
            if (y >= 1 && y <= border) {
                fold_row(geometry, image + (border - y) * source_row, to);
            }
            if (y <= height - 2 && y >= height - 1 - border) {
                fold_row(geometry, image + (2 * (height - 1) - y + border) * source_row, to);
            }
        }
    });
}

}  // namespace sluice::onednn
