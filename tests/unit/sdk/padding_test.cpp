// The meaning of the options `padding` and `pad`, against values that were computed by hand.
#include "sluice/sdk/padding.hpp"

#include <gtest/gtest.h>

#include "option_values.hpp"

namespace sluice::test {
namespace {

using sdk::AxisPadding;
using sdk::PadSides;

// The options of a layer as the host passes them. Those that are not given are absent.
struct WindowOptions {
    std::string_view padding;
    std::int64_t kernel = 3;
    std::optional<std::int64_t> stride{};
    std::optional<std::int64_t> dilation{};
    std::vector<std::int64_t> pad{};

    // Returns the result of reader(Options).
    template <class Read>
    [[nodiscard]] auto read(const Read& reader) const {
        const auto maybe = [](std::optional<std::int64_t> value) { return value ? integer(*value) : sluice_value{}; };
        std::vector<sluice_value> numbers;
        for (const std::int64_t each : pad) {
            numbers.push_back(integer(each));
        }
        const sluice_pair pairs[] = {{sdk::text_of("dilation"), maybe(dilation)},
                                     {sdk::text_of("kernel"), integer(kernel)},
                                     {sdk::text_of("pad"), pad.empty() ? sluice_value{} : list(numbers)},
                                     {sdk::text_of("padding"), text(padding)},
                                     {sdk::text_of("stride"), maybe(stride)}};
        const sluice_value all = table(pairs);
        return reader(sdk::Options(&all));
    }
    [[nodiscard]] AxisPadding window(std::size_t axis, std::int64_t in, std::int64_t out) const {
        return read([&](const sdk::Options& options) { return sdk::window_padding(options, axis, in, out); });
    }
    [[nodiscard]] AxisPadding transposed(std::size_t axis) const {
        return read([&](const sdk::Options& options) { return sdk::transposed_padding(options, axis); });
    }
    [[nodiscard]] std::int64_t border() const {
        return read([](const sdk::Options& options) { return sdk::reflected_border(options); });
    }
};

TEST(Padding, pad_has_one_number_or_two_or_four) {
    EXPECT_EQ(sdk::spread_pad({3}), (PadSides{3, 3, 3, 3}));
    EXPECT_EQ(sdk::spread_pad({1, 2}), (PadSides{1, 1, 2, 2}));
    EXPECT_EQ(sdk::spread_pad({1, 2, 3, 4}), (PadSides{1, 2, 3, 4}));
    EXPECT_EQ(sdk::spread_pad({}), std::nullopt);
    EXPECT_EQ(sdk::spread_pad({1, 2, 3}), std::nullopt);
    EXPECT_EQ(sdk::spread_pad({1, 2, 3, 4, 5}), std::nullopt);
}

TEST(Padding, explicit_takes_the_numbers_of_its_axis) {
    const WindowOptions options{.padding = "explicit", .pad = {1, 2, 3, 4}};
    EXPECT_EQ(options.window(0, 9, 10), (AxisPadding{1, 2}));
    EXPECT_EQ(options.window(1, 9, 14), (AxisPadding{3, 4}));
    EXPECT_EQ(options.transposed(0), (AxisPadding{1, 2}));
    EXPECT_EQ(options.transposed(1), (AxisPadding{3, 4}));
}

TEST(Padding, explicit_refuses_another_count) {
    const WindowOptions three{.padding = "explicit", .pad = {1, 2, 3}};
    EXPECT_THROW((void)three.window(0, 9, 9), sdk::Failure);
    EXPECT_THROW((void)three.transposed(0), sdk::Failure);
    const WindowOptions none{.padding = "explicit"};
    EXPECT_THROW((void)none.window(0, 9, 9), sdk::Failure);
}

TEST(Padding, same_covers_what_the_last_window_reads) {
    // The third window begins at 4 and ends at 7, so two elements are missing.
    EXPECT_EQ((WindowOptions{.padding = "same", .stride = 2}.window(0, 5, 3)), (AxisPadding{1, 1}));
    EXPECT_EQ((WindowOptions{.padding = "same", .stride = 1}.window(1, 7, 7)), (AxisPadding{1, 1}));
    // The last tap is 4 elements after the first.
    EXPECT_EQ((WindowOptions{.padding = "same", .stride = 1, .dilation = 2}.window(0, 8, 8)), (AxisPadding{2, 2}));
}

TEST(Padding, same_puts_the_odd_element_at_the_end) {
    EXPECT_EQ((WindowOptions{.padding = "same", .stride = 2}.window(0, 6, 3)), (AxisPadding{0, 1}));
    EXPECT_EQ((WindowOptions{.padding = "same", .kernel = 4, .stride = 1}.window(1, 5, 5)), (AxisPadding{1, 2}));
}

TEST(Padding, same_is_never_negative) {
    EXPECT_EQ((WindowOptions{.padding = "same", .kernel = 1, .stride = 2}.window(0, 4, 2)), (AxisPadding{0, 0}));
}

TEST(Padding, stride_of_a_pooling_is_its_kernel) {
    // The windows begin at 0, 3 and 6, and the last ends at 9.
    EXPECT_EQ((WindowOptions{.padding = "same", .kernel = 3}.window(0, 8, 3)), (AxisPadding{0, 1}));
}

TEST(Padding, valid_and_reflect_add_no_zeros) {
    EXPECT_EQ((WindowOptions{.padding = "valid", .stride = 1}.window(0, 5, 3)), AxisPadding{});
    EXPECT_EQ((WindowOptions{.padding = "reflect", .stride = 1}.window(0, 5, 5)), AxisPadding{});
    EXPECT_EQ((WindowOptions{.padding = "valid", .stride = 2}.transposed(0)), AxisPadding{});
}

TEST(Padding, same_of_a_transposed_convolution_gives_stride_times_the_extent) {
    // The layer cuts off (in - 1) * stride + kernel - in * stride elements, if that is more than 0.
    EXPECT_EQ((WindowOptions{.padding = "same", .kernel = 4, .stride = 2}.transposed(0)), (AxisPadding{1, 1}));
    EXPECT_EQ((WindowOptions{.padding = "same", .kernel = 3, .stride = 2}.transposed(1)), (AxisPadding{0, 1}));
    EXPECT_EQ((WindowOptions{.padding = "same", .kernel = 2, .stride = 3}.transposed(0)), (AxisPadding{0, 0}));
}

TEST(Padding, reflect_mirrors_half_of_the_window) {
    EXPECT_EQ((WindowOptions{.padding = "reflect", .kernel = 5, .stride = 1}.border()), 2);
    EXPECT_EQ((WindowOptions{.padding = "reflect", .kernel = 3, .stride = 1, .dilation = 2}.border()), 2);
    EXPECT_EQ((WindowOptions{.padding = "reflect", .kernel = 1, .stride = 1}.border()), 0);
    EXPECT_EQ((WindowOptions{.padding = "same", .kernel = 5, .stride = 1}.border()), 0);
}

}  // namespace
}  // namespace sluice::test
