// Weighted sums of rows of pixels, the building blocks of filters.
#pragma once

#include <cstdint>
#include <span>

namespace sluice::transforms {

void to_floats(const std::uint8_t* from, std::int64_t count, float* to);
// Truncates to integers. Numbers have to be from 0 to below 256.
void to_bytes(const float* from, std::int64_t count, std::uint8_t* to);

// to[i] = offset + weight * from[i]
void scale_row(float offset, float weight, const float* from, std::int64_t count, float* to);
// sum[i] += weight * (a[i] + b[i])
void add_scaled(float weight, const float* a, const float* b, std::int64_t count, float* sum);
void add_scaled(float weight, const std::uint8_t* a, const std::uint8_t* b, std::int64_t count, float* sum);

struct WeightedRow {
    float weight;
    const float* from;
};
// to[i] = sum over all rows, in order, of weight * from[i], rounded to nearest. The sums have to be from 0 to 255.
void rounded_sums(std::span<const WeightedRow> rows, std::int64_t count, std::uint8_t* to);

// Fills `reach` pixels beyond each end of a row by mirroring it without repeating the outermost pixels.
// row: [width, channels]
void mirror_borders(std::int64_t width, std::int64_t channels, std::int64_t reach, float* row);

}  // namespace sluice::transforms
