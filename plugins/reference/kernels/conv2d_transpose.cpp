// conv2d_transpose, forward and backward, by direct loops. See types/convolution/conv2d_transpose.hpp.
#include <algorithm>

#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"
#include "types/convolution/transpose_geometry.hpp"

namespace sluice::reference {
namespace {

// Channels summed at a time, in float64 on the stack.
constexpr std::int64_t kTransposeChunk = 64;

// Pixel (h, w) of the output or (p, q) of the input, of sample n.
struct Pixel {
    std::int64_t n;
    std::int64_t row;
    std::int64_t column;
};

template <class T>
class Conv2dTransposeKernel : public NodeKernel<T> {
public:
    explicit Conv2dTransposeKernel(const sdk::Node& node)
        : NodeKernel<T>(node),
          g_(transpose_geometry(TransposeOptions(node.options()), node.inputs()[0])),
          bias_(node.options().boolean("bias")),
          kernel_(g_.height.kernel),
          rows_(g_.height.sources()),
          columns_(g_.width.sources()),
          row_readers_(readers_of(g_.height)),
          column_readers_(readers_of(g_.width)) {}

    void forward(const sluice_launch& launch) override {
        for_pixels(launch, g_.height.in, g_.width.in, [&](const Pixel& pixel) { output_pixel(launch, pixel); });
    }

    void backward(const sluice_launch& launch) override {
        if (sdk::input_gradient<T>(launch, 0) != nullptr) {
            for_pixels(launch, g_.height.out, g_.width.out, [&](const Pixel& pixel) { input_pixel(launch, pixel); });
        }
        if (sdk::parameter_gradient(launch, 0) != nullptr) {
            sdk::parallel_for(launch.threads, g_.filters * kernel_ * kernel_, 1,
                              [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                                  for (std::int64_t tap = begin; tap < end; ++tap) {
                                      kernel_gradient(launch, tap);
                                  }
                              });
        }
        if (float* const to = bias_ ? sdk::parameter_gradient(launch, 1) : nullptr) {
            const T* const dy = sdk::output_gradient<T>(launch, 0);
            const std::int64_t pixels = g_.batch * g_.height.in * g_.width.in;
            for (std::int64_t o = 0; o < g_.filters; ++o) {
                const double sum = sum_of(
                    pixels, [=, step = g_.filters](std::int64_t i) { return static_cast<double>(dy[i * step + o]); });
                put(to + o, sum, launch.accumulate_parameters != 0);
            }
        }
    }

private:
    // Offsets in x and dx [N, H, W, I], in y and dy [N, OH, OW, O], and in the kernel [O, KH, KW, I].
    [[nodiscard]] std::int64_t in_at(const Pixel& at) const {
        return ((at.n * g_.height.out + at.row) * g_.width.out + at.column) * g_.channels;
    }
    [[nodiscard]] std::int64_t out_at(const Pixel& at) const {
        return ((at.n * g_.height.in + at.row) * g_.width.in + at.column) * g_.filters;
    }
    [[nodiscard]] std::int64_t tap_at(std::int64_t o, std::int64_t r, std::int64_t s) const {
        return ((o * kernel_ + r) * kernel_ + s) * g_.channels;
    }

    template <class Body>
    void for_pixels(const sluice_launch& launch, std::int64_t rows, std::int64_t columns, const Body& body) const {
        sdk::parallel_for(launch.threads, g_.batch * rows, 1, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            for (std::int64_t i = begin; i < end; ++i) {
                for (std::int64_t column = 0; column < columns; ++column) {
                    body({i / rows, i % rows, column});
                }
            }
        });
    }

    void output_pixel(const sluice_launch& launch, const Pixel& at) const {
        const float* const bias = bias_ ? sdk::parameter(launch, 1) : nullptr;
        for (std::int64_t o = 0; o < g_.filters; ++o) {
            double sum = bias == nullptr ? 0.0 : bias[o];
            for (const Reader& row : row_readers_[static_cast<std::size_t>(at.row)]) {
                for (const Reader& column : column_readers_[static_cast<std::size_t>(at.column)]) {
                    const T* const x = sdk::input<T>(launch, 0) + in_at({at.n, row.output, column.output});
                    const float* const kernel = sdk::parameter(launch, 0) + tap_at(o, row.tap, column.tap);
                    sum += sum_of(g_.channels, [=](std::int64_t i) { return static_cast<double>(x[i]) * kernel[i]; });
                }
            }
            sdk::output<T>(launch, 0)[out_at(at) + o] = static_cast<T>(sum);
        }
    }

