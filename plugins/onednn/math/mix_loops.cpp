#include "math/mix_loops.hpp"

#include "sluice/sdk/clones.hpp"

namespace sluice::onednn {

SLUICE_CLONES void mix_row(const RowPair& rows, std::span<const Mix> columns, std::int64_t channels, float* to) {
    const float down = rows.part;
    for (const Mix& column : columns) {
        const float* low_left = rows.low + column.low * channels;
        const float* low_right = rows.low + column.high * channels;
        const float* high_left = rows.high + column.low * channels;
        const float* high_right = rows.high + column.high * channels;
        const float right = column.part;
        float* __restrict mine = to;
        for (std::int64_t c = 0; c < channels; ++c) {
            const float low = low_left[c] + right * (low_right[c] - low_left[c]);
            const float high = high_left[c] + right * (high_right[c] - high_left[c]);
            mine[c] = low + down * (high - low);
        }
        to += channels;
    }
}

SLUICE_CLONES void add_row_gradient(const float* gradient, float share, std::span<const Mix> columns,
                                    std::int64_t channels, float* to) {
    for (const Mix& column : columns) {
        const float left = share * (1.0F - column.part);
        const float right = share * column.part;
        float* low = to + column.low * channels;
        float* high = to + column.high * channels;  // the same pixel at the right edge, where right is 0
        for (std::int64_t c = 0; c < channels; ++c) {
            low[c] += left * gradient[c];
        }
        for (std::int64_t c = 0; c < channels; ++c) {
            high[c] += right * gradient[c];
        }
        gradient += channels;
    }
}

}  // namespace sluice::onednn
