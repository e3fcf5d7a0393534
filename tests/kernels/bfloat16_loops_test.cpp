// Tests the loops of the onednn plugin in bfloat16. Each gives what the float32 loop gives from the same numbers,
// rounded once.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "math/activations.hpp"
#include "math/chain_pass.hpp"
#include "math/conversions.hpp"
#include "math/elementwise.hpp"
#include "math/global_loops.hpp"
#include "math/group_norm_loops.hpp"
#include "math/layer_norm_loops.hpp"
#include "math/moments.hpp"
#include "math/pool_loops.hpp"
#include "math/product_loops.hpp"

namespace {

using namespace sluice;
using namespace sluice::onednn;

template <class Element>
using Numbers = std::vector<Element>;

// Returns numbers between -2 and 2, the same ones in either type.
template <class Element>
Numbers<Element> draws(std::int64_t count, std::uint64_t stream) {
    Numbers<Element> numbers;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto word = random_bits({1, stream, 1}, static_cast<std::uint64_t>(i));
        const Bfloat16 rounded(static_cast<float>(static_cast<double>(word >> 11) * 0x1p-51 - 2.0));
        numbers.push_back(Element(static_cast<float>(rounded)));
    }
    return numbers;
}

void expect_rounded(const Numbers<float>& exact, const Numbers<Bfloat16>& found) {
    ASSERT_EQ(exact.size(), found.size());
    for (std::size_t i = 0; i < exact.size(); ++i) {
        ASSERT_EQ(Bfloat16(exact[i]).bits, found[i].bits) << "element " << i << ": " << exact[i];
    }
}

constexpr std::int64_t kCounts[] = {1, 15, 16, 33, 257};

TEST(Bfloat16, KeepsAllItsNumbersThroughFloat32) {
    Numbers<Bfloat16> all(0x10000);
    for (std::size_t bits = 0; bits < all.size(); ++bits) {
        all[bits].bits = static_cast<std::uint16_t>(bits);
    }
    const auto count = static_cast<std::int64_t>(all.size());
    Numbers<float> wide(all.size());
    Numbers<Bfloat16> back(all.size());
    convert(wide.data(), all.data(), count, false);
    convert(back.data(), wide.data(), count, false);
    for (std::size_t bits = 0; bits < all.size(); ++bits) {
        const auto found = static_cast<float>(back[bits]);
        EXPECT_TRUE(all[bits].bits == back[bits].bits ||
                    (std::isnan(static_cast<float>(all[bits])) && std::isnan(found)))
            << bits;
    }
}

TEST(Bfloat16, IsRoundedToTheNearestAndTiesToEven) {
    const float infinite = std::numeric_limits<float>::infinity();
    // The numbers of bfloat16 above 1 are 2^-7 apart.
    const Numbers<float> exact{1.0F + 0x1p-8F, 1.0F + 0x3p-8F, 1.0F + 0x1p-8F + 0x1p-20F,
                               infinite,       3.4e38F,        -1.0F - 0x1.8p-8F};
    const Numbers<float> right{1.0F, 1.0F + 0x1p-6F, 1.0F + 0x1p-7F, infinite, infinite, -1.0F - 0x1p-7F};
    Numbers<Bfloat16> found(exact.size());
    convert(found.data(), exact.data(), static_cast<std::int64_t>(exact.size()), false);
    for (std::size_t i = 0; i < exact.size(); ++i) {
        EXPECT_EQ(static_cast<float>(found[i]), right[i]) << exact[i];
    }
}

// The vector code of chains has its own rounding.
TEST(Bfloat16, NoNumberStaysNone) {
    for (const std::int64_t count : kCounts) {
        Numbers<Bfloat16> x(static_cast<std::size_t>(count), Bfloat16(std::nanf("")));
        Numbers<Bfloat16> y(x.size());
        ChainPass pass;
        pass.relu = true;
        chain_forward(pass, {x.data(), nullptr, y.data(), nullptr}, {0, count, 1024});
        EXPECT_TRUE(std::isnan(static_cast<float>(y.back())));
    }
}

// Everything that a chain writes.
template <class Element>
struct ChainResult {
    Numbers<Element> y;
    Numbers<Element> dx;
    Numbers<Element> outside;
    Numbers<double> sums;
};

struct ChainCase {
    std::int64_t rows;
    std::int64_t width;
    Join join;
    bool adds;
};

template <class Element>
ChainResult<Element> run_chain(const ChainCase& shape) {
    const std::int64_t count = shape.rows * shape.width;
    const Elements all{0, count, shape.width};
    const auto x = draws<Element>(count, 1);
    const auto outside = draws<Element>(count, 2);
    const auto gradient = draws<Element>(count, 3);
    const auto table = draws<float>(shape.width, 4);
    std::vector<std::uint8_t> bits(static_cast<std::size_t>(bit_bytes(count, shape.width)));
    ChainResult<Element> result{draws<Element>(count, 5), draws<Element>(count, 6), draws<Element>(count, 7),
                                Numbers<double>(static_cast<std::size_t>(2 * shape.width), 0.0)};
    const ChainPass pass{.factor = table.data(),
                         .shift = table.data(),
                         .relu = true,
                         .dropout = {.key = {1, 2, 3}, .threshold = 0x40000000, .factor = 4.0F / 3.0F},
                         .join = shape.join};
    chain_forward(pass, ForwardRows<Element>{x.data(), outside.data(), result.y.data(), bits.data()}, all);
    const BackwardRows<Element> back{gradient.data(), bits.data(),           4.0F / 3.0F,
                                     shape.join,      result.outside.data(), shape.adds};
    chain_gradient_sums(back, x.data(), table.data(), all, result.sums.data());
    chain_input_gradient(back, x.data(), {table.data(), table.data(), table.data(), shape.adds}, result.dx.data(), all);
    return result;
}

