// max_pool and global_max_pool, forward and backward. See types/pooling/pool.hpp.
#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"
#include "types/pooling/pool_geometry.hpp"

namespace sluice::reference {
namespace {

template <class T>
class MaxPoolKernel : public NodeKernel<T> {
public:
    MaxPoolKernel(const sdk::Node& node, const sdk::KernelSink& sink, const PoolGeometry& geometry)
        : NodeKernel<T>(node),
          g_(geometry),
          trains_(node.trains()),
          rows_(g_.height.sources()),
          columns_(g_.width.sources()),
          row_readers_(readers_of(g_.height)),
          column_readers_(readers_of(g_.width)) {
        if (trains_) {
            // For each output element: the pixel of its image from which it was taken.
            sink.saved(static_cast<std::uint64_t>(sdk::element_count(node.outputs()[0])) * sizeof(std::int64_t));
        }
    }

    void forward(const sluice_launch& launch) override {
        const std::int64_t pixels = g_.height.out * g_.width.out;
        const std::int64_t grain = grain_of(g_.channels * g_.height.kernel * g_.width.kernel);
        sdk::parallel_for(launch.threads, g_.batch * pixels, grain,
                          [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                              for (std::int64_t pixel = begin; pixel < end; ++pixel) {
                                  for (std::int64_t c = 0; c < g_.channels; ++c) {
                                      take_largest(launch, pixel, c);
                                  }
                              }
                          });
    }

    void backward(const sluice_launch& launch) override {
        if (sdk::input_gradient<T>(launch, 0) == nullptr) {
            return;
        }
        const std::int64_t pixels = g_.height.in * g_.width.in;
        sdk::parallel_for(launch.threads, g_.batch * pixels, grain_of(g_.channels),
                          [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                              for (std::int64_t pixel = begin; pixel < end; ++pixel) {
                                  for (std::int64_t c = 0; c < g_.channels; ++c) {
                                      gather(launch, pixel, c);
                                  }
                              }
                          });
    }

private:
    // `pixel` counts over all samples: here over pixels of the output, in gather() over those of the input.
    void take_largest(const sluice_launch& launch, std::int64_t pixel, std::int64_t c) const {
        const std::int64_t oh = pixel / g_.width.out % g_.height.out;
        const std::int64_t ow = pixel % g_.width.out;
        const std::int64_t n = pixel / (g_.height.out * g_.width.out);
        const T* const x = sdk::input<T>(launch, 0) + n * g_.height.in * g_.width.in * g_.channels + c;
        T largest{};
        std::int64_t from = -1;
        for (std::int64_t r = 0; r < g_.height.kernel; ++r) {
            const std::int64_t h = rows_[static_cast<std::size_t>(oh * g_.height.kernel + r)];
            for (std::int64_t s = 0; s < g_.width.kernel; ++s) {
                const std::int64_t w = columns_[static_cast<std::size_t>(ow * g_.width.kernel + s)];
                if (h < 0 || w < 0) {
                    continue;
                }
                const T value = x[(h * g_.width.in + w) * g_.channels];
                // NaN is larger than all numbers, so that it is not lost.
                if (from < 0 || value > largest || value != value) {
                    largest = value;
                    from = h * g_.width.in + w;
                }
            }
        }
        const std::int64_t at = pixel * g_.channels + c;
        sdk::output<T>(launch, 0)[at] = largest;
        if (trains_) {
            sdk::saved<std::int64_t>(launch, 0)[at] = from;
        }
    }

    // Sums the gradients of the windows that took this element.
    void gather(const sluice_launch& launch, std::int64_t pixel, std::int64_t c) const {
        const std::int64_t here = pixel % (g_.height.in * g_.width.in);
        const std::int64_t n = pixel / (g_.height.in * g_.width.in);
        double sum = 0.0;
        for (const Reader& row : row_readers_[static_cast<std::size_t>(here / g_.width.in)]) {
            for (const Reader& column : column_readers_[static_cast<std::size_t>(here % g_.width.in)]) {
                const std::int64_t at =
                    ((n * g_.height.out + row.output) * g_.width.out + column.output) * g_.channels + c;
                if (sdk::saved<std::int64_t>(launch, 0)[at] == here) {
                    sum += static_cast<double>(sdk::output_gradient<T>(launch, 0)[at]);
                }
            }
        }
        put(sdk::input_gradient<T>(launch, 0) + pixel * g_.channels + c, sum, this->adds_gradient(0));
    }

    PoolGeometry g_;
    bool trains_;
    std::vector<std::int64_t> rows_;  // WindowAxis::sources of each axis
    std::vector<std::int64_t> columns_;
    std::vector<std::vector<Reader>> row_readers_;
    std::vector<std::vector<Reader>> column_readers_;
};

}  // namespace

KernelPtr make_max_pool(const sdk::Node& node, const sdk::KernelSink& sink) {
    return make_typed<MaxPoolKernel>(node, sink, pool_geometry(Window("max_pool", node.options()), node.inputs()[0]));
}

KernelPtr make_global_max_pool(const sdk::Node& node, const sdk::KernelSink& sink) {
    return make_typed<MaxPoolKernel>(node, sink, global_pool_geometry(node.inputs()[0]));
}

}  // namespace sluice::reference
