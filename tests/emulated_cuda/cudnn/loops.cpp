#include "loops.hpp"

namespace emulated::dnn {
namespace {

// A pixel of x that a tap reads for a pixel of y. x and y are offsets of the first channel.
struct Contact {
    std::int64_t x;
    std::int64_t y;
    std::int64_t tap;  // index in [tap][tap]
};

// Calls body(Contact) for each pixel of y and each tap that is inside the image.
template <class Body>
void for_each_contact(const Convolution& c, const Body& body) {
    const auto& [batch, channels, height, width] = c.x.dims;
    const auto& [same_batch, filters, rows, columns] = c.y.dims;
    for (std::int64_t pixel = 0; pixel < batch * rows * columns; ++pixel) {
        const std::int64_t n = pixel / (rows * columns);
        const std::int64_t top = pixel / columns % rows * c.stride[0] - c.before[0];
        const std::int64_t left = pixel % columns * c.stride[1] - c.before[1];
        for (std::int64_t tap = 0; tap < c.w.dims[2] * c.w.dims[3]; ++tap) {
            const std::int64_t h = top + tap / c.w.dims[3] * c.dilation[0];
            const std::int64_t w = left + tap % c.w.dims[3] * c.dilation[1];
            if (h >= 0 && h < height && w >= 0 && w < width) {
                body(Contact{((n * height + h) * width + w) * channels, pixel * filters, tap});
            }
        }
    }
}

struct Extents {
    explicit Extents(const Convolution& c)
        : filters(c.w.dims[0]),
          channels(c.w.dims[1]),
          taps(c.w.dims[2] * c.w.dims[3]),
          filters_of_group(c.w.dims[0] / c.groups()) {}
    // Returns the offset at which kernel `filter` begins for the tap.
    [[nodiscard]] std::int64_t kernel(std::int64_t filter, std::int64_t tap) const {
        return (filter * taps + tap) * channels;
    }
    // Returns the first channel of x that the filter reads.
    [[nodiscard]] std::int64_t first_channel(std::int64_t filter) const { return filter / filters_of_group * channels; }
    std::int64_t filters;
    std::int64_t channels;  // of a group
    std::int64_t taps;
    std::int64_t filters_of_group;
};

// to[i] += by * from[i]
void add_scaled(double* to, const double* from, double by, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        to[i] += by * from[i];
    }
}

std::vector<double> widened(const std::vector<float>& values) { return {values.begin(), values.end()}; }

// Returns w as [group][tap][channel][filter of the group], so that a pixel's sums are neighbours.
std::vector<double> by_channel(const Extents& e, const std::vector<float>& w) {
    std::vector<double> turned(w.size());
    for (std::int64_t k = 0; k < e.filters; ++k) {
        for (std::int64_t i = 0; i < e.taps * e.channels; ++i) {
            const std::int64_t to = (k / e.filters_of_group * e.taps * e.channels + i) * e.filters_of_group;
            turned[static_cast<std::size_t>(to + k % e.filters_of_group)] =
                static_cast<double>(w[static_cast<std::size_t>(k * e.taps * e.channels + i)]);
        }
    }
    return turned;
}

}  // namespace

std::vector<double> forward(const Convolution& c, const std::vector<float>& x, const std::vector<float>& w) {
    const Extents e(c);
    const std::vector<double> kernels = by_channel(e, w);
    std::vector<double> y(static_cast<std::size_t>(c.y.count()));
    for_each_contact(c, [&](const Contact& at) {
        for (std::int64_t k = 0; k < e.filters; k += e.filters_of_group) {
            const float* const pixel = x.data() + at.x + e.first_channel(k);
            const double* const kernel =
                kernels.data() + k * e.taps * e.channels + at.tap * e.channels * e.filters_of_group;
            for (std::int64_t i = 0; i < e.channels; ++i) {
                add_scaled(y.data() + at.y + k, kernel + i * e.filters_of_group, static_cast<double>(pixel[i]),
                           e.filters_of_group);
            }
        }
    });
    return y;
}

std::vector<double> backward_data(const Convolution& c, const std::vector<float>& w, const std::vector<float>& dy) {
    const Extents e(c);
    const std::vector<double> kernels = widened(w);
    std::vector<double> dx(static_cast<std::size_t>(c.x.count()));
    for_each_contact(c, [&](const Contact& at) {
        for (std::int64_t k = 0; k < e.filters; ++k) {
            add_scaled(dx.data() + at.x + e.first_channel(k), kernels.data() + e.kernel(k, at.tap),
                       static_cast<double>(dy[static_cast<std::size_t>(at.y + k)]), e.channels);
        }
    });
    return dx;
}

std::vector<double> backward_filter(const Convolution& c, const std::vector<float>& x, const std::vector<float>& dy) {
    const Extents e(c);
    const std::vector<double> pixels = widened(x);
    std::vector<double> dw(static_cast<std::size_t>(c.w.count()));
    for_each_contact(c, [&](const Contact& at) {
        for (std::int64_t k = 0; k < e.filters; ++k) {
            add_scaled(dw.data() + e.kernel(k, at.tap), pixels.data() + at.x + e.first_channel(k),
                       static_cast<double>(dy[static_cast<std::size_t>(at.y + k)]), e.channels);
        }
    });
    return dw;
}

}  // namespace emulated::dnn
