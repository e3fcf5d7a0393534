// Moments in one pass. Rows are summed in blocks, in float, as distances from a pivot: the mean of the block before.
// The sums of a block are then added in double. If the mean moves between blocks, a block lies far from its pivot. But
// then the variance of the whole is as large, and the rounding of a block's sums stays small in comparison.
#include "math/moments.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/moments.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "math/groups-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sluice::onednn::HWY_NAMESPACE {
namespace {

constexpr std::int64_t kBlockRows = 64;
constexpr std::int64_t kFirstRows = 8;  // their mean is the first pivot

// The first `length` elements of each of `count` rows, which lie `width` apart.
template <class Element>
struct Rows {
    const Element* first;
    std::int64_t count;
    std::int64_t length;
    std::int64_t width;
};

// All are [width]. Sums and squares are those of distances from the first pivot.
struct Sums {
    double* sums;
    double* squares;
    const float* first_pivot;
    float* pivot;
};

// Adds a block's sums around its pivot to those around the first pivot, and moves the pivot to the block's mean.
void add_block(const Sums& to, const float* sums, const float* squares, std::int64_t c, std::int64_t length,
               std::int64_t rows) {
    const auto count = static_cast<double>(rows);
    const double part = 1.0 / count;
    const float* first_pivot = to.first_pivot + c;
    float* pivot = to.pivot + c;
    for (std::int64_t i = 0; i < length; ++i) {
        const double apart = static_cast<double>(pivot[i]) - static_cast<double>(first_pivot[i]);
        const double sum = sums[i];
        to.sums[c + i] += sum + count * apart;
        to.squares[c + i] += squares[i] + apart * (2.0 * sum + count * apart);
        pivot[i] = static_cast<float>(static_cast<double>(pivot[i]) + sum * part);
    }
}

// Sums kVectors vectors of elements from c on; `most` elements of each are valid.
template <int kVectors, class Element>
HWY_INLINE void sum_block(const Rows<Element>& rows, std::int64_t c, std::int64_t most, const Sums& to) {
    const FloatTag d;
    const std::int64_t n = lanes();
    Floats from[kVectors];
    Floats sum[kVectors];
    Floats square[kVectors];
    for (int v = 0; v < kVectors; ++v) {
        from[v] = load_part(to.pivot + c + v * n, most);
        sum[v] = square[v] = hn::Zero(d);
    }
    for (std::int64_t r = 0; r < rows.count; ++r) {
        const Element* row = rows.first + r * rows.width + c;
        for (int v = 0; v < kVectors; ++v) {
            fetch(row + v * n + kRowsAhead * rows.width);
            const Floats distance = hn::Sub(load_part(row + v * n, most), from[v]);
            sum[v] = hn::Add(sum[v], distance);
            square[v] = hn::MulAdd(distance, distance, square[v]);
        }
    }
    HWY_ALIGN float sums[kVectors * HWY_MAX_BYTES / sizeof(float)];
    HWY_ALIGN float squares[kVectors * HWY_MAX_BYTES / sizeof(float)];
    for (int v = 0; v < kVectors; ++v) {
        hn::StoreU(sum[v], d, sums + v * n);
        hn::StoreU(square[v], d, squares + v * n);
    }
    add_block(to, sums, squares, c, kVectors == 1 ? most : kVectors * n, rows.count);
}

template <class Element>
void add_rows(const Sums& to, const Rows<Element>& rows) {
    const std::int64_t n = lanes();
    std::int64_t c = 0;
    for (; c + kWide * n <= rows.length; c += kWide * n) {
        sum_block<kWide>(rows, c, n, to);
    }
    for (; c < rows.length; c += n) {
        sum_block<1>(rows, c, std::min(n, rows.length - c), to);
    }
}

// Computes the moments of each column of rows of `width`, to mean and squares [width]. The first `count % width`
// columns have one element more than the others.
template <class Element>
void moments(double* mean, double* squares, const Element* x, std::int64_t count, std::int64_t width, float* scratch) {
    const std::int64_t whole = count / width;
    const std::int64_t rest = count % width;
    const std::int64_t few = std::min(whole, kFirstRows);
    float* first_pivot = scratch;
    float* pivot = scratch + width;
    std::fill_n(pivot, width, 0.0F);
    for (std::int64_t r = 0; r < few; ++r) {
        for (std::int64_t c = 0; c < width; ++c) {
            pivot[c] += x[r * width + c];
        }
    }
    for (std::int64_t c = 0; c < width; ++c) {
        first_pivot[c] = pivot[c] /= static_cast<float>(few);
        mean[c] = squares[c] = 0.0;
    }
    const Sums to{mean, squares, first_pivot, pivot};
    for (std::int64_t done = 0; done < whole; done += kBlockRows) {
        add_rows<Element>(to, {x + done * width, std::min(kBlockRows, whole - done), width, width});
    }
    if (rest > 0) {
        add_rows<Element>(to, {x + whole * width, 1, rest, width});
    }
    for (std::int64_t c = 0; c < width; ++c) {
        const auto all = static_cast<double>(whole + (c < rest ? 1 : 0));
        const double sum = mean[c];
        mean[c] = first_pivot[c] + sum / all;
        squares[c] = std::max(squares[c] - sum * sum / all, 0.0);
    }
}

void moments_float(double* mean, double* squares, const float* x, std::int64_t count, std::int64_t width,
                   float* scratch) {
    moments(mean, squares, x, count, width, scratch);
}

void moments_bfloat16(double* mean, double* squares, const Bfloat16* x, std::int64_t count, std::int64_t width,
                      float* scratch) {
    moments(mean, squares, x, count, width, scratch);
}

}  // namespace
}  // namespace sluice::onednn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sluice::onednn {

HWY_EXPORT(moments_float);
HWY_EXPORT(moments_bfloat16);

namespace {

// Merges the moments of the columns of a wide row into those of the channels.
void join(Moments& to, std::int64_t count, const WideRows& wide) {
    const std::int64_t channels = wide.channels;
    to.rows = (count - 1) / wide.together + 1;
    for (std::int64_t i = 1; i < wide.together; ++i) {
        const std::int64_t at = i * channels;
        merge(to, {to.mean + at, to.squares + at, (count - 1 - i) / wide.together + 1}, channels);
    }
}

}  // namespace

void compute_moments(Moments& to, const float* rows, std::int64_t count, const WideRows& wide, float* scratch) {
    HWY_DYNAMIC_DISPATCH(moments_float)(to.mean, to.squares, rows, count * wide.channels, wide.width(), scratch);
    join(to, count, wide);
}

void compute_moments(Moments& to, const Bfloat16* rows, std::int64_t count, const WideRows& wide, float* scratch) {
    HWY_DYNAMIC_DISPATCH(moments_bfloat16)(to.mean, to.squares, rows, count * wide.channels, wide.width(), scratch);
    join(to, count, wide);
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
