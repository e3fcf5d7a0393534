// The functions of chain_pass.hpp for backward.
#include <algorithm>

#include "math/chain_pass.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/chain_gradients.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "math/groups-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sluice::onednn::HWY_NAMESPACE {
namespace {

constexpr std::int64_t kBlockRows = 64;  // summed in float before they go to double

// load_gradient() loads g to `mine`. store_outside() then writes the gradient of the outside tensor, if that is wanted.
template <int kVectors, class Element>
HWY_INLINE void load_gradient(const BackwardRows<Element>& rows, const Group& group, Floats* mine) {
    const FloatTag d;
    load<kVectors>(rows.gradient + group.at, group.most, mine);
    if (rows.bits != nullptr) {
        for (int v = 0; v < kVectors; ++v) {
            const hn::Mask<FloatTag> flows = hn::LoadMaskBits(d, rows.bits + group.bits + v * mask_stride());
            mine[v] = hn::IfThenElseZero(flows, hn::Mul(mine[v], hn::Set(d, rows.factor)));
        }
    }
}
template <int kVectors, class Element>
HWY_INLINE void store_outside(const BackwardRows<Element>& rows, const Group& group, const Floats* mine) {
    if (rows.outside == nullptr) {
        return;
    }
    Floats theirs[kVectors];
    for (int v = 0; v < kVectors; ++v) {
        theirs[v] =
            rows.join == Join::before_masks ? mine[v] : load_part(rows.gradient + group.at + v * lanes(), group.most);
    }
    if (rows.adds_outside) {
        add<kVectors>(rows.outside + group.at, group.most, theirs);
    }
    store<kVectors>(theirs, group.most, rows.outside + group.at);
}

template <class Element>
struct Backward {
    BackwardRows<Element> rows;
    Element* to;
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

// Sums one group over `count` rows.
template <int kVectors, class Element>
HWY_INLINE void sum_block(const BackwardRows<Element> rows, const Element* x, const float* mean, Group group,
                          std::int64_t count, std::int64_t width, double* sums) {
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

// Sums the first `length` elements of `count` rows, from element `at` on.
template <class Element>
void sum_rows(const BackwardRows<Element>& rows, const Element* x, const float* mean, std::int64_t at,
              std::int64_t length, std::int64_t count, std::int64_t width, double* sums) {
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

template <class Element>
void gradient_sums(const BackwardRows<Element>& rows, const Element* x, const float* mean, const Elements& range,
                   double* sums) {
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

template <class Element>
struct ToInput {
    BackwardRows<Element> rows;
    const Element* x;
    InputGradient by;
    Element* to;

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

// Highway dispatches only functions that are no templates.
void backward_float(const BackwardRows<float>& rows, float* to, bool adds, const Elements& range) {
    for_groups(Backward<float>{rows, to, adds}, range);
}
void backward_bfloat16(const BackwardRows<Bfloat16>& rows, Bfloat16* to, bool adds, const Elements& range) {
    for_groups(Backward<Bfloat16>{rows, to, adds}, range);
}
void sums_float(const BackwardRows<float>& rows, const float* x, const float* mean, const Elements& range,
                double* sums) {
    gradient_sums(rows, x, mean, range, sums);
}
void sums_bfloat16(const BackwardRows<Bfloat16>& rows, const Bfloat16* x, const float* mean, const Elements& range,
                   double* sums) {
    gradient_sums(rows, x, mean, range, sums);
}
void to_input_float(const BackwardRows<float>& rows, const float* x, const InputGradient& by, float* to,
                    const Elements& range) {
    for_groups(ToInput<float>{rows, x, by, to}, range);
}
void to_input_bfloat16(const BackwardRows<Bfloat16>& rows, const Bfloat16* x, const InputGradient& by, Bfloat16* to,
                       const Elements& range) {
    for_groups(ToInput<Bfloat16>{rows, x, by, to}, range);
}

}  // namespace
}  // namespace sluice::onednn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sluice::onednn {

HWY_EXPORT(backward_float);
HWY_EXPORT(backward_bfloat16);
HWY_EXPORT(sums_float);
HWY_EXPORT(sums_bfloat16);
HWY_EXPORT(to_input_float);
HWY_EXPORT(to_input_bfloat16);

void chain_backward(const BackwardRows<float>& rows, float* to, bool adds, const Elements& range) {
    HWY_DYNAMIC_DISPATCH(backward_float)(rows, to, adds, range);
}
void chain_backward(const BackwardRows<Bfloat16>& rows, Bfloat16* to, bool adds, const Elements& range) {
    HWY_DYNAMIC_DISPATCH(backward_bfloat16)(rows, to, adds, range);
}

void chain_gradient_sums(const BackwardRows<float>& rows, const float* x, const float* mean, const Elements& range,
                         double* sums) {
    HWY_DYNAMIC_DISPATCH(sums_float)(rows, x, mean, range, sums);
}
void chain_gradient_sums(const BackwardRows<Bfloat16>& rows, const Bfloat16* x, const float* mean,
                         const Elements& range, double* sums) {
    HWY_DYNAMIC_DISPATCH(sums_bfloat16)(rows, x, mean, range, sums);
}

void chain_input_gradient(const BackwardRows<float>& rows, const float* x, const InputGradient& by, float* to,
                          const Elements& range) {
    HWY_DYNAMIC_DISPATCH(to_input_float)(rows, x, by, to, range);
}
void chain_input_gradient(const BackwardRows<Bfloat16>& rows, const Bfloat16* x, const InputGradient& by, Bfloat16* to,
                          const Elements& range) {
    HWY_DYNAMIC_DISPATCH(to_input_bfloat16)(rows, x, by, to, range);
}

}  // namespace sluice::onednn
#endif
