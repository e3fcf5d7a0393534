#include "gemm/multiply.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gemm/multiply.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "math/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sluice::onednn::HWY_NAMESPACE {

using Tag = FloatTag;
using Vector = Floats;
constexpr std::int64_t kLanes = hn::MaxLanes(Tag());

// Sums that stay in registers: 24 of the 32 registers of AVX-512, 12 of 16 elsewhere.
constexpr bool kManyRegisters = HWY_TARGET <= HWY_AVX3;
constexpr int kPanelVectors = kManyRegisters ? 4 : 2;
constexpr int kPanelRows = 6;
constexpr int kNarrowRows = 12;

// Addresses to prefetch into the second-level cache while a block is computed, one for each k.
struct Ahead {
    const float* begin;
    std::int64_t step;
};

// Computes kRows rows by kVectors vectors of c; a, b and c point to the first element of the block.
template <int kRows, int kVectors>
HWY_INLINE void block(const Product& product, const Ahead& ahead, const float* HWY_RESTRICT a,
                      const float* HWY_RESTRICT b, float* HWY_RESTRICT c) {
    const Tag tag;
    Vector sums[kRows][kVectors];
#pragma GCC unroll 12
    for (int row = 0; row < kRows; ++row) {
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) {
            sums[row][v] = product.add ? hn::LoadU(tag, c + row * product.c_row + v * kLanes) : hn::Zero(tag);
        }
    }
    const float* soon = ahead.begin;
    for (std::int64_t k = 0; k < product.depth; ++k) {
        __builtin_prefetch(soon, 0, 2);
        soon += ahead.step;
        Vector right[kVectors];
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) {
            right[v] = hn::LoadU(tag, b + v * kLanes);
        }
#pragma GCC unroll 12
        for (int row = 0; row < kRows; ++row) {
            const Vector left = hn::Set(tag, a[row * product.a_row]);
#pragma GCC unroll 4
            for (int v = 0; v < kVectors; ++v) {
                sums[row][v] = hn::MulAdd(left, right[v], sums[row][v]);
            }
        }
        a += product.a_step;
        b += product.b_row;
    }
#pragma GCC unroll 12
    for (int row = 0; row < kRows; ++row) {
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) {
            hn::StoreU(sums[row][v], tag, c + row * product.c_row + v * kLanes);
        }
    }
}

// Computes the first `rows` rows, at most kRows.
template <int kRows, int kVectors>
HWY_INLINE void some_rows(const Product& product, const Ahead& ahead, std::int64_t rows, const float* a, const float* b,
                          float* c) {
    if constexpr (kRows > 1) {
        if (rows < kRows) {
            some_rows<kRows - 1, kVectors>(product, ahead, rows, a, b, c);
            return;
        }
    }
    block<kRows, kVectors>(product, ahead, a, b, c);
}

// Computes all rows, in blocks of nearly the same height.
template <int kRows, int kVectors>
HWY_NOINLINE void panel(const Product& product, const float* b, float* c) {
    const std::int64_t blocks = (product.rows + kRows - 1) / kRows;
    for (std::int64_t i = 0; i < blocks; ++i) {
        const std::int64_t begin = i * product.rows / blocks;
        const std::int64_t end = (i + 1) * product.rows / blocks;
        // Each block prefetches its share of the next panel.
        const std::int64_t step = product.next == nullptr ? 0 : (kVectors * kLanes + blocks - 1) / blocks;
        const Ahead ahead{product.next == nullptr ? b : product.next + i * step * product.depth, step};
        some_rows<kRows, kVectors>(product, ahead, end - begin, product.a + begin * product.a_row, b,
                                   c + begin * product.c_row);
    }
}

void multiply(const Product& product) {
    constexpr std::int64_t kPanel = kPanelVectors * kLanes;
    for (std::int64_t column = 0; column < product.columns; column += kPanel) {
        const float* b = product.b + column;
        float* c = product.c + column;
        switch (std::min(product.columns - column, kPanel) / kLanes) {
            case 1:
                panel<kNarrowRows, 1>(product, b, c);
                break;
            case 2:
                panel<kManyRegisters ? kNarrowRows : kPanelRows, 2>(product, b, c);
                break;
            case 3:
                panel<kPanelRows, 3>(product, b, c);
                break;
            default:
                panel<kPanelRows, kPanelVectors>(product, b, c);
                break;
        }
    }
}

std::int64_t vector_width() { return kLanes; }
std::int64_t panel_width() { return kPanelVectors * kLanes; }

}  // namespace sluice::onednn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sluice::onednn {

HWY_EXPORT(multiply);
HWY_EXPORT(vector_width);
HWY_EXPORT(panel_width);

void multiply(const Product& product) { HWY_DYNAMIC_DISPATCH(multiply)(product); }
std::int64_t vector_width() { return HWY_DYNAMIC_DISPATCH(vector_width)(); }
std::int64_t panel_width() { return HWY_DYNAMIC_DISPATCH(panel_width)(); }

}  // namespace sluice::onednn
#endif
