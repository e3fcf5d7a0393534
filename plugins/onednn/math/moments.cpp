// One pass. Rows are summed in blocks, in float, as distances from a pivot, the mean of the block before; a block's
// sums then go to double. Where the mean moves between blocks, so that a block is far from its pivot, the variance of
// the whole is as large: the rounding of a block's sums stays small beside it.
#include "math/moments.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/moments.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "math/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sluice::onednn::HWY_NAMESPACE {
namespace {

constexpr std::int64_t kBlockRows = 64;
constexpr std::int64_t kFirstRows = 8;  // whose mean is the first pivot

struct Rows {
    const float* first;
    std::int64_t count;
    std::int64_t channels;
};

// sums, squares: [kVectors * lanes] of distances from the pivot, of channels c, c + 1, ... of which `most` are there.
template <int kVectors>
void sum_block(const Rows& rows, std::int64_t c, std::int64_t most, const float* pivot, float* sums, float* squares) {
    const FloatTag d;
    const std::int64_t n = lanes();
    Floats from[kVectors];
    Floats sum[kVectors];
    Floats square[kVectors];
    for (int v = 0; v < kVectors; ++v) {
        from[v] = load_part(pivot + c + v * n, most);
        sum[v] = square[v] = hn::Zero(d);
    }
    for (std::int64_t r = 0; r < rows.count; ++r) {
        const float* row = rows.first + r * rows.channels + c;
        for (int v = 0; v < kVectors; ++v) {
            const Floats distance = hn::Sub(load_part(row + v * n, most), from[v]);
            sum[v] = hn::Add(sum[v], distance);
            square[v] = hn::MulAdd(distance, distance, square[v]);
        }
    }
    for (int v = 0; v < kVectors; ++v) {
        hn::StoreU(sum[v], d, sums + v * n);
        hn::StoreU(square[v], d, squares + v * n);
    }
}

// Adds a block's sums around its pivot to those around the first pivot, and moves the pivot to the block's mean.
void add_block(Moments& moments, const float* first_pivot, float* pivot, const float* sums, const float* squares,
               std::int64_t c, std::int64_t channels, std::int64_t rows) {
    const auto count = static_cast<double>(rows);
    const double part = 1.0 / count;
    for (std::int64_t i = 0; i < channels; ++i) {
        const double apart = static_cast<double>(pivot[c + i]) - static_cast<double>(first_pivot[c + i]);
        const double sum = sums[i];
        moments.mean[c + i] += sum + count * apart;
        moments.squares[c + i] += squares[i] + apart * (2.0 * sum + count * apart);
        pivot[c + i] = static_cast<float>(static_cast<double>(pivot[c + i]) + sum * part);
    }
}

void add_rows(Moments& moments, const Rows& rows, const float* first_pivot, float* pivot) {
    constexpr int kWide = 4;
    HWY_ALIGN float sums[kWide * HWY_MAX_BYTES / sizeof(float)];
    HWY_ALIGN float squares[kWide * HWY_MAX_BYTES / sizeof(float)];
    const std::int64_t n = lanes();
    for (std::int64_t c = 0; c < rows.channels;) {
        const std::int64_t left = rows.channels - c;
        const std::int64_t now = left >= kWide * n ? kWide * n : std::min(left, n);
        if (now > n) {
            sum_block<kWide>(rows, c, n, pivot, sums, squares);
        } else {
            sum_block<1>(rows, c, now, pivot, sums, squares);
        }
        add_block(moments, first_pivot, pivot, sums, squares, c, now, rows.count);
        c += now;
    }
}

void moments(Moments& to, const float* rows, std::int64_t count, std::int64_t channels, float* scratch) {
    float* first_pivot = scratch;
    float* pivot = scratch + channels;
    const std::int64_t few = std::min(count, kFirstRows);
    std::fill_n(pivot, channels, 0.0F);
    for (std::int64_t r = 0; r < few; ++r) {
        for (std::int64_t c = 0; c < channels; ++c) {
            pivot[c] += rows[r * channels + c];
        }
    }
    for (std::int64_t c = 0; c < channels; ++c) {
        first_pivot[c] = pivot[c] /= static_cast<float>(few);
        to.mean[c] = to.squares[c] = 0.0;
    }
    for (std::int64_t done = 0; done < count; done += kBlockRows) {
        add_rows(to, {rows + done * channels, std::min(kBlockRows, count - done), channels}, first_pivot, pivot);
    }
    const auto all = static_cast<double>(count);
    for (std::int64_t c = 0; c < channels; ++c) {
        const double sum = to.mean[c];
        to.mean[c] = first_pivot[c] + sum / all;
        to.squares[c] = std::max(to.squares[c] - sum * sum / all, 0.0);
    }
    to.rows = count;
}

}  // namespace
}  // namespace sluice::onednn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sluice::onednn {

HWY_EXPORT(moments);

void compute_moments(Moments& to, const float* rows, std::int64_t count, std::int64_t channels, float* scratch) {
    HWY_DYNAMIC_DISPATCH(moments)(to, rows, count, channels, scratch);
}

void merge(Moments& to, const Moments& other, std::int64_t channels) {
    if (other.rows == 0) {
        return;
    }
    const std::int64_t rows = to.rows + other.rows;
    const double part = static_cast<double>(other.rows) / static_cast<double>(rows);
    const double weight = part * static_cast<double>(to.rows);
    for (std::int64_t c = 0; c < channels; ++c) {
        const double distance = other.mean[c] - to.mean[c];
        to.mean[c] += distance * part;
        to.squares[c] += other.squares[c] + distance * distance * weight;
    }
    to.rows = rows;
}

}  // namespace sluice::onednn
#endif
