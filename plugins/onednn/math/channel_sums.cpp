#include "math/channel_sums.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "math/clones.hpp"

namespace sluice::onednn {
namespace {

// Rows summed in float before they go to double: few enough that no digit is lost and that they stay in the L1 cache
// between the two passes over them.
std::int64_t block_rows(std::int64_t channels) { return std::clamp<std::int64_t>(4096 / channels, 4, 128); }

SLUICE_CLONES void block_sums(const float* rows, std::int64_t count, std::int64_t channels, float* sums) {
    for (std::int64_t r = 0; r < count; ++r) {
        for (std::int64_t c = 0; c < channels; ++c) {
            sums[c] += rows[r * channels + c];
        }
    }
}

SLUICE_CLONES void block_squares(const float* rows, const float* mean, std::int64_t count, std::int64_t channels,
                                 float* squares) {
    for (std::int64_t r = 0; r < count; ++r) {
        for (std::int64_t c = 0; c < channels; ++c) {
            const float distance = rows[r * channels + c] - mean[c];
            squares[c] += distance * distance;
        }
    }
}

// Below this value of y no gradient passes; a number instead of a branch, so that the loops are vectors.
float cut(const Affine& affine) { return affine.relu ? 0.0F : -std::numeric_limits<float>::infinity(); }

SLUICE_CLONES void block_gradients(const Affine& affine, const float* mean, const GradientRows& part,
                                   std::int64_t channels, float* __restrict sums, float* __restrict products) {
    const float* factor = affine.factor;
    const float* shift = affine.shift;
    const float floor = cut(affine);
    for (std::int64_t r = 0; r < part.count; ++r) {
        const float* x = part.rows + r * channels;
        const float* gradient = part.gradient + r * channels;
        for (std::int64_t c = 0; c < channels; ++c) {
            const float given = gradient[c];
            const float mine = x[c] * factor[c] + shift[c] > floor ? given : 0.0F;
            sums[c] += mine;
            products[c] += mine * (x[c] - mean[c]);
        }
    }
}

// Adds a block's mean and squares (float) of `count` rows.
void merge_block(Moments& moments, const float* mean, const float* squares, std::int64_t count, std::int64_t channels) {
    const std::int64_t rows = moments.rows + count;
    const double part = static_cast<double>(count) / static_cast<double>(rows);
    const double weight = part * static_cast<double>(moments.rows);
    for (std::int64_t c = 0; c < channels; ++c) {
        const double distance = mean[c] - moments.mean[c];
        moments.mean[c] += distance * part;
        moments.squares[c] += squares[c] + distance * distance * weight;
    }
    moments.rows = rows;
}

}  // namespace

void clear(Moments& moments, std::int64_t channels) {
    std::fill_n(moments.mean, channels, 0.0);
    std::fill_n(moments.squares, channels, 0.0);
    moments.rows = 0;
}

void merge(Moments& moments, const Moments& other, std::int64_t channels) {
    const std::int64_t rows = moments.rows + other.rows;
    if (other.rows == 0) {
        return;
    }
    const double part = static_cast<double>(other.rows) / static_cast<double>(rows);
    const double weight = part * static_cast<double>(moments.rows);
    for (std::int64_t c = 0; c < channels; ++c) {
        const double distance = other.mean[c] - moments.mean[c];
        moments.mean[c] += distance * part;
        moments.squares[c] += other.squares[c] + distance * distance * weight;
    }
    moments.rows = rows;
}

void add_rows(Moments& moments, const float* rows, std::int64_t count, std::int64_t channels, float* scratch) {
    float* mean = scratch;
    float* squares = scratch + channels;
    const std::int64_t block = block_rows(channels);
    for (std::int64_t done = 0; done < count; done += block) {
        const std::int64_t here = std::min(block, count - done);
        const float* part = rows + done * channels;
        std::fill_n(scratch, 2 * channels, 0.0F);
        block_sums(part, here, channels, mean);
        std::for_each(mean, mean + channels, [&](float& value) { value /= static_cast<float>(here); });
        block_squares(part, mean, here, channels, squares);
        merge_block(moments, mean, squares, here, channels);
    }
}

void add_sums(double* sums, const float* rows, std::int64_t count, std::int64_t channels, float* scratch) {
    const std::int64_t block = block_rows(channels);
    for (std::int64_t done = 0; done < count; done += block) {
        std::fill_n(scratch, channels, 0.0F);
        block_sums(rows + done * channels, std::min(block, count - done), channels, scratch);
        std::transform(sums, sums + channels, scratch, sums, std::plus<>());
    }
}

SLUICE_CLONES void apply(const Affine& affine, const float* rows, float* to, std::int64_t count,
                         std::int64_t channels) {
    const float* factor = affine.factor;
    const float* shift = affine.shift;
    const float floor = cut(affine);
    for (std::int64_t r = 0; r < count; ++r) {
        const float* x = rows + r * channels;
        float* y = to + r * channels;
        for (std::int64_t c = 0; c < channels; ++c) {
            const float value = x[c] * factor[c] + shift[c];
            y[c] = value < floor ? floor : value;
        }
    }
}

void add_gradients(const Affine& affine, const float* mean, const GradientRows& part, std::int64_t channels,
                   double* sums, float* scratch) {
    const std::int64_t block = block_rows(channels);
    for (std::int64_t done = 0; done < part.count; done += block) {
        const std::int64_t here = std::min(block, part.count - done);
        std::fill_n(scratch, 2 * channels, 0.0F);
        block_gradients(affine, mean, {part.rows + done * channels, part.gradient + done * channels, here}, channels,
                        scratch, scratch + channels);
        for (std::int64_t c = 0; c < 2 * channels; ++c) {
            sums[c] += scratch[c];
        }
    }
}

SLUICE_CLONES void input_gradients(const Affine& affine, const float* slope, const float* offset,
                                   const GradientRows& part, std::int64_t channels, float* to, bool add) {
    const float* factor = affine.factor;
    const float* shift = affine.shift;
    const float floor = cut(affine);
    for (std::int64_t r = 0; r < part.count; ++r) {
        const float* x = part.rows + r * channels;
        const float* gradient = part.gradient + r * channels;
        float* __restrict mine = to + r * channels;
        for (std::int64_t c = 0; c < channels; ++c) {
            const float given = gradient[c] * factor[c];
            const float passed = x[c] * factor[c] + shift[c] > floor ? given : 0.0F;
            const float value = passed + x[c] * slope[c] + offset[c];
            mine[c] = add ? mine[c] + value : value;
        }
    }
}

}  // namespace sluice::onednn