TEST(Bfloat16Chain, IsThatOfFloat32RoundedOnce) {
    for (const ChainCase& shape :
         {ChainCase{5, 7, Join::before_masks, false}, ChainCase{70, 64, Join::after_masks, true},
          ChainCase{3, 100, Join::before_masks, true}, ChainCase{9, 16, Join::after_masks, false}}) {
        const auto exact = run_chain<float>(shape);
        const auto found = run_chain<Bfloat16>(shape);
        expect_rounded(exact.y, found.y);
        expect_rounded(exact.dx, found.dx);
        expect_rounded(exact.outside, found.outside);
        EXPECT_EQ(exact.sums, found.sums);
    }
}

template <class Element>
Numbers<Element> run_plain_chain(std::int64_t count, bool adds) {
    const auto gradient = draws<Element>(count, 1);
    auto to = draws<Element>(count, 2);
    chain_backward(BackwardRows<Element>{gradient.data(), nullptr, 1.0F, Join::none, nullptr, false}, to.data(), adds,
                   {0, count, 1024});
    return to;
}

TEST(Bfloat16Chain, AddsGradientsInFloat32) {
    for (const std::int64_t count : kCounts) {
        expect_rounded(run_plain_chain<float>(count, true), run_plain_chain<Bfloat16>(count, true));
        expect_rounded(run_plain_chain<float>(count, false), run_plain_chain<Bfloat16>(count, false));
    }
}

template <class Element>
Numbers<double> run_moments(std::int64_t rows, std::int64_t channels) {
    const WideRows wide = wide_rows(rows, channels);
    const auto x = draws<Element>(rows * channels, 1);
    Numbers<double> results(static_cast<std::size_t>(2 * wide.width()));
    Numbers<float> scratch(static_cast<std::size_t>(2 * wide.width()));
    Moments moments{results.data(), results.data() + wide.width(), 0};
    compute_moments(moments, x.data(), rows, wide, scratch.data());
    return results;
}

TEST(Bfloat16Moments, AreThoseOfFloat32) {
    for (const std::int64_t channels : {1, 3, 21, 64, 70}) {
        EXPECT_EQ(run_moments<float>(130, channels), run_moments<Bfloat16>(130, channels)) << channels;
    }
}

// Calls body(to, from, gradient, count) in both types. `to` already has numbers.
template <class Body>
void expect_same(const Body& body) {
    for (const std::int64_t count : kCounts) {
        auto exact = draws<float>(count, 1);
        auto found = draws<Bfloat16>(count, 1);
        body(exact.data(), draws<float>(count, 2).data(), draws<float>(count, 3).data(), count);
        body(found.data(), draws<Bfloat16>(count, 2).data(), draws<Bfloat16>(count, 3).data(), count);
        expect_rounded(exact, found);
    }
}

TEST(Bfloat16Loops, RoundOnce) {
    for (const bool add : {false, true}) {
        expect_same([=](auto* to, auto* from, auto*, std::int64_t n) { convert(to, from, n, add); });
        expect_same([=](auto* to, auto* from, auto*, std::int64_t n) { scale(to, from, 0.3F, n, add); });
        expect_same([=](auto* to, auto* from, auto* by, std::int64_t n) { sigmoid_gradient(to, from, by, n, add); });
        expect_same([=](auto* to, auto* from, auto* by, std::int64_t n) { silu_gradient(to, from, by, n, add); });
        expect_same([=](auto* to, auto* from, auto* by, std::int64_t n) { gelu_gradient(to, from, by, n, add); });
        expect_same(
            [=](auto* to, auto* from, auto* by, std::int64_t n) { gelu_by_tanh_gradient(to, from, by, n, add); });
        expect_same(
            [=](auto* to, auto* from, auto* by, std::int64_t n) { leaky_relu_gradient(to, from, by, n, add, 0.1F); });
    }
    expect_same([](auto* to, auto* from, auto*, std::int64_t n) { sigmoid(to, from, n); });
    expect_same([](auto* to, auto* from, auto*, std::int64_t n) { silu(to, from, n); });
    expect_same([](auto* to, auto* from, auto*, std::int64_t n) { gelu(to, from, n); });
    expect_same([](auto* to, auto* from, auto*, std::int64_t n) { gelu_by_tanh(to, from, n); });
    expect_same([](auto* to, auto* from, auto*, std::int64_t n) { leaky_relu(to, from, n, 0.1F); });
}

