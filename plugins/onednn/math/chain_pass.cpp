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

std::int64_t bytes_of_row(std::int64_t width) { return (width + lanes() - 1) / lanes() * mask_stride(); }

std::int64_t bytes_of_bits(std::int64_t count, std::int64_t width) {
    return ((count - 1) / width + 1) * bytes_of_row(width);
}

// Some vectors of one row.
struct Group {
    std::int64_t at;     // the first element, in the tensor
    std::int64_t place;  // and in its row
    std::int64_t bits;   // the byte of its first mask
    std::int64_t most;   // elements of each vector that are there
};

// body.run<vectors>(group) for all elements. A range begins anywhere in a row where a vector may begin.
template <class Body>
HWY_INLINE void for_groups(const Body body, const Elements& range) {
    const std::int64_t n = lanes();
    std::int64_t place = range.begin % range.width;
    std::int64_t bits = range.begin / range.width * bytes_of_row(range.width) + place / n * mask_stride();
    for (std::int64_t at = range.begin; at < range.end; place = 0) {
        const std::int64_t end = std::min(range.end, at - place + range.width);
        for (; at + kWide * n <= end; at += kWide * n, place += kWide * n, bits += kWide * mask_stride()) {
            body.template run<kWide>({at, place, bits, n});
        }
        for (; at < end; at += n, place += n, bits += mask_stride()) {
            body.template run<1>({at, place, bits, std::min(n, end - at)});
        }
        at = end;
    }
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

// The elements of one group.
template <int kVectors>
HWY_INLINE void load(const float* from, std::int64_t most, Floats* to) {
    for (int v = 0; v < kVectors; ++v) {
        to[v] = load_part(from + v * lanes(), most);
    }
}
template <int kVectors>
HWY_INLINE void add(const float* from, std::int64_t most, Floats* to) {
    for (int v = 0; v < kVectors; ++v) {
        to[v] = hn::Add(to[v], load_part(from + v * lanes(), most));
    }
}
template <int kVectors>
HWY_INLINE void store(const Floats* from, std::int64_t most, float* to) {
    for (int v = 0; v < kVectors; ++v) {
        store_part(from[v], to + v * lanes(), most);
    }
}

struct Forward {
    ChainPass pass;
    ForwardRows rows;
    const std::uint32_t* words;  // of element `drawn` and those behind it; NULL without dropout
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
        if (pass.join == Join::before_cuts) {
            add<kVectors>(rows.outside + group.at, group.most, value);
        }
        Mask flows[kVectors];
        for (int v = 0; v < kVectors; ++v) {
            flows[v] = hn::Eq(zero, zero);
        }
        if (pass.relu) {
            for (int v = 0; v < kVectors; ++v) {
                flows[v] = hn::Gt(value[v], zero);
                value[v] = hn::IfThenElse(hn::Lt(value[v], zero), zero, value[v]);  // what is not a number stays so
            }
        }
        if (words != nullptr) {
            drop<kVectors>(words + (group.at - drawn), value, flows);
        }
        if (pass.join == Join::behind_cuts) {
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

void forward(const ChainPass& pass, const ForwardRows& rows, const Elements& range) {
    if (pass.dropout.threshold == 0) {
        for_groups(Forward{pass, rows, nullptr, 0}, range);
        return;
    }
    Draws draws;
    const std::int64_t whole_rows = kDrawn / range.width * range.width;
    for (std::int64_t at = range.begin; at < range.end;) {
        const std::int64_t most = whole_rows > 0 ? whole_rows : std::min(kDrawn, range.width - at % range.width);
        const std::int64_t end = std::min(range.end, at + most);
        const std::uint32_t* words = draws.draw(pass.dropout, at, end - at);
        for_groups(Forward{pass, rows, words, at}, {at, end, range.width});
        at = end;
    }
}

// mine: g, and the gradient of the tensor from outside where that is wanted.
template <int kVectors>
HWY_INLINE void load_gradient(const BackwardRows& rows, const Group& group, Floats* mine) {
    const FloatTag d;
    load<kVectors>(rows.gradient + group.at, group.most, mine);
    if (rows.bits != nullptr) {
        for (int v = 0; v < kVectors; ++v) {
            const Mask flows = hn::LoadMaskBits(d, rows.bits + group.bits + v * mask_stride());
            mine[v] = hn::IfThenElseZero(flows, hn::Mul(mine[v], hn::Set(d, rows.factor)));
        }
    }
}
template <int kVectors>
HWY_INLINE void store_outside(const BackwardRows& rows, const Group& group, const Floats* mine) {
    if (rows.outside == nullptr) {
        return;
    }
    Floats theirs[kVectors];
    for (int v = 0; v < kVectors; ++v) {
        theirs[v] =
            rows.join == Join::before_cuts ? mine[v] : load_part(rows.gradient + group.at + v * lanes(), group.most);
    }
    if (rows.adds_outside) {
        add<kVectors>(rows.outside + group.at, group.most, theirs);
    }
    store<kVectors>(theirs, group.most, rows.outside + group.at);
}

struct Backward {
    BackwardRows rows;
    float* to;
    bool adds;

    template <int kVectors>
    HWY_INLINE void run(const Group& group) const {
        Floats mine[kVectors];
        load_gradient<kVectors>(rows, group, mine);
        store_outside<kVectors>(rows, group, mine);
        if (to == nullptr) {
            return;
        }
        if (adds) {
            add<kVectors>(to + group.at, group.most, mine);
        }
        store<kVectors>(mine, group.most, to + group.at);
    }
};

void backward(const BackwardRows& rows, float* to, bool adds, const Elements& range) {
    for_groups(Backward{rows, to, adds}, range);
}

// Of one group in `count` rows.
template <int kVectors>
HWY_INLINE void sum_block(const BackwardRows rows, const float* x, const float* mean, Group group, std::int64_t count,
                          std::int64_t width, double* sums) {
    const FloatTag d;
    const std::int64_t n = lanes();
    const std::int64_t row_bits = bytes_of_row(width);
    Floats middle[kVectors];
    Floats sum[kVectors];
    Floats product[kVectors];
    load<kVectors>(mean + group.place, group.most, middle);
    for (int v = 0; v < kVectors; ++v) {
        sum[v] = product[v] = hn::Zero(d);
    }
    const std::int64_t place = group.place;
    for (std::int64_t r = 0; r < count; ++r, group.at += width, group.bits += row_bits) {
        Floats mine[kVectors];
        load_gradient<kVectors>(rows, group, mine);
        store_outside<kVectors>(rows, group, mine);
        for (int v = 0; v < kVectors; ++v) {
            const std::int64_t at = group.at + v * n;
            fetch(x + at + kRowsAhead * width);
            fetch(rows.gradient + at + kRowsAhead * width);
            const Floats distance = hn::Sub(load_part(x + at, group.most), middle[v]);
            sum[v] = hn::Add(sum[v], mine[v]);
            product[v] = hn::MulAdd(mine[v], distance, product[v]);
        }
    }
    HWY_ALIGN float numbers[2 * HWY_MAX_BYTES / sizeof(float)];
    for (int v = 0; v < kVectors; ++v) {
        hn::StoreU(sum[v], d, numbers);
        hn::StoreU(product[v], d, numbers + n);
        for (std::int64_t i = 0; i < group.most; ++i) {
            sums[place + v * n + i] += numbers[i];
            sums[width + place + v * n + i] += numbers[n + i];
        }
    }
}

// Of the first `length` elements of `count` rows, from element `at` on.
void sum_rows(const BackwardRows& rows, const float* x, const float* mean, std::int64_t at, std::int64_t length,
              std::int64_t count, std::int64_t width, double* sums) {
    const std::int64_t n = lanes();
    std::int64_t bits = at / width * bytes_of_row(width);
    std::int64_t c = 0;
    for (; c + kWide * n <= length; c += kWide * n, bits += kWide * mask_stride()) {
        sum_block<kWide>(rows, x, mean, {at + c, c, bits, n}, count, width, sums);
    }
    for (; c < length; c += n, bits += mask_stride()) {
        sum_block<1>(rows, x, mean, {at + c, c, bits, std::min(n, length - c)}, count, width, sums);
    }
}

void gradient_sums(const BackwardRows& rows, const float* x, const float* mean, const Elements& range, double* sums) {
    const std::int64_t width = range.width;
    std::int64_t at = range.begin;
    for (std::int64_t left = (range.end - at) / width; left > 0;) {
        const std::int64_t count = std::min(left, kBlockRows);
        sum_rows(rows, x, mean, at, width, count, width, sums);
        at += count * width;
        left -= count;
    }
    if (at < range.end) {
        sum_rows(rows, x, mean, at, range.end - at, 1, width, sums);
    }
}

struct ToInput {
    BackwardRows rows;
    const float* x;
    InputGradient by;
    float* to;

    template <int kVectors>
    HWY_INLINE void run(const Group& group) const {
        const std::int64_t n = lanes();
        Floats mine[kVectors];
        load_gradient<kVectors>(rows, group, mine);
        for (int v = 0; v < kVectors; ++v) {
            const std::int64_t place = group.place + v * n;
            mine[v] =
                hn::MulAdd(mine[v], load_part(by.factor + place, group.most), load_part(by.offset + place, group.most));
            mine[v] = hn::MulAdd(load_part(x + group.at + v * n, group.most), load_part(by.slope + place, group.most),
                                 mine[v]);
        }
        if (by.adds) {
            add<kVectors>(to + group.at, group.most, mine);
        }
        store<kVectors>(mine, group.most, to + group.at);
    }
};

void input_gradient(const BackwardRows& rows, const float* x, const InputGradient& by, float* to,
                    const Elements& range) {
    for_groups(ToInput{rows, x, by, to}, range);
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

std::int64_t bit_bytes(std::int64_t count, std::int64_t width) {
    return HWY_DYNAMIC_DISPATCH(bytes_of_bits)(count, width);
}

void chain_forward(const ChainPass& pass, const ForwardRows& rows, const Elements& range) {
    HWY_DYNAMIC_DISPATCH(forward)(pass, rows, range);
}

void chain_backward(const BackwardRows& rows, float* to, bool adds, const Elements& range) {
    HWY_DYNAMIC_DISPATCH(backward)(rows, to, adds, range);
}

void chain_gradient_sums(const BackwardRows& rows, const float* x, const float* mean, const Elements& range,
                         double* sums) {
    HWY_DYNAMIC_DISPATCH(gradient_sums)(rows, x, mean, range, sums);
}

void chain_input_gradient(const BackwardRows& rows, const float* x, const InputGradient& by, float* to,
                          const Elements& range) {
    HWY_DYNAMIC_DISPATCH(input_gradient)(rows, x, by, to, range);
}

}  // namespace sluice::onednn
#endif
