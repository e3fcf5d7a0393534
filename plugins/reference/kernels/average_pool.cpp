// average_pool and global_average_pool, forward and backward. See types/pooling/pool.hpp.
#include <algorithm>

#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"
#include "types/pooling/pool_geometry.hpp"

namespace sluice::reference {
namespace {

// Returns how many input elements each window reads along one axis.
std::vector<std::int64_t> counts_of(const WindowAxis& axis) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(axis.out), 0);
    const std::vector<std::int64_t> sources = axis.sources();
    for (std::size_t i = 0; i < sources.size(); ++i) {
        counts[i / static_cast<std::size_t>(axis.kernel)] += sources[i] >= 0 ? 1 : 0;
    }
    return counts;
}

template <class T>
class AveragePoolKernel : public NodeKernel<T> {
public:
    AveragePoolKernel(const sdk::Node& node, const PoolGeometry& geometry, bool count_padding)
        : NodeKernel<T>(node),
          g_(geometry),
          rows_(g_.height.sources()),
          columns_(g_.width.sources()),
          row_readers_(readers_of(g_.height)),
          column_readers_(readers_of(g_.width)),
          row_counts_(counts_of(g_.height)),
          column_counts_(counts_of(g_.width)) {
        if (count_padding) {
            std::fill(row_counts_.begin(), row_counts_.end(), g_.height.kernel);
            std::fill(column_counts_.begin(), column_counts_.end(), g_.width.kernel);
        }
    }

    void forward(const sluice_launch& launch) override {
        const std::int64_t grain = grain_of(g_.channels * g_.height.kernel * g_.width.kernel);
        sdk::parallel_for(launch.threads, g_.batch * g_.height.out * g_.width.out, grain,
                          [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                              for (std::int64_t pixel = begin; pixel < end; ++pixel) {
                                  for (std::int64_t c = 0; c < g_.channels; ++c) {
                                      take_mean(launch, pixel, c);
                                  }
                              }
                          });
    }

    void backward(const sluice_launch& launch) override {
        if (sdk::input_gradient<T>(launch, 0) == nullptr) {
            return;
        }
        sdk::parallel_for(launch.threads, g_.batch * g_.height.in * g_.width.in, grain_of(g_.channels),
                          [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                              for (std::int64_t pixel = begin; pixel < end; ++pixel) {
                                  for (std::int64_t c = 0; c < g_.channels; ++c) {
                                      gather(launch, pixel, c);
                                  }
                              }
                          });
    }

private:
    // Returns the divisor of a window's sum.
    [[nodiscard]] double count(std::int64_t oh, std::int64_t ow) const {
        return static_cast<double>(row_counts_[static_cast<std::size_t>(oh)] *
                                   column_counts_[static_cast<std::size_t>(ow)]);
    }

    // `pixel` counts over all samples: here over pixels of the output, in gather() over those of the input.
    void take_mean(const sluice_launch& launch, std::int64_t pixel, std::int64_t c) const {
        const std::int64_t oh = pixel / g_.width.out % g_.height.out;
        const std::int64_t ow = pixel % g_.width.out;
        const std::int64_t n = pixel / (g_.height.out * g_.width.out);
        const T* const x = sdk::input<T>(launch, 0) + n * g_.height.in * g_.width.in * g_.channels + c;
        double sum = 0.0;
        for (std::int64_t r = 0; r < g_.height.kernel; ++r) {
            const std::int64_t h = rows_[static_cast<std::size_t>(oh * g_.height.kernel + r)];
            for (std::int64_t s = 0; s < g_.width.kernel; ++s) {
                const std::int64_t w = columns_[static_cast<std::size_t>(ow * g_.width.kernel + s)];
                if (h >= 0 && w >= 0) {
                    sum += static_cast<double>(x[(h * g_.width.in + w) * g_.channels]);
                }
            }
        }
        sdk::output<T>(launch, 0)[pixel * g_.channels + c] = static_cast<T>(sum / count(oh, ow));
    }

    // Sums the gradients of the windows that read this element.
    void gather(const sluice_launch& launch, std::int64_t pixel, std::int64_t c) const {
        const std::int64_t here = pixel % (g_.height.in * g_.width.in);
        const std::int64_t n = pixel / (g_.height.in * g_.width.in);
        double sum = 0.0;
        for (const Reader& row : row_readers_[static_cast<std::size_t>(here / g_.width.in)]) {
            for (const Reader& column : column_readers_[static_cast<std::size_t>(here % g_.width.in)]) {
                const std::int64_t at = (n * g_.height.out + row.output) * g_.width.out + column.output;
                const T slope = sdk::output_gradient<T>(launch, 0)[at * g_.channels + c];
                sum += static_cast<double>(slope) / count(row.output, column.output);
            }
        }
        put(sdk::input_gradient<T>(launch, 0) + pixel * g_.channels + c, sum, this->adds_gradient(0));
    }

    PoolGeometry g_;
    std::vector<std::int64_t> rows_;  // WindowAxis::sources of each axis
    std::vector<std::int64_t> columns_;
    std::vector<std::vector<Reader>> row_readers_;
    std::vector<std::vector<Reader>> column_readers_;
    std::vector<std::int64_t> row_counts_;
    std::vector<std::int64_t> column_counts_;
};

}  // namespace

KernelPtr make_average_pool(const sdk::Node& node, const sdk::KernelSink&) {
    return make_typed<AveragePoolKernel>(node, pool_geometry(Window("average_pool", node.options()), node.inputs()[0]),
                                         node.options().boolean("count_padding"));
}

KernelPtr make_global_average_pool(const sdk::Node& node, const sdk::KernelSink&) {
    return make_typed<AveragePoolKernel>(node, global_pool_geometry(node.inputs()[0]), false);
}

}  // namespace sluice::reference
