#include "math/layer_norm_loops.hpp"

#include <algorithm>
#include <cmath>

#include "math/element.hpp"
#include "sluice/sdk/clones.hpp"

namespace sluice::onednn {
namespace {

constexpr std::int64_t kLanes = 16;  // running sums, so that the compiler uses vectors
constexpr std::int64_t kRows = 64;   // summed in float before they go to double: few enough that no digit is lost

// Returns the sum over `count` elements of x - from, or of its square.
template <class Element>
SLUICE_CLONES double row_sum(const Element* x, float from, bool squares, std::int64_t count) {
    double lanes[kLanes] = {};
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        for (std::int64_t lane = 0; lane < kLanes; ++lane) {
            const double distance = x[i + lane] - from;
            lanes[lane] += squares ? distance * distance : distance;
        }
    }
    double sum = 0.0;
    for (; i < count; ++i) {
        const double distance = x[i] - from;
        sum += squares ? distance * distance : distance;
    }
    for (const double lane : lanes) {
        sum += lane;
    }
    return sum;
}

template <class Element>
SLUICE_CLONES void scale_row(const Element* x, const float* gamma, const float* beta, float mean, float inverse,
                             std::int64_t count, Element* y) {
    for (std::int64_t i = 0; i < count; ++i) {
        y[i] = gamma[i] * ((x[i] - mean) * inverse) + beta[i];
    }
}

// Sums over a row, with g = gradient * gamma.
struct RowSums {
    double plain;    // g
    double product;  // g * (x - mean)
};

template <class Element>
SLUICE_CLONES RowSums gradient_sums(const Element* x, const Element* gradient, const float* gamma, float mean,
                                    std::int64_t count) {
    double plain[kLanes] = {};
    double product[kLanes] = {};
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        for (std::int64_t lane = 0; lane < kLanes; ++lane) {
            const double slope = gradient[i + lane] * gamma[i + lane];
            plain[lane] += slope;
            product[lane] += slope * (x[i + lane] - mean);
        }
    }
    RowSums sums{};
    for (; i < count; ++i) {
        const double slope = gradient[i] * gamma[i];
        sums.plain += slope;
        sums.product += slope * (x[i] - mean);
    }
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
        sums.plain += plain[lane];
        sums.product += product[lane];
    }
    return sums;
}

// to = inverse * gradient * gamma - offset - (x - mean) * slope
struct RowGradient {
    float mean;
    float inverse;
    float offset;
    float slope;
    bool add;
};

template <class Element>
SLUICE_CLONES void gradient_row(const Element* x, const Element* gradient, const float* gamma, const RowGradient& how,
                                std::int64_t count, Element* to) {
    const RowGradient row = how;
    for (std::int64_t i = 0; i < count; ++i) {
        const float value = row.inverse * (gradient[i] * gamma[i]) - row.offset - (x[i] - row.mean) * row.slope;
        to[i] = row.add ? to[i] + value : value;
    }
}

template <class Element>
SLUICE_CLONES void add_row(const Element* x, const Element* gradient, float mean, float inverse, std::int64_t count,
                           float* __restrict sums) {
    for (std::int64_t i = 0; i < count; ++i) {
        sums[i] += gradient[i] * ((x[i] - mean) * inverse);
        sums[count + i] += gradient[i];
    }
}

}  // namespace

template <class Element>
void normalise_rows(const LayerNormRows<Element>& rows, const float* beta, double epsilon, const RowShape& shape,
                    Element* y) {
    const auto width = static_cast<double>(shape.width);
    for (std::int64_t r = 0; r < shape.count; ++r) {
        const Element* x = rows.x + r * shape.width;
        const auto mean = static_cast<float>(row_sum(x, 0.0F, false, shape.width) / width);
        const double variance = row_sum(x, mean, true, shape.width) / width;
        rows.mean[r] = mean;
        rows.inverse[r] = static_cast<float>(1.0 / std::sqrt(variance + epsilon));
        scale_row(x, rows.gamma, beta, mean, rows.inverse[r], shape.width, y + r * shape.width);
    }
}

template <class Element>
void normalised_gradient(const LayerNormRows<Element>& rows, const Element* gradient, const RowShape& shape,
                         Element* dx, bool add) {
    const auto width = static_cast<double>(shape.width);
    for (std::int64_t r = 0; r < shape.count; ++r) {
        const std::int64_t first = r * shape.width;
        const RowSums sums = gradient_sums(rows.x + first, gradient + first, rows.gamma, rows.mean[r], shape.width);
        const double inverse = rows.inverse[r];
        const RowGradient how{.mean = rows.mean[r],
                              .inverse = rows.inverse[r],
                              .offset = static_cast<float>(inverse * sums.plain / width),
                              .slope = static_cast<float>(inverse * inverse * inverse * sums.product / width),
                              .add = add};
        gradient_row(rows.x + first, gradient + first, rows.gamma, how, shape.width, dx + first);
    }
}

template <class Element>
void add_layer_sums(const LayerNormRows<Element>& rows, const Element* gradient, const RowShape& shape, double* sums,
                    float* scratch) {
    for (std::int64_t done = 0; done < shape.count; done += kRows) {
        std::fill_n(scratch, 2 * shape.width, 0.0F);
        for (std::int64_t r = done; r < std::min(done + kRows, shape.count); ++r) {
            add_row(rows.x + r * shape.width, gradient + r * shape.width, rows.mean[r], rows.inverse[r], shape.width,
                    scratch);
        }
        for (std::int64_t c = 0; c < 2 * shape.width; ++c) {
            sums[c] += scratch[c];
        }
    }
}

template void normalise_rows(const LayerNormRows<float>&, const float*, double, const RowShape&, float*);
template void normalised_gradient(const LayerNormRows<float>&, const float*, const RowShape&, float*, bool);
template void add_layer_sums(const LayerNormRows<float>&, const float*, const RowShape&, double*, float*);
template void normalise_rows(const LayerNormRows<Bfloat16>&, const float*, double, const RowShape&, Bfloat16*);
template void normalised_gradient(const LayerNormRows<Bfloat16>&, const Bfloat16*, const RowShape&, Bfloat16*, bool);
template void add_layer_sums(const LayerNormRows<Bfloat16>&, const Bfloat16*, const RowShape&, double*, float*);

}  // namespace sluice::onednn
