// upsample with mode "bilinear", forward and backward. See types/resampling/upsample.hpp.
#include <algorithm>
#include <cmath>

#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"

namespace sluice::reference {
namespace {

// One output position of an axis: (1 - part) * x[low] + part * x[high].
struct Mix {
    std::int64_t low;
    std::int64_t high;
    double part;
};

std::vector<Mix> mixes_of(std::int64_t in, std::int64_t factor) {
    std::vector<Mix> mixes;
    for (std::int64_t o = 0; o < in * factor; ++o) {
        // The centre of output pixel o lies at this position of the input; beyond the outermost centres, the edge pixel
        // is repeated.
        const double at = (static_cast<double>(o) + 0.5) / static_cast<double>(factor) - 0.5;
        const double inside = std::clamp(at, 0.0, static_cast<double>(in - 1));
        const auto low = static_cast<std::int64_t>(std::floor(inside));
        mixes.push_back({low, std::min(low + 1, in - 1), inside - std::floor(inside)});
    }
    return mixes;
}

// An output position, and the weight with which it reads one input position.
struct Share {
    std::int64_t output;
    double part;
};

std::vector<std::vector<Share>> shares_of(std::int64_t in, const std::vector<Mix>& mixes) {
    std::vector<std::vector<Share>> shares(static_cast<std::size_t>(in));
    for (std::size_t o = 0; o < mixes.size(); ++o) {
        const auto output = static_cast<std::int64_t>(o);
        shares[static_cast<std::size_t>(mixes[o].low)].push_back({output, 1.0 - mixes[o].part});
        shares[static_cast<std::size_t>(mixes[o].high)].push_back({output, mixes[o].part});
    }
    return shares;
}

template <class T>
class BilinearKernel : public NodeKernel<T> {
public:
    explicit BilinearKernel(const sdk::Node& node)
        : NodeKernel<T>(node),
          batch_(node.inputs()[0].shape[0]),
          height_(node.inputs()[0].shape[1]),
          width_(node.inputs()[0].shape[2]),
          channels_(node.inputs()[0].shape[3]),
          rows_(mixes_of(height_, node.options().integer("factor"))),
          columns_(mixes_of(width_, node.options().integer("factor"))),
          row_shares_(shares_of(height_, rows_)),
          column_shares_(shares_of(width_, columns_)) {}

    void forward(const sluice_launch& launch) override {
        const T* const x = sdk::input<T>(launch, 0);
        T* const y = sdk::output<T>(launch, 0);
        for_pixels(launch, rows_.size(), columns_.size(), [&](std::int64_t n, std::size_t oh, std::size_t ow) {
            const Mix& row = rows_[oh];
            const Mix& column = columns_[ow];
            T* const to =
                y + ((n * out_height() + static_cast<std::int64_t>(oh)) * out_width() + static_cast<std::int64_t>(ow)) *
                        channels_;
            const auto from = [&](std::int64_t h, std::int64_t w, std::int64_t c) {
                return static_cast<double>(x[((n * height_ + h) * width_ + w) * channels_ + c]);
            };
            for (std::int64_t c = 0; c < channels_; ++c) {
                const double top =
                    (1.0 - column.part) * from(row.low, column.low, c) + column.part * from(row.low, column.high, c);
                const double bottom =
                    (1.0 - column.part) * from(row.high, column.low, c) + column.part * from(row.high, column.high, c);
                to[c] = static_cast<T>((1.0 - row.part) * top + row.part * bottom);
            }
        });
    }

    void backward(const sluice_launch& launch) override {
        const T* const dy = sdk::output_gradient<T>(launch, 0);
        T* const dx = sdk::input_gradient<T>(launch, 0);
        if (dx == nullptr) {
            return;
        }
        for_pixels(launch, row_shares_.size(), column_shares_.size(),
                   [&](std::int64_t n, std::size_t h, std::size_t w) {
                       const std::int64_t pixel =
                           (n * height_ + static_cast<std::int64_t>(h)) * width_ + static_cast<std::int64_t>(w);
                       for (std::int64_t c = 0; c < channels_; ++c) {
                           double sum = 0.0;
                           for (const Share& row : row_shares_[h]) {
                               for (const Share& column : column_shares_[w]) {
                                   const std::int64_t at =
                                       ((n * out_height() + row.output) * out_width() + column.output) * channels_ + c;
                                   sum += row.part * column.part * static_cast<double>(dy[at]);
                               }
                           }
                           put(dx + pixel * channels_ + c, sum, this->adds_gradient(0));
                       }
                   });
    }

private:
    [[nodiscard]] std::int64_t out_height() const { return static_cast<std::int64_t>(rows_.size()); }
    [[nodiscard]] std::int64_t out_width() const { return static_cast<std::int64_t>(columns_.size()); }

    // Calls body(n, row, column) for all pixels, in parallel.
    template <class Body>
    void for_pixels(const sluice_launch& launch, std::size_t rows, std::size_t columns, const Body& body) const {
        const auto height = static_cast<std::int64_t>(rows);
        sdk::parallel_for(launch.threads, batch_ * height, 1, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            for (std::int64_t i = begin; i < end; ++i) {
                for (std::size_t column = 0; column < columns; ++column) {
                    body(i / height, static_cast<std::size_t>(i % height), column);
                }
            }
        });
    }

    std::int64_t batch_;
    std::int64_t height_;
    std::int64_t width_;
    std::int64_t channels_;
    std::vector<Mix> rows_;
    std::vector<Mix> columns_;
    std::vector<std::vector<Share>> row_shares_;
    std::vector<std::vector<Share>> column_shares_;
};

}  // namespace

KernelPtr make_upsample_bilinear(const sdk::Node& node) { return make_typed<BilinearKernel>(node); }

}  // namespace sluice::reference
