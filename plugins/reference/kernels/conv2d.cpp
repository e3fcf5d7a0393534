// conv2d, forward and backward, by direct loops. Padding is an index table for each axis, so that inner loops need no
// test of bounds and reflection costs nothing. See types/convolution/conv2d.hpp.
#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"
#include "types/convolution/conv_geometry.hpp"

namespace sluice::reference {
namespace {

// Channels summed at a time, in float64 on the stack.
constexpr std::int64_t kChunk = 64;

using Readers = std::vector<std::vector<Reader>>;

template <class T>
class Conv2dKernel : public NodeKernel<T> {
public:
    explicit Conv2dKernel(const sdk::Node& node)
        : NodeKernel<T>(node),
          g_(conv_geometry(ConvOptions(node.options()), node.inputs()[0])),
          bias_(node.options().boolean("bias")),
          kernel_(g_.height.kernel),
          rows_(g_.height.sources()),
          columns_(g_.width.sources()),
          row_readers_(readers_of(g_.height)),
          column_readers_(readers_of(g_.width)) {}

    void forward(const sluice_launch& launch) override {
        sdk::parallel_for(launch.threads, g_.batch * g_.height.out, 1,
                          [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                              for (std::int64_t row = begin; row < end; ++row) {
                                  output_row(launch, row / g_.height.out, row % g_.height.out);
                              }
                          });
    }

    void backward(const sluice_launch& launch) override {
        if (sdk::input_gradient<T>(launch, 0) != nullptr) {
            sdk::parallel_for(launch.threads, g_.batch * g_.height.in, 1,
                              [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                                  for (std::int64_t row = begin; row < end; ++row) {
                                      input_gradient_row(launch, row / g_.height.in, row % g_.height.in);
                                  }
                              });
        }
        if (sdk::parameter_gradient(launch, 0) != nullptr) {
            sdk::parallel_for(launch.threads, g_.filters * kernel_ * kernel_, 1,
                              [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                                  for (std::int64_t tap = begin; tap < end; ++tap) {
                                      kernel_gradient(launch, tap);
                                  }
                              });
        }
        if (bias_ && sdk::parameter_gradient(launch, 1) != nullptr) {
            sdk::parallel_for(launch.threads, g_.filters, 1, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                for (std::int64_t o = begin; o < end; ++o) {
                    bias_gradient(launch, o);
                }
            });
        }
    }

private:
    // Offsets of pixels in x and dx [N, H, W, I], and in y and dy [N, OH, OW, O].
    [[nodiscard]] std::int64_t in_at(std::int64_t n, std::int64_t h, std::int64_t w) const {
        return ((n * g_.height.in + h) * g_.width.in + w) * g_.channels;
    }
    [[nodiscard]] std::int64_t out_at(std::int64_t n, std::int64_t h, std::int64_t w) const {
        return ((n * g_.height.out + h) * g_.width.out + w) * g_.filters;
    }
    // Offset of tap (r, s) of filter o in the kernel [O, KH, KW, I / groups].
    [[nodiscard]] std::int64_t tap_at(std::int64_t o, std::int64_t r, std::int64_t s) const {
        return ((o * kernel_ + r) * kernel_ + s) * g_.group_channels();
    }
    // The first input channel that filter o reads.
    [[nodiscard]] std::int64_t first_channel(std::int64_t o) const {
        return o / g_.group_filters() * g_.group_channels();
    }
    // The input position that a tap reads, or -1.
    [[nodiscard]] std::int64_t source(const std::vector<std::int64_t>& table, std::int64_t out,
                                      std::int64_t tap) const {
        return table[static_cast<std::size_t>(out * kernel_ + tap)];
    }

    void output_row(const sluice_launch& launch, std::int64_t n, std::int64_t oh) const {
        const float* const bias = bias_ ? sdk::parameter(launch, 1) : nullptr;
        for (std::int64_t ow = 0; ow < g_.width.out; ++ow) {
            T* const y = sdk::output<T>(launch, 0) + out_at(n, oh, ow);
            for (std::int64_t o = 0; o < g_.filters; ++o) {
                const double sum = window_sum(launch, n, oh, ow, o);
                y[o] = static_cast<T>(bias == nullptr ? sum : sum + bias[o]);
            }
        }
    }

    [[nodiscard]] double window_sum(const sluice_launch& launch, std::int64_t n, std::int64_t oh, std::int64_t ow,
                                    std::int64_t o) const {
        double sum = 0.0;
        for (std::int64_t r = 0; r < kernel_; ++r) {
            for (std::int64_t s = 0; s < kernel_; ++s) {
                const std::int64_t h = source(rows_, oh, r);
                const std::int64_t w = source(columns_, ow, s);
                if (h < 0 || w < 0) {
                    continue;
                }
                const T* const x = sdk::input<T>(launch, 0) + in_at(n, h, w) + first_channel(o);
                const float* const kernel = sdk::parameter(launch, 0) + tap_at(o, r, s);
                sum +=
                    sum_of(g_.group_channels(), [=](std::int64_t i) { return static_cast<double>(x[i]) * kernel[i]; });
            }
        }
        return sum;
    }

