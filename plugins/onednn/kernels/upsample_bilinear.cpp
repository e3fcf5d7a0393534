// upsample with mode "bilinear": own vector loops over channels. The centre of output pixel o lies at (o + 0.5) /
// factor - 0.5 of the input; beyond the outermost centres, the edge pixel is repeated.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/kernels.hpp"
#include "math/mix_loops.hpp"

namespace sluice::onednn {
namespace {

std::vector<Mix> mixes_of(std::int64_t in, std::int64_t factor) {
    std::vector<Mix> mixes;
    for (std::int64_t o = 0; o < in * factor; ++o) {
        const double at = (static_cast<double>(o) + 0.5) / static_cast<double>(factor) - 0.5;
        const double inside = std::clamp(at, 0.0, static_cast<double>(in - 1));
        const auto low = static_cast<std::int64_t>(std::floor(inside));
        mixes.push_back({low, std::min(low + 1, in - 1), static_cast<float>(inside - std::floor(inside))});
    }
    return mixes;
}

class UpsampleBilinear : public sdk::Kernel {
public:
    explicit UpsampleBilinear(const PlanContext& context)
        : factor_(context.chain[0].options().integer("factor")),
          accumulates_(context.chain[0].accumulates_gradient(0)) {
        const sluice_tensor_spec& input = context.chain[0].inputs()[0];
        batch_ = input.shape[0];
        height_ = input.shape[1];
        width_ = input.shape[2];
        channels_ = input.shape[3];
        rows_ = mixes_of(height_, factor_);
        columns_ = mixes_of(width_, factor_);
        context.sink.note("own vector loops");
    }

    void forward(const sluice_launch& launch) override {
        const float* const x = sdk::input<float>(launch, 0);
        float* const y = sdk::output<float>(launch, 0);
        const std::int64_t rows = height_ * factor_;
        sdk::parallel_for(launch.threads, batch_ * rows, 1, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            for (std::int64_t i = begin; i < end; ++i) {
                const float* const image = x + i / rows * height_ * in_row();
                const Mix& row = rows_[static_cast<std::size_t>(i % rows)];
                mix_row({image + row.low * in_row(), image + row.high * in_row(), row.part}, columns_, channels_,
                        y + i * factor_ * in_row());
            }
        });
    }

    void backward(const sluice_launch& launch) override {
        const float* const dy = sdk::output_gradient<float>(launch, 0);
        float* const dx = sdk::input_gradient<float>(launch, 0);
        if (dx == nullptr) {
            return;
        }
        sdk::parallel_for(launch.threads, batch_ * height_, 1,
                          [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                              for (std::int64_t i = begin; i < end; ++i) {
                                  gather_row(dy + i / height_ * height_ * factor_ * factor_ * in_row(), i % height_,
                                             dx + i * in_row());
                              }
                          });
    }

private:
    [[nodiscard]] std::int64_t in_row() const { return width_ * channels_; }

    // Computes the gradient of input row h from all output rows that read it.
    void gather_row(const float* gradient, std::int64_t h, float* to) const {
        if (!accumulates_) {
            std::fill_n(to, in_row(), 0.0F);
        }
        // Output row o reads input row floor((o + 0.5) / factor - 0.5) and the next one.
        const std::int64_t first = std::max<std::int64_t>((h - 1) * factor_, 0);
        const std::int64_t last = std::min((h + 2) * factor_, height_ * factor_);
        for (std::int64_t o = first; o < last; ++o) {
            const Mix& row = rows_[static_cast<std::size_t>(o)];
            const float share = (row.low == h ? 1.0F - row.part : 0.0F) + (row.high == h ? row.part : 0.0F);
            if (share != 0.0F) {
                add_row_gradient(gradient + o * factor_ * in_row(), share, columns_, channels_, to);
            }
        }
    }

    std::int64_t factor_;
    bool accumulates_;
    std::int64_t batch_ = 0;
    std::int64_t height_ = 0;
    std::int64_t width_ = 0;
    std::int64_t channels_ = 0;
    std::vector<Mix> rows_;
    std::vector<Mix> columns_;
};

}  // namespace

KernelPtr make_upsample_bilinear(const PlanContext& context) { return std::make_unique<UpsampleBilinear>(context); }

}  // namespace sluice::onednn