// Pools one window of 3 by 2 pixels of an image of 12 pixels in rows of 4.
template <class Element>
Numbers<Element> run_pools(std::int64_t channels) {
    const auto x = draws<Element>(12 * channels, 1);
    const PoolWindow<Element> window{x.data(), 3, 2, 4 * channels, 0, 2, channels};
    const auto size = static_cast<std::size_t>(channels);
    std::vector<std::uint16_t> taps(size);
    Numbers<Element> results(3 * size);
    largest_of(window, results.data(), taps.data());
    sum_of(window, 0.3F, results.data() + size);
    Numbers<float> sums(size, 0.25F);
    add_where(sums.data(), x.data(), taps.data(), 1, channels);
    add_scaled(sums.data(), x.data(), 0.3F, channels);
    convert(results.data() + 2 * size, sums.data(), channels, false);
    return results;
}

template <class Element>
Numbers<Element> run_global_pools(std::int64_t channels, bool add) {
    const GlobalBlock block{12, channels, std::min(channels, kGlobalBlock)};
    const auto x = draws<Element>(12 * channels, 1);
    auto results = draws<Element>(14 * channels, 2);
    std::vector<std::int32_t> pixels(static_cast<std::size_t>(channels));
    Element* const means = results.data() + 12 * channels;
    mean_of(block, x.data(), means);
    largest_of(block, x.data(), means + channels, pixels.data());
    spread(block, x.data(), 0.3F, results.data(), add);
    return results;
}

TEST(Bfloat16Pools, RoundOnce) {
    for (const std::int64_t channels : {1, 19, 64, 70}) {
        expect_rounded(run_pools<float>(channels), run_pools<Bfloat16>(channels));
        expect_rounded(run_global_pools<float>(channels, false), run_global_pools<Bfloat16>(channels, false));
        expect_rounded(run_global_pools<float>(channels, true), run_global_pools<Bfloat16>(channels, true));
    }
}

template <class Element>
Numbers<Element> run_squares(std::int64_t factor, std::int64_t channels, bool add) {
    const auto from = draws<Element>(3 * factor * factor * channels, 1);
    auto to = draws<Element>(3 * channels, 2);
    sum_squares(to.data(), from.data(), {3, channels, factor}, add);
    return to;
}

TEST(Bfloat16Upsample, SumsSquaresInFloat32) {
    for (const std::int64_t factor : {1, 2, 3}) {
        for (const std::int64_t channels : {3, 64, 70}) {
            expect_rounded(run_squares<float>(factor, channels, true), run_squares<Bfloat16>(factor, channels, true));
            expect_rounded(run_squares<float>(factor, channels, false), run_squares<Bfloat16>(factor, channels, false));
        }
    }
}

template <class Element>
Numbers<float> run_product(std::int64_t count, bool repeats) {
    const auto from = draws<Element>(count, 1);
    const auto by = draws<Element>(count, 2);
    Numbers<float> to(from.size());
    multiply_row(to.data(), from.data(), Factor<Element>{by.data(), repeats}, count);
    return to;
}

TEST(Bfloat16Product, IsThatOfFloat32) {
    for (const std::int64_t count : kCounts) {
        EXPECT_EQ(run_product<float>(count, true), run_product<Bfloat16>(count, true));
        EXPECT_EQ(run_product<float>(count, false), run_product<Bfloat16>(count, false));
    }
}

// Returns y and dx of 5 pixels, as one block and as 5 rows. `sums` gets the gradients of the parameters of the rows.
template <class Element>
Numbers<Element> run_norms(std::int64_t width, bool add, Numbers<double>& sums) {
    const auto x = draws<Element>(5 * width, 1);
    const auto gradient = draws<Element>(5 * width, 2);
    auto results = draws<Element>(20 * width, 3);
    auto tables = draws<float>(4 * width + 10, 4);
    float* const statistics = tables.data() + 4 * width;
    float* const table = tables.data();
    Element* const y = results.data();
    const PixelBlock<Element> block{x.data(), 5, width};
    block_moments(block, table, table + width);
    shift_block(block, table, table + width, table + 2 * width, y);
    block_products(block, gradient.data(), table, table + 2 * width, table + 3 * width);
    block_gradient(block, gradient.data(), {table, table + width, table + 2 * width, table + 3 * width, add},
                   y + 5 * width);
    const LayerNormRows<Element> rows{x.data(), table, statistics, statistics + 5};
    normalise_rows(rows, table, 1e-3, {5, width}, y + 10 * width);
    normalised_gradient(rows, gradient.data(), {5, width}, y + 15 * width, add);
    sums.assign(static_cast<std::size_t>(2 * width), 0.0);
    add_layer_sums(rows, gradient.data(), {5, width}, sums.data(), table);
    return results;
}

TEST(Bfloat16Norms, RoundOnce) {
    for (const std::int64_t width : {1, 19, 64, 70}) {
        for (const bool add : {false, true}) {
            Numbers<double> exact;
            Numbers<double> found;
            expect_rounded(run_norms<float>(width, add, exact), run_norms<Bfloat16>(width, add, found));
            EXPECT_EQ(exact, found);
        }
    }
}

}  // namespace
