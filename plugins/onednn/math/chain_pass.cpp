#include "math/chain_pass.hpp"

#include <algorithm>

#include "math/random_words.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/chain_pass.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "math/groups-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sluice::onednn::HWY_NAMESPACE {
namespace {

using Mask = hn::Mask<FloatTag>;

// Elements whose random words are drawn together; a multiple of every vector's length and of kRandomWords.
constexpr std::int64_t kDrawn = 1024;

std::int64_t bytes_of_bits(std::int64_t count, std::int64_t width) {
    return ((count - 1) / width + 1) * bytes_of_row(width);
}

// Draws the random words of elements [first, first + count); `first` may lie anywhere in a block.
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

template <class Element>
struct Forward {
    ChainPass pass;
    ForwardRows<Element> rows;
    const std::uint32_t* words;  // of the elements from `drawn` on; NULL without dropout
    std::int64_t drawn;

    template <int kVectors>
    HWY_INLINE void run(const Group& group) const {
        const FloatTag d;
        const std::int64_t n = lanes();
        const Floats zero = hn::Zero(d);
        Floats value[kVectors];
        load<kVectors>(rows.x + group.at, group.most, value);
        if (pass.factor != nullptr) {
            for (int v = 0; v < kVectors; ++v) {
                value[v] = hn::MulAdd(value[v], load_part(pass.factor + group.place + v * n, group.most),
                                      load_part(pass.shift + group.place + v * n, group.most));
            }
        }
        if (pass.join == Join::before_masks) {
            add<kVectors>(rows.outside + group.at, group.most, value);
        }
        Mask flows[kVectors];
        for (int v = 0; v < kVectors; ++v) {
            flows[v] = hn::Eq(zero, zero);
        }
        if (pass.relu) {
            for (int v = 0; v < kVectors; ++v) {
                flows[v] = hn::Gt(value[v], zero);
                value[v] = hn::IfThenElse(hn::Lt(value[v], zero), zero, value[v]);  // NaN stays NaN
            }
        }
        if (words != nullptr) {
            drop<kVectors>(words + (group.at - drawn), value, flows);
        }
        if (pass.join == Join::after_masks) {
            add<kVectors>(rows.outside + group.at, group.most, value);
        }
        store<kVectors>(value, group.most, rows.y + group.at);
        if (rows.bits != nullptr) {
            for (int v = 0; v < kVectors; ++v) {
                hn::StoreMaskBits(d, flows[v], rows.bits + group.bits + v * mask_stride());
            }
        }
    }

    template <int kVectors>
    HWY_INLINE void drop(const std::uint32_t* drawn_words, Floats* value, Mask* flows) const {
        const FloatTag d;
        const hn::RebindToUnsigned<FloatTag> du;
        const auto last_dropped = hn::Set(du, static_cast<std::uint32_t>(pass.dropout.threshold - 1));
        for (int v = 0; v < kVectors; ++v) {
            const Mask kept = hn::RebindMask(d, hn::Gt(hn::LoadU(du, drawn_words + v * lanes()), last_dropped));
            value[v] = hn::IfThenElseZero(kept, hn::Mul(value[v], hn::Set(d, pass.dropout.factor)));
            flows[v] = hn::And(flows[v], kept);
        }
    }
};

template <class Element>
void forward(const ChainPass& pass, const ForwardRows<Element>& rows, const Elements& range) {
    if (pass.dropout.threshold == 0) {
        for_groups(Forward<Element>{pass, rows, nullptr, 0}, range);
        return;
    }
    Draws draws;
    const std::int64_t whole_rows = kDrawn / range.width * range.width;
    for (std::int64_t at = range.begin; at < range.end;) {
        const std::int64_t most = whole_rows > 0 ? whole_rows : std::min(kDrawn, range.width - at % range.width);
        const std::int64_t end = std::min(range.end, at + most);
        const std::uint32_t* words = draws.draw(pass.dropout, at, end - at);
        for_groups(Forward<Element>{pass, rows, words, at}, {at, end, range.width});
        at = end;
    }
}

void forward_float(const ChainPass& pass, const ForwardRows<float>& rows, const Elements& range) {
    forward(pass, rows, range);
}

void forward_bfloat16(const ChainPass& pass, const ForwardRows<Bfloat16>& rows, const Elements& range) {
    forward(pass, rows, range);
}

}  // namespace
}  // namespace sluice::onednn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sluice::onednn {

HWY_EXPORT(bytes_of_bits);
HWY_EXPORT(forward_float);
HWY_EXPORT(forward_bfloat16);

std::int64_t bit_bytes(std::int64_t count, std::int64_t width) {
    return HWY_DYNAMIC_DISPATCH(bytes_of_bits)(count, width);
}

void chain_forward(const ChainPass& pass, const ForwardRows<float>& rows, const Elements& range) {
    HWY_DYNAMIC_DISPATCH(forward_float)(pass, rows, range);
}

void chain_forward(const ChainPass& pass, const ForwardRows<Bfloat16>& rows, const Elements& range) {
    HWY_DYNAMIC_DISPATCH(forward_bfloat16)(pass, rows, range);
}

}  // namespace sluice::onednn
#endif
