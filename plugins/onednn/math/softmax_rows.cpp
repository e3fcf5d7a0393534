#include "math/softmax_rows.hpp"

#include "math/exponential.hpp"
#include "sluice/sdk/clones.hpp"

namespace sluice::onednn {
namespace {

constexpr std::int64_t kLanes = 16;

// Reduces a row by `join`; several partial results at once let the compiler use vectors.
template <class Join>
[[gnu::always_inline]] inline float reduce(const float* row, std::int64_t count, const Join& join) {
    float result = row[0];
    std::int64_t i = 1;
    if (count >= 2 * kLanes) {
        float lanes[kLanes];
        for (std::int64_t lane = 0; lane < kLanes; ++lane) {
            lanes[lane] = row[lane];
        }
        for (i = kLanes; i + kLanes <= count; i += kLanes) {
            for (std::int64_t lane = 0; lane < kLanes; ++lane) {
                lanes[lane] = join(lanes[lane], row[i + lane]);
            }
        }
        result = lanes[0];
        for (std::int64_t lane = 1; lane < kLanes; ++lane) {
            result = join(result, lanes[lane]);
        }
    }
    for (; i < count; ++i) {
        result = join(result, row[i]);
    }
    return result;
}

}  // namespace

SLUICE_CLONES void row_exponentials(float* to, const float* scores, const Rows& rows, float* most, float* sums) {
    for (std::int64_t r = 0; r < rows.count; ++r) {
        const float* row = scores + r * rows.classes;
        const float largest = reduce(row, rows.classes, [](float a, float b) { return b > a ? b : a; });
        most[r] = largest;
        for (std::int64_t c = 0; c < rows.classes; ++c) {
            to[r * rows.classes + c] = row[c] - largest;
        }
    }
    // Treats all rows as one, because rows of a few classes would leave most of a vector empty.
    for (std::int64_t i = 0; i < rows.count * rows.classes; ++i) {
        to[i] = exponential(to[i]);
    }
    for (std::int64_t r = 0; r < rows.count; ++r) {
        sums[r] = reduce(to + r * rows.classes, rows.classes, [](float a, float b) { return a + b; });
    }
}

SLUICE_CLONES void scale_rows(float* to, const float* from, const Rows& rows, const float* factors, bool add) {
    for (std::int64_t r = 0; r < rows.count; ++r) {
        const float factor = factors[r];
        float* mine = to + r * rows.classes;
        const float* row = from + r * rows.classes;
        if (add) {
            for (std::int64_t c = 0; c < rows.classes; ++c) {
                mine[c] += factor * row[c];
            }
        } else {
            for (std::int64_t c = 0; c < rows.classes; ++c) {
                mine[c] = factor * row[c];
            }
        }
    }
}

SLUICE_CLONES void add_rows(float* sums, const float* from, const Rows& rows, const float* factors) {
    for (std::int64_t r = 0; r < rows.count; ++r) {
        const float* row = from + r * rows.classes;
        for (std::int64_t c = 0; c < rows.classes; ++c) {
            sums[c] += factors[r] * row[c];
        }
    }
}

SLUICE_CLONES void slope_rows(float* to, const float* from, const Rows& rows, const float* slopes, const float* means,
                              const float* factors, bool add) {
    for (std::int64_t r = 0; r < rows.count; ++r) {
        float* mine = to + r * rows.classes;
        const float* row = from + r * rows.classes;
        for (std::int64_t c = 0; c < rows.classes; ++c) {
            const float value = factors[r] * row[c] * (slopes[c] - means[r]);
            mine[c] = add ? mine[c] + value : value;
        }
    }
}

SLUICE_CLONES void mean_rows(float* means, const float* from, const Rows& rows, const float* slopes) {
    for (std::int64_t r = 0; r < rows.count; ++r) {
        const float* row = from + r * rows.classes;
        float sum = 0.0F;
        for (std::int64_t c = 0; c < rows.classes; ++c) {
            sum += row[c] * slopes[c];
        }
        means[r] = sum;
    }
}

}  // namespace sluice::onednn
