#include "winograd/kernels.hpp"

#include <algorithm>

#include "gemm/multiply.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "winograd/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "winograd/transforms-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace sluice::onednn::HWY_NAMESPACE {

// Returns which of the two taps of a phase contains tap `index` of three.
constexpr int tap_of(int phase, int index) { return phase == 0 ? (index == 0 ? 0 : 1) : (index == 2 ? 1 : 0); }

// Loads `count` floats that lie `step` apart.
HWY_INLINE Vector load_apart(const float* from, std::int64_t step, std::int64_t count) {
    alignas(64) float lanes[kLanes] = {};
    for (std::int64_t i = 0; i < std::min(count, kLanes); ++i) {
        lanes[i] = from[i * step];
    }
    return hn::Load(Tag(), lanes);
}

template <int kTaps>
HWY_INLINE void store_transformed(const Vector (&taps)[kTaps][kTaps], std::int64_t point_step, float* to) {
    Vector rows[kTaps][kPoints];
    for (int i = 0; i < kTaps; ++i) {
        spread<KernelScale>(taps[i], rows[i]);
    }
    for (int j = 0; j < kPoints; ++j) {
        Vector x[kTaps];
        Vector points[kPoints];
        for (int i = 0; i < kTaps; ++i) {
            x[i] = rows[i][j];
        }
        spread<KernelScale>(x, points);
        for (int i = 0; i < kPoints; ++i) {
            hn::StoreU(points[i], Tag(), to + (i * kPoints + j) * point_step);
        }
    }
}

HWY_INLINE void sum_phase(const Vector (&all)[3][3], const KernelPart& part, Vector (&taps)[2][2]) {
    for (auto& row : taps) {
        row[0] = hn::Zero(Tag());
        row[1] = hn::Zero(Tag());
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            Vector& to = taps[tap_of(part.row, i)][tap_of(part.column, j)];
            to = hn::Add(to, all[i][j]);
        }
    }
}

template <int kTaps>
HWY_INLINE void turn(Vector (&taps)[kTaps][kTaps]) {
    for (int i = 0; i < kTaps * kTaps / 2; ++i) {
        Vector& first = taps[i / kTaps][i % kTaps];
        Vector& last = taps[kTaps - 1 - i / kTaps][kTaps - 1 - i % kTaps];
        const Vector kept = first;
        first = last;
        last = kept;
    }
}

void transform_kernels(const KernelLayout& layout, const KernelPart& part, const float* kernels, std::int64_t item,
                       float* to) {
    const std::int64_t column = item * kLanes;
    const std::int64_t panel = column / layout.panel;
    const std::int64_t width = layout.panel_width(panel);
    const std::int64_t count = layout.columns - column;
    const std::int64_t filter = 9 * layout.channels;
    const std::int64_t column_step = layout.towards_input ? 1 : filter;
    float* out = to + layout.panel_begin(panel) + column % layout.panel;
    for (std::int64_t k = 0; k < layout.depth; ++k) {
        const float* from = kernels + column * column_step + k * (layout.towards_input ? filter : 1);
        Vector all[3][3];
        for (int tap = 0; tap < 9; ++tap) {
            const float* lane = from + tap * layout.channels;
            all[tap / 3][tap % 3] = column_step == 1 ? load_part(lane, count) : load_apart(lane, column_step, count);
        }
        if (part.phase) {
            Vector taps[2][2];
            sum_phase(all, part, taps);
            if (layout.towards_input) {
                turn(taps);
            }
            store_transformed(taps, layout.point_step(panel), out + k * width);
        } else {
            if (layout.towards_input) {
                turn(all);
            }
            store_transformed(all, layout.point_step(panel), out + k * width);
        }
    }
}

template <int kTaps>
HWY_INLINE void collect_kernel(const float* from, std::int64_t point_step, Vector (&taps)[kTaps][kTaps]) {
    Vector rows[kPoints][kTaps];
    for (int i = 0; i < kPoints; ++i) {
        Vector points[kPoints];
        for (int j = 0; j < kPoints; ++j) {
            points[j] = hn::LoadU(Tag(), from + (i * kPoints + j) * point_step);
        }
        collect<KernelScale>(points, rows[i]);
    }
    for (int j = 0; j < kTaps; ++j) {
        Vector points[kPoints];
        Vector out[kTaps];
        for (int i = 0; i < kPoints; ++i) {
            points[i] = rows[i][j];
        }
        collect<KernelScale>(points, out);
        for (int i = 0; i < kTaps; ++i) {
            taps[i][j] = out[i];
        }
    }
}

HWY_INLINE void expand(const Vector (&pair)[2][2], const KernelPart& part, Vector (&taps)[3][3]) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            taps[i][j] = pair[tap_of(part.row, i)][tap_of(part.column, j)];
        }
    }
}

void transform_kernel_gradient(const KernelGradient& gradient, float* to) {
    for (std::int64_t c = 0; c < gradient.channels; c += kLanes) {
        const std::int64_t count = gradient.channels - c;
        Vector taps[3][3];
        if (gradient.part.phase) {
            Vector pair[2][2];
            collect_kernel(gradient.from + c, gradient.point_step, pair);
            expand(pair, gradient.part, taps);
        } else {
            collect_kernel(gradient.from + c, gradient.point_step, taps);
        }
        for (int tap = 0; tap < 9; ++tap) {
            float* place = to + tap * gradient.channels + c;
            const Vector base = gradient.add ? load_part(place, count) : hn::Zero(Tag());
            store_part(hn::Add(base, taps[tap / 3][tap % 3]), place, count);
        }
    }
}

}  // namespace sluice::onednn::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sluice::onednn {

KernelLayout::KernelLayout(std::int64_t filter_count, std::int64_t channel_count, bool backwards)
    : filters(filter_count),
      channels(channel_count),
      towards_input(backwards),
      depth(backwards ? filter_count : channel_count),
      columns(backwards ? channel_count : filter_count),
      width(round_up(columns, vector_width())),
      panel(std::min(sluice::onednn::panel_width(), width)) {}

std::uint64_t KernelLayout::count() const {
    return static_cast<std::uint64_t>(panel_begin(panels() - 1) + kTileProducts * point_step(panels() - 1));
}

HWY_EXPORT(transform_kernels);
HWY_EXPORT(transform_kernel_gradient);

void transform_kernels(const KernelLayout& layout, const KernelPart& part, const float* kernels, std::int64_t item,
                       float* to) {
    HWY_DYNAMIC_DISPATCH(transform_kernels)(layout, part, kernels, item, to);
}

void transform_kernel_gradient(const KernelGradient& gradient, float* to) {
    HWY_DYNAMIC_DISPATCH(transform_kernel_gradient)(gradient, to);
}

}  // namespace sluice::onednn
#endif
