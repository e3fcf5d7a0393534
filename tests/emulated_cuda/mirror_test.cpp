// Passes of batch_norm that write and read mirrored images give the same bits as passes over dense images. With
// dense images, separate passes add the margins and fold them.
#include "gpu_test.hpp"
#include "images/mirrored_margins.hpp"
#include "norms/passes.hpp"

namespace sluice::cudnn {
namespace {

constexpr std::int64_t kChannels = 24;
constexpr float kKept = 1.5F;

struct Picture {
    Margins margins;

    [[nodiscard]] std::size_t pixels() const {
        return static_cast<std::size_t>(margins.batch * margins.height * margins.width);
    }
    [[nodiscard]] std::size_t elements() const { return pixels() * kChannels; }
    [[nodiscard]] std::size_t padded_elements() const {
        return static_cast<std::size_t>(margins.batch * margins.padded_height() * margins.padded_width() * kChannels);
    }
};

Picture picture(std::int64_t height, std::int64_t width, std::int64_t border) {
    return {{.batch = 2,
             .height = height,
             .width = width,
             .channels = kChannels,
             .top = border,
             .bottom = border,
             .left = border,
             .right = border}};
}

template <class T>
constexpr cudnnDataType_t kType = CUDNN_DATA_FLOAT;
template <>
constexpr cudnnDataType_t kType<Half> = CUDNN_DATA_HALF;
template <>
constexpr cudnnDataType_t kType<Bfloat> = CUDNN_DATA_BFLOAT16;

template <class T>
class MirroredPasses : public emulated::test::GpuTest {
protected:
    using Array = emulated::test::DeviceArray<T>;
    using Numbers = emulated::test::DeviceArray<float>;
    using Bytes = emulated::test::DeviceArray<std::uint8_t>;

    // Fills with numbers of -2 to 2, in another order for each seed.
    template <class Element>
    static void fill(const emulated::test::DeviceArray<Element>& array, std::size_t count, unsigned seed) {
        std::vector<Element> values(count);
        for (std::size_t i = 0; i < count; ++i) {
            const unsigned mixed = (static_cast<unsigned>(i) + seed * 7919U) * 2654435761U;
            values[i] = from_float<Element>(static_cast<float>(mixed >> 16) / 16384.0F - 2.0F);
        }
        cudaMemcpy(array.data(), values.data(), count * sizeof(Element), cudaMemcpyDefault);
    }
    template <class Element>
    static std::vector<std::uint8_t> bytes_of(const emulated::test::DeviceArray<Element>& array) {
        const std::vector<Element> values = array.read();
        const auto* const bytes = reinterpret_cast<const std::uint8_t*>(values.data());
        return {bytes, bytes + values.size() * sizeof(Element)};
    }

    void expect_same_forward(const Picture& p);
    void expect_same_backward(const Picture& p);
};

template <class T>
void MirroredPasses<T>::expect_same_forward(const Picture& p) {
    const Tiles tiles = forward_tiles<T>({1, static_cast<std::int64_t>(p.pixels()), kChannels});
    const Array x(p.elements());
    const Array outside(p.elements());
    const Array dense(p.elements());
    const Array expected(p.padded_elements());
    const Array found(p.padded_elements());
    const Bytes expected_bits(p.elements() / kGroup);
    const Bytes found_bits(p.elements() / kGroup);
    const Numbers tables(2 * kChannels);
    fill(x, p.elements(), 1);
    fill(outside, p.elements(), 2);
    fill(tables, 2 * kChannels, 3);
    ChainMasks masks;
    masks.relu = true;
    masks.join = Join::after_masks;
    NormForward<T> tensors{.x = x.data(),
                           .outside = outside.data(),
                           .y = dense.data(),
                           .bits = expected_bits.data(),
                           .factor = tables.data(),
                           .shift = tables.data() + kChannels};
    launch_forward<T>(this->stream, tiles, tensors, masks);
    add_margins(this->stream, kType<T>, p.margins, dense.data(), expected.data());
    tensors.y = found.data();
    tensors.bits = found_bits.data();
    launch_forward<T>(this->stream, tiles, tensors, masks, Mirrored(p.margins));
    cudaStreamSynchronize(this->stream);
    EXPECT_EQ(bytes_of(found), bytes_of(expected));
    EXPECT_EQ(bytes_of(found_bits), bytes_of(expected_bits));
}

template <class T>
void MirroredPasses<T>::expect_same_backward(const Picture& p) {
    const Tiles tiles = sums_tiles<T>({1, static_cast<std::int64_t>(p.pixels()), kChannels}, false);
    const Array x(p.elements());
    const Array padded(p.padded_elements());
    const Array folded(p.elements());
    const Bytes bits(p.elements() / kGroup);
    const Numbers tables(4 * kChannels);
    fill(x, p.elements(), 4);
    fill(padded, p.padded_elements(), 5);
    fill(tables, 4 * kChannels, 6);
    cudaMemset(bits.data(), 0xB7, p.elements() / kGroup);
    const auto table = [&](std::size_t i) { return tables.data() + i * kChannels; };
    NormBackward<T> tensors{.x = x.data(),
                            .gradient = folded.data(),
                            .bits = bits.data(),
                            .kept_factor = kKept,
                            .factor = table(0),
                            .relu_shift = nullptr};
    fold_margins(this->stream, kType<T>, p.margins, padded.data(), folded.data(), false);

    struct Results {
        Results(const Picture& p, const Tiles& tiles)
            : outside(p.elements()), dx(p.elements()), sums(tiles.sums_bytes() / sizeof(float)) {}
        Array outside;
        Array dx;
        Numbers sums;
    };
    const Results expected(p, tiles);
    const Results found(p, tiles);
    const auto run = [&](const Results& to, const auto& image) {
        launch_sums<T>(this->stream, tiles, tensors, {.to = to.outside.data(), .is_before_masks = false, .adds = false},
                       table(1), to.sums.data(), image);
        launch_gradient<T>(this->stream, tiles, tensors,
                           {.to = to.dx.data(), .adds = false, .slope = table(2), .offset = table(3)}, image);
    };
    run(expected, Dense());
    tensors.gradient = padded.data();
    run(found, Mirrored(p.margins));
    cudaStreamSynchronize(this->stream);
    EXPECT_EQ(bytes_of(found.sums), bytes_of(expected.sums));
    EXPECT_EQ(bytes_of(found.outside), bytes_of(expected.outside));
    EXPECT_EQ(bytes_of(found.dx), bytes_of(expected.dx));
}

using Types = testing::Types<float, Half, Bfloat>;
TYPED_TEST_SUITE(MirroredPasses, Types);

TYPED_TEST(MirroredPasses, write_what_add_margins_makes_of_a_dense_image) {
    this->expect_same_forward(picture(9, 11, 1));
    this->expect_same_forward(picture(8, 7, 3));
    this->expect_same_forward(picture(5, 9, 4));  // each margin is as deep as the image without its edge
}

TYPED_TEST(MirroredPasses, read_what_fold_margins_makes_of_a_padded_gradient) {
    this->expect_same_backward(picture(9, 11, 1));
    this->expect_same_backward(picture(8, 7, 3));
    this->expect_same_backward(picture(5, 9, 4));
}

}  // namespace
}  // namespace sluice::cudnn