    void input_gradient_row(const sluice_launch& launch, std::int64_t n, std::int64_t h) const {
        for (std::int64_t w = 0; w < g_.width.in; ++w) {
            for (std::int64_t group = 0; group < g_.groups; ++group) {
                for (std::int64_t first = 0; first < g_.group_channels(); first += kChunk) {
                    const std::int64_t count = std::min(kChunk, g_.group_channels() - first);
                    input_gradient_part(launch, {n, h, w}, {group, first, count});
                }
            }
        }
    }

    struct Pixel {
        std::int64_t n;
        std::int64_t h;
        std::int64_t w;
    };
    // Channels [first, first + count) of a group.
    struct Part {
        std::int64_t group;
        std::int64_t first;
        std::int64_t count;
    };

    void input_gradient_part(const sluice_launch& launch, const Pixel& at, const Part& part) const {
        double sums[kChunk] = {};
        for (const Reader& row : row_readers_[static_cast<std::size_t>(at.h)]) {
            for (const Reader& column : column_readers_[static_cast<std::size_t>(at.w)]) {
                const T* const dy = sdk::output_gradient<T>(launch, 0) + out_at(at.n, row.output, column.output);
                add_filters(sums, part, dy, sdk::parameter(launch, 0) + tap_at(0, row.tap, column.tap));
            }
        }
        T* const dx =
            sdk::input_gradient<T>(launch, 0) + in_at(at.n, at.h, at.w) + part.group * g_.group_channels() + part.first;
        for (std::int64_t i = 0; i < part.count; ++i) {
            put(dx + i, sums[i], this->adds_gradient(0));
        }
    }

    // sums[i] += sum over the filters o of the group of dy[o] * kernel[o, i], for one tap of every filter.
    void add_filters(double* sums, const Part& part, const T* dy, const float* kernel) const {
        const std::int64_t filter = tap_at(1, 0, 0);
        const std::int64_t begin = part.group * g_.group_filters();
        for (std::int64_t o = begin; o < begin + g_.group_filters(); ++o) {
            const auto slope = static_cast<double>(dy[o]);
            const float* const mine = kernel + o * filter + part.first;
            for (std::int64_t i = 0; i < part.count; ++i) {
                sums[i] += slope * mine[i];
            }
        }
    }

    // Computes the gradient of the I / groups values of one tap; `tap` counts over (o, r, s).
    void kernel_gradient(const sluice_launch& launch, std::int64_t tap) const {
        float* const to = sdk::parameter_gradient(launch, 0) + tap * g_.group_channels();
        for (std::int64_t first = 0; first < g_.group_channels(); first += kChunk) {
            const std::int64_t count = std::min(kChunk, g_.group_channels() - first);
            double sums[kChunk] = {};
            for (std::int64_t n = 0; n < g_.batch; ++n) {
                for (std::int64_t oh = 0; oh < g_.height.out; ++oh) {
                    add_row(launch, tap, sums, {n, oh, first, count});
                }
            }
            for (std::int64_t i = 0; i < count; ++i) {
                put(to + first + i, sums[i], launch.accumulate_parameters != 0);
            }
        }
    }

    struct RowPart {
        std::int64_t n;
        std::int64_t oh;
        std::int64_t first;  // channel of the group
        std::int64_t count;  // of channels
    };

    // sums[i] += sum over the row of dy * x[i]
    void add_row(const sluice_launch& launch, std::int64_t tap, double* sums, const RowPart& part) const {
        const std::int64_t o = tap / (kernel_ * kernel_);
        const std::int64_t h = source(rows_, part.oh, tap / kernel_ % kernel_);
        if (h < 0) {
            return;
        }
        for (std::int64_t ow = 0; ow < g_.width.out; ++ow) {
            const std::int64_t w = source(columns_, ow, tap % kernel_);
            if (w < 0) {
                continue;
            }
            const auto slope = static_cast<double>(sdk::output_gradient<T>(launch, 0)[out_at(part.n, part.oh, ow) + o]);
            const T* const x = sdk::input<T>(launch, 0) + in_at(part.n, h, w) + first_channel(o) + part.first;
            for (std::int64_t i = 0; i < part.count; ++i) {
                sums[i] += slope * static_cast<double>(x[i]);
            }
        }
    }

    void bias_gradient(const sluice_launch& launch, std::int64_t o) const {
        const T* const dy = sdk::output_gradient<T>(launch, 0) + o;
        const std::int64_t pixels = g_.batch * g_.height.out * g_.width.out;
        const double sum =
            sum_of(pixels, [=, step = g_.filters](std::int64_t i) { return static_cast<double>(dy[i * step]); });
        put(sdk::parameter_gradient(launch, 1) + o, sum, launch.accumulate_parameters != 0);
    }

    ConvGeometry g_;
    bool bias_;
    std::int64_t kernel_;
    std::vector<std::int64_t> rows_;  // WindowAxis::sources of each axis
    std::vector<std::int64_t> columns_;
    Readers row_readers_;
    Readers column_readers_;
};

}  // namespace

KernelPtr make_conv2d(const sdk::Node& node, const sdk::KernelSink& sink) {
    sink.backward_reads_input(0);
    return make_typed<Conv2dKernel>(node);
}

}  // namespace sluice::reference