    // Calls body(r, s, offset of the output pixel) for each tap of an input pixel that lies inside the output.
    template <class Body>
    void for_taps(const Pixel& at, const Body& body) const {
        for (std::int64_t r = 0; r < kernel_; ++r) {
            for (std::int64_t s = 0; s < kernel_; ++s) {
                const std::int64_t h = rows_[static_cast<std::size_t>(at.row * kernel_ + r)];
                const std::int64_t w = columns_[static_cast<std::size_t>(at.column * kernel_ + s)];
                if (h >= 0 && w >= 0) {
                    body(r, s, out_at({at.n, h, w}));
                }
            }
        }
    }

    void input_pixel(const sluice_launch& launch, const Pixel& at) const {
        for (std::int64_t first = 0; first < g_.channels; first += kTransposeChunk) {
            const std::int64_t count = std::min(kTransposeChunk, g_.channels - first);
            double sums[kTransposeChunk] = {};
            for_taps(at, [&](std::int64_t r, std::int64_t s, std::int64_t out) {
                for (std::int64_t o = 0; o < g_.filters; ++o) {
                    const auto slope = static_cast<double>(sdk::output_gradient<T>(launch, 0)[out + o]);
                    const float* const kernel = sdk::parameter(launch, 0) + tap_at(o, r, s) + first;
                    for (std::int64_t i = 0; i < count; ++i) {
                        sums[i] += slope * kernel[i];
                    }
                }
            });
            for (std::int64_t i = 0; i < count; ++i) {
                put(sdk::input_gradient<T>(launch, 0) + in_at(at) + first + i, sums[i], this->adds_gradient(0));
            }
        }
    }

    // Computes the gradient of the I values of one tap; `tap` counts over (o, r, s).
    void kernel_gradient(const sluice_launch& launch, std::int64_t tap) const {
        for (std::int64_t first = 0; first < g_.channels; first += kTransposeChunk) {
            const std::int64_t count = std::min(kTransposeChunk, g_.channels - first);
            double sums[kTransposeChunk] = {};
            for (std::int64_t row = 0; row < g_.batch * g_.height.out; ++row) {
                add_row(launch, tap, {row / g_.height.out, row % g_.height.out, 0}, {sums, first, count});
            }
            for (std::int64_t i = 0; i < count; ++i) {
                put(sdk::parameter_gradient(launch, 0) + tap * g_.channels + first + i, sums[i],
                    launch.accumulate_parameters != 0);
            }
        }
    }

    // Channels [first, first + count).
    struct Sums {
        double* values;
        std::int64_t first;
        std::int64_t count;
    };

    // Adds dy * x over one row of the input.
    void add_row(const sluice_launch& launch, std::int64_t tap, Pixel at, const Sums& sums) const {
        const std::int64_t h = rows_[static_cast<std::size_t>(at.row * kernel_ + tap / kernel_ % kernel_)];
        for (; h >= 0 && at.column < g_.width.out; ++at.column) {
            const std::int64_t w = columns_[static_cast<std::size_t>(at.column * kernel_ + tap % kernel_)];
            if (w < 0) {
                continue;
            }
            const std::int64_t out = out_at({at.n, h, w}) + tap / (kernel_ * kernel_);
            const auto slope = static_cast<double>(sdk::output_gradient<T>(launch, 0)[out]);
            const T* const x = sdk::input<T>(launch, 0) + in_at(at) + sums.first;
            for (std::int64_t i = 0; i < sums.count; ++i) {
                sums.values[i] += slope * static_cast<double>(x[i]);
            }
        }
    }

    TransposeGeometry g_;
    bool bias_;
    std::int64_t kernel_;
    std::vector<std::int64_t> rows_;  // WindowAxis::sources of each axis
    std::vector<std::int64_t> columns_;
    std::vector<std::vector<Reader>> row_readers_;
    std::vector<std::vector<Reader>> column_readers_;
};

}  // namespace

KernelPtr make_conv2d_transpose(const sdk::Node& node, const sdk::KernelSink& sink) {
    sink.backward_reads_input(0);
    return make_typed<Conv2dTransposeKernel>(node);
}

}  // namespace sluice::reference
