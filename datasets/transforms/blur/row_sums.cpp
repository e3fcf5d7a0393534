#include "blur/row_sums.hpp"

#include <algorithm>

#include "geometry/reflect.hpp"
#include "sluice/sdk/clones.hpp"

namespace sluice::transforms {

SLUICE_CLONES
void to_floats(const std::uint8_t* from, std::int64_t count, float* to) {
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = static_cast<float>(from[i]);
    }
}

SLUICE_CLONES
void to_bytes(const float* from, std::int64_t count, std::uint8_t* to) {
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = static_cast<std::uint8_t>(static_cast<std::int32_t>(from[i]));
    }
}

SLUICE_CLONES
void scale_row(float offset, float weight, const float* from, std::int64_t count, float* to) {
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] = offset + weight * from[i];
    }
}

SLUICE_CLONES
void add_scaled(float weight, const float* a, const float* b, std::int64_t count, float* sum) {
    for (std::int64_t i = 0; i < count; ++i) {
        sum[i] += weight * (a[i] + b[i]);
    }
}

SLUICE_CLONES
void add_scaled(float weight, const std::uint8_t* a, const std::uint8_t* b, std::int64_t count, float* sum) {
    for (std::int64_t i = 0; i < count; ++i) {
        sum[i] += weight * static_cast<float>(a[i] + b[i]);
    }
}

// Works on blocks that are small enough to keep their sums in registers while all rows are added. The last block ends
// with the row and may overlap the one before.
SLUICE_CLONES
void rounded_sums(std::span<const WeightedRow> rows, std::int64_t count, std::uint8_t* to) {
    constexpr std::int64_t kAtOnce = 64;
    std::int64_t done = 0;
    while (done < count && count >= kAtOnce) {
        const std::int64_t first = std::min(done, count - kAtOnce);
        float sums[kAtOnce];
        for (float& sum : sums) {
            sum = 0.5F;  // so that the cast below rounds
        }
        for (const WeightedRow& row : rows) {
            for (std::int64_t i = 0; i < kAtOnce; ++i) {
                sums[i] += row.weight * row.from[first + i];
            }
        }
        for (std::int64_t i = 0; i < kAtOnce; ++i) {
            to[first + i] = static_cast<std::uint8_t>(static_cast<std::int32_t>(sums[i]));
        }
        done = first + kAtOnce;
    }
    for (; done < count; ++done) {
        float sum = 0.5F;
        for (const WeightedRow& row : rows) {
            sum += row.weight * row.from[done];
        }
        to[done] = static_cast<std::uint8_t>(static_cast<std::int32_t>(sum));
    }
}

void mirror_borders(std::int64_t width, std::int64_t channels, std::int64_t reach, float* row) {
    for (std::int64_t x = 1; x <= reach; ++x) {
        for (std::int64_t c = 0; c < channels; ++c) {
            row[-x * channels + c] = row[reflect(-x, width) * channels + c];
            row[(width - 1 + x) * channels + c] = row[reflect(width - 1 + x, width) * channels + c];
        }
    }
}

}  // namespace sluice::transforms
