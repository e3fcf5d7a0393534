#include "math/chain_pass.hpp"

#include <algorithm>

#include "math/random_words.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/chain_pass.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "math/vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sluice::onednn::HWY_NAMESPACE {
namespace {

using Mask = hn::Mask<FloatTag>;

// Elements whose random words are drawn together; a multiple of every vector's length and of kRandomWords.
constexpr std::int64_t kDrawn = 1024;
constexpr std::int64_t kBlockRows = 64;  // summed in float before they go to double
constexpr int kWide = 4;                 // vectors side by side

std::int64_t vectors(std::int64_t channels) { return (channels + lanes() - 1) / lanes(); }

std::int64_t bytes_of_bits(std::int64_t count, std::int64_t channels) {
    return count * vectors(channels) * mask_stride();
}

// Random words of the elements [first, first + count), which begin anywhere in a block.
class Draws {
public:
    const std::uint32_t* draw(const Dropout& dropout, std::int64_t first, std::int64_t count) {
        const std::int64_t before = first % 4;
        random_words(dropout.key, static_cast<std::uint64_t>(first - before), count + before, words_);
        return words_ + before;
    }

private:
    HWY_ALIGN std::uint32_t words_[kDrawn + 2 * kRandomWords];
};

// Forward of one vector. words: NULL without dropout.
struct Cut {
    Floats value;
    Mask flows;
};
Cut cut(const ChainPass& pass, Floats value, const std::uint32_t* words) {
    const FloatTag d;
    const Floats zero = hn::Zero(d);
    Mask flows = hn::Eq(zero, zero);
    if (pass.relu) {
        flows = hn::Gt(value, zero);
        value = hn::IfThenElse(hn::Lt(value, zero), zero, value);  // what is not a number stays so
    }
    if (words != nullptr) {
        const hn::RebindToUnsigned<FloatTag> du;
        const auto drawn = hn::LoadU(du, words);
        const auto last_dropped = hn::Set(du, static_cast<std::uint32_t>(pass.dropout.threshold - 1));
        const Mask kept = hn::RebindMask(d, hn::Gt(drawn, last_dropped));
        value = hn::IfThenElseZero(kept, hn::Mul(value, hn::Set(d, pass.dropout.factor)));
        flows = hn::And(flows, kept);
    }
    return {value, flows};
}

// Row r, channels [c, c + count); words of its element c, or NULL.
void forward_row(const ChainPass& pass, const ForwardRows& rows, std::int64_t r, std::int64_t channels, std::int64_t c,
                 std::int64_t count, const std::uint32_t* words) {
    const std::int64_t n = lanes();
    const std::int64_t first = r * channels + c;
    std::uint8_t* bits =
        rows.bits == nullptr ? nullptr : rows.bits + bytes_of_bits(r, channels) + c / n * mask_stride();
    for (std::int64_t i = 0; i < count; i += n) {
        const std::int64_t here = std::min(n, count - i);
        Floats value = load_part(rows.x + first + i, here);
        if (pass.factor != nullptr) {
            value = hn::MulAdd(value, load_part(pass.factor + c + i, here), load_part(pass.shift + c + i, here));
        }
        if (pass.join == Join::before_cuts) {
            value = hn::Add(value, load_part(rows.outside + first + i, here));
        }
        const Cut done = cut(pass, value, words == nullptr ? nullptr : words + i);
        value = done.value;
        if (pass.join == Join::behind_cuts) {
            value = hn::Add(value, load_part(rows.outside + first + i, here));
        }
        store_part(value, rows.y + first + i, here);
        if (bits != nullptr) {
            hn::StoreMaskBits(FloatTag(), done.flows, bits + i / n * mask_stride());
        }
    }
}

void forward(const ChainPass& pass, const ForwardRows& rows, std::int64_t begin, std::int64_t end,
             std::int64_t channels) {
    if (pass.dropout.threshold == 0) {
        for (std::int64_t r = begin; r < end; ++r) {
            forward_row(pass, rows, r, channels, 0, channels, nullptr);
        }
        return;
    }
    Draws draws;
    const std::int64_t drawn_rows = std::max<std::int64_t>(kDrawn / channels, 1);
    for (std::int64_t r = begin; r < end; r += drawn_rows) {
        const std::int64_t here = std::min(drawn_rows, end - r);
        for (std::int64_t c = 0; c < channels; c += kDrawn) {
            const std::int64_t count = std::min(kDrawn, channels - c);
            const std::uint32_t* words =
                draws.draw(pass.dropout, r * channels + c, here == 1 ? count : here * channels);
            for (std::int64_t i = 0; i < here; ++i) {
                forward_row(pass, rows, r + i, channels, c, count, words + i * channels);
            }
        }
    }
}

// g of one vector, and the gradient of the tensor from outside. at: the element; bit: of its mask.
Floats gradient_at(const BackwardRows& rows, std::int64_t at, std::int64_t bit, std::int64_t count) {
    const FloatTag d;
    const Floats given = load_part(rows.gradient + at, count);
    Floats mine = given;
    if (rows.bits != nullptr) {
        mine = hn::IfThenElseZero(hn::LoadMaskBits(d, rows.bits + bit), hn::Mul(given, hn::Set(d, rows.factor)));
    }
    return mine;
}

void store_outside(const BackwardRows& rows, std::int64_t at, Floats mine, std::int64_t count) {
    Floats theirs = rows.join == Join::before_cuts ? mine : load_part(rows.gradient + at, count);
    if (rows.adds_outside) {
        theirs = hn::Add(theirs, load_part(rows.outside + at, count));
    }
    store_part(theirs, rows.outside + at, count);
}

void backward(const BackwardRows& rows, float* to, bool adds, std::int64_t begin, std::int64_t end,
              std::int64_t channels) {
    const std::int64_t n = lanes();
    std::int64_t bit = bytes_of_bits(begin, channels);
    for (std::int64_t r = begin; r < end; ++r) {
        for (std::int64_t c = 0; c < channels; c += n, bit += mask_stride()) {
            const std::int64_t here = std::min(n, channels - c);
            const std::int64_t at = r * channels + c;
            Floats mine = gradient_at(rows, at, bit, here);
            if (rows.outside != nullptr) {
                store_outside(rows, at, mine, here);
            }
            if (to != nullptr) {
                if (adds) {
                    mine = hn::Add(mine, load_part(to + at, here));
                }
                store_part(mine, to + at, here);
            }
        }
    }
}

// kVectors vectors of channels from c on, of which `most` elements each are there.
template <int kVectors>
void sum_block(const BackwardRows& rows, const float* x, const float* mean, std::int64_t begin, std::int64_t end,
               std::int64_t channels, std::int64_t c, std::int64_t most, double* sums) {
    const FloatTag d;
    const std::int64_t n = lanes();
    const std::int64_t row_bits = vectors(channels) * mask_stride();
    Floats middle[kVectors];
    Floats sum[kVectors];
    Floats product[kVectors];
    for (int v = 0; v < kVectors; ++v) {
        middle[v] = load_part(mean + c + v * n, most);
        sum[v] = product[v] = hn::Zero(d);
    }
    for (std::int64_t r = begin; r < end; ++r) {
        for (int v = 0; v < kVectors; ++v) {
            const std::int64_t at = r * channels + c + v * n;
            const Floats mine = gradient_at(rows, at, r * row_bits + (c / n + v) * mask_stride(), most);
            if (rows.outside != nullptr) {
                store_outside(rows, at, mine, most);
            }
            sum[v] = hn::Add(sum[v], mine);
            product[v] = hn::MulAdd(mine, hn::Sub(load_part(x + at, most), middle[v]), product[v]);
        }
    }
    HWY_ALIGN float numbers[HWY_MAX_BYTES / sizeof(float)];
    for (int v = 0; v < kVectors; ++v) {
        hn::Store(sum[v], d, numbers);
        for (std::int64_t i = 0; i < most; ++i) {
            sums[c + v * n + i] += numbers[i];
        }
        hn::Store(product[v], d, numbers);
        for (std::int64_t i = 0; i < most; ++i) {
            sums[channels + c + v * n + i] += numbers[i];
        }
    }
}

void gradient_sums(const BackwardRows& rows, const float* x, const float* mean, std::int64_t begin, std::int64_t end,
                   std::int64_t channels, double* sums) {
    const std::int64_t n = lanes();
    for (std::int64_t first = begin; first < end; first += kBlockRows) {
        const std::int64_t last = std::min(first + kBlockRows, end);
        std::int64_t c = 0;
        for (; c + kWide * n <= channels; c += kWide * n) {
            sum_block<kWide>(rows, x, mean, first, last, channels, c, n, sums);
        }
        for (; c < channels; c += n) {
            sum_block<1>(rows, x, mean, first, last, channels, c, std::min(n, channels - c), sums);
        }
    }
}

void input_gradient(const BackwardRows& rows, const float* x, const InputGradient& by, float* to, std::int64_t begin,
                    std::int64_t end, std::int64_t channels) {
    const std::int64_t n = lanes();
    std::int64_t bit = bytes_of_bits(begin, channels);
    for (std::int64_t r = begin; r < end; ++r) {
        for (std::int64_t c = 0; c < channels; c += n, bit += mask_stride()) {
            const std::int64_t here = std::min(n, channels - c);
            const std::int64_t at = r * channels + c;
            Floats mine = hn::MulAdd(gradient_at(rows, at, bit, here), load_part(by.factor + c, here),
                                     load_part(by.offset + c, here));
            mine = hn::MulAdd(load_part(x + at, here), load_part(by.slope + c, here), mine);
            if (by.adds) {
                mine = hn::Add(mine, load_part(to + at, here));
            }
            store_part(mine, to + at, here);
        }
    }
}

}  // namespace
}  // namespace sluice::onednn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sluice::onednn {

HWY_EXPORT(bytes_of_bits);
HWY_EXPORT(forward);
HWY_EXPORT(backward);
HWY_EXPORT(gradient_sums);
HWY_EXPORT(input_gradient);

std::int64_t bit_bytes(std::int64_t count, std::int64_t channels) {
    return HWY_DYNAMIC_DISPATCH(bytes_of_bits)(count, channels);
}

void chain_forward(const ChainPass& pass, const ForwardRows& rows, std::int64_t begin, std::int64_t end,
                   std::int64_t channels) {
    HWY_DYNAMIC_DISPATCH(forward)(pass, rows, begin, end, channels);
}

void chain_backward(const BackwardRows& rows, float* to, bool adds, std::int64_t begin, std::int64_t end,
                    std::int64_t channels) {
    HWY_DYNAMIC_DISPATCH(backward)(rows, to, adds, begin, end, channels);
}

void chain_gradient_sums(const BackwardRows& rows, const float* x, const float* mean, std::int64_t begin,
                         std::int64_t end, std::int64_t channels, double* sums) {
    HWY_DYNAMIC_DISPATCH(gradient_sums)(rows, x, mean, begin, end, channels, sums);
}

void chain_input_gradient(const BackwardRows& rows, const float* x, const InputGradient& by, float* to,
                          std::int64_t begin, std::int64_t end, std::int64_t channels) {
    HWY_DYNAMIC_DISPATCH(input_gradient)(rows, x, by, to, begin, end, channels);
}

}  // namespace sluice::onednn
#endif
