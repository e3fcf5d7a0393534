// group_norm and instance_norm, which has one group for each channel. Own vector loops like those of batch_norm, but
// with statistics of each group of each sample. Sums go over blocks of pixels that depend on the shape alone, not on
// the threads.
#include <algorithm>
#include <cmath>

#include "kernels/element_types.hpp"
#include "library/workspace.hpp"
#include "math/group_norm_loops.hpp"

namespace sluice::onednn {
namespace {

constexpr std::int64_t kBlockElements = 8192;
constexpr std::int64_t kMostPixels = 256;  // summed in float: few enough that no digit is lost

template <class Element>
class GroupNorm : public sdk::Kernel {
public:
    explicit GroupNorm(const PlanContext& context) {
        const sdk::Node node = context.chain[0];
        const sluice_tensor_spec& input = node.inputs()[0];
        samples_ = input.shape[0];
        channels_ = input.shape[input.rank - 1];
        groups_ = node.type() == "group_norm" ? node.options().integer("groups") : channels_;
        pixels_ = sdk::element_count(input) / (samples_ * channels_);
        block_ = std::clamp<std::int64_t>(kBlockElements / channels_, 1, kMostPixels);
        blocks_ = (pixels_ + block_ - 1) / block_;
        affine_ = !node.parameters().empty();
        accumulates_ = node.accumulates_gradient(0);
        trains_ = node.trains();
        epsilon_ = node.options().number("epsilon");
        const auto all = static_cast<std::uint64_t>(samples_ * channels_) * sizeof(float);
        sums_ = layout_.take(2 * static_cast<std::uint64_t>(blocks_) * all);
        coefficients_ = layout_.take(4 * all);
        if (trains_) {
            context.sink.saved(2 * all);  // mean and 1 / deviation of its group, for each sample and channel
            context.sink.backward_reads_input(0);
        } else {
            statistics_ = layout_.take(2 * all);
        }
        context.sink.workspace(layout_.size());
        context.sink.note("own vector loops");
    }

    void forward(const sluice_launch& launch) override {
        for_blocks(launch, [&](std::int64_t n, std::int64_t index, const PixelBlock<Element>& block) {
            float* const mean = block_sums(launch, n, index);
            block_moments(block, mean, mean + channels_);
        });
        const Statistics found = statistics(launch);
        for_samples(launch, [&](std::int64_t n) {
            for (std::int64_t group = 0; group < groups_; ++group) {
                normalise_group(launch, found, n, group);
            }
        });
        auto* const y = sdk::output<Element>(launch, 0);
        for_blocks(launch, [&](std::int64_t n, std::int64_t, const PixelBlock<Element>& block) {
            shift_block(block, found.mean + n * channels_, coefficient(launch, 0, n), coefficient(launch, 1, n),
                        y + (block.x - sdk::input<Element>(launch, 0)));
        });
    }

    void backward(const sluice_launch& launch) override {
        const auto* const x = sdk::input<Element>(launch, 0);
        const auto* const gradient = sdk::output_gradient<Element>(launch, 0);
        const Statistics found = statistics(launch);
        for_blocks(launch, [&](std::int64_t n, std::int64_t index, const PixelBlock<Element>& block) {
            float* const sums = block_sums(launch, n, index);
            block_products(block, gradient + (block.x - x), found.mean + n * channels_, sums, sums + channels_);
        });
        for_samples(launch, [&](std::int64_t n) { combine_products(launch, found, n); });
        store_parameters(launch);
        auto* const dx = sdk::input_gradient<Element>(launch, 0);
        if (dx == nullptr) {
            return;
        }
        for_samples(launch, [&](std::int64_t n) {
            for (std::int64_t group = 0; group < groups_; ++group) {
                gradient_coefficients(launch, found, n, group);
            }
        });
        for_blocks(launch, [&](std::int64_t n, std::int64_t, const PixelBlock<Element>& block) {
            const GroupGradient how{.mean = found.mean + n * channels_,
                                    .factor = coefficient(launch, 0, n),
                                    .offset = coefficient(launch, 1, n),
                                    .slope = coefficient(launch, 2, n),
                                    .add = accumulates_};
            block_gradient(block, gradient + (block.x - x), how, dx + (block.x - x));
        });
    }

private:
    // Tables of [N, C]: each channel has the mean and 1 / deviation of its group.
    struct Statistics {
        float* mean;
        float* inverse;
    };
    [[nodiscard]] Statistics statistics(const sluice_launch& launch) const {
        float* const memory = trains_ ? sdk::saved<float>(launch, 0) : at(launch, statistics_);
        return {memory, memory + samples_ * channels_};
    }

    // Returns [2, C]: two numbers for each channel of a block of pixels.
    [[nodiscard]] float* block_sums(const sluice_launch& launch, std::int64_t n, std::int64_t index) const {
        return at(launch, sums_) + (n * blocks_ + index) * 2 * channels_;
    }
    // Returns row n of one of four tables [N, C].
    [[nodiscard]] float* coefficient(const sluice_launch& launch, std::int64_t which, std::int64_t n) const {
        return at(launch, coefficients_) + (which * samples_ + n) * channels_;
    }
    [[nodiscard]] std::int64_t group_width() const { return channels_ / groups_; }
    [[nodiscard]] std::int64_t block_pixels(std::int64_t index) const {
        return std::min(block_, pixels_ - index * block_);
    }

    // Calls body(sample, index of the block, block) in parallel.
    template <class Body>
    void for_blocks(const sluice_launch& launch, const Body& body) const {
        sdk::parallel_for(launch.threads, samples_ * blocks_, 1,
                          [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                              for (std::int64_t i = begin; i < end; ++i) {
                                  const std::int64_t n = i / blocks_;
                                  const std::int64_t first = n * pixels_ + i % blocks_ * block_;
                                  body(n, i % blocks_,
                                       PixelBlock<Element>{sdk::input<Element>(launch, 0) + first * channels_,
                                                           block_pixels(i % blocks_), channels_});
                              }
                          });
    }

    template <class Body>
    void for_samples(const sluice_launch& launch, const Body& body) const {
        sdk::parallel_for(launch.threads, samples_, 1, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            for (std::int64_t n = begin; n < end; ++n) {
                body(n);
            }
        });
    }

    // Computes mean and variance of a group from those of its channels in each block, by the method of Chan, Golub and
    // LeVeque.
    void normalise_group(const sluice_launch& launch, const Statistics& to, std::int64_t n, std::int64_t group) const {
        double mean = 0.0;
        double squares = 0.0;
        double count = 0.0;
        const std::int64_t first = group * group_width();
        for (std::int64_t index = 0; index < blocks_; ++index) {
            const float* const means = block_sums(launch, n, index);
            const auto more = static_cast<double>(block_pixels(index));
            for (std::int64_t c = first; c < first + group_width(); ++c) {
                const double distance = means[c] - mean;
                const double part = more / (count + more);
                mean += distance * part;
                squares += means[channels_ + c] + distance * distance * part * count;
                count += more;
            }
        }
        const double inverse = 1.0 / std::sqrt(squares / count + epsilon_);
        for (std::int64_t c = first; c < first + group_width(); ++c) {
            to.mean[n * channels_ + c] = static_cast<float>(mean);
            to.inverse[n * channels_ + c] = static_cast<float>(inverse);
            coefficient(launch, 0, n)[c] = static_cast<float>(inverse * gamma(launch, c));
            coefficient(launch, 1, n)[c] = affine_ ? sdk::parameter(launch, 1)[c] : 0.0F;
        }
    }
    [[nodiscard]] double gamma(const sluice_launch& launch, std::int64_t c) const {
        return affine_ ? sdk::parameter(launch, 0)[c] : 1.0;
    }

    // For each channel of a sample: sums the gradients (table 3), and the gradients times the normalised input (table
    // 2).
    void combine_products(const sluice_launch& launch, const Statistics& found, std::int64_t n) const {
        for (std::int64_t c = 0; c < channels_; ++c) {
            double sum = 0.0;
            double product = 0.0;
            for (std::int64_t index = 0; index < blocks_; ++index) {
                sum += block_sums(launch, n, index)[c];
                product += block_sums(launch, n, index)[channels_ + c];
            }
            coefficient(launch, 3, n)[c] = static_cast<float>(sum);
            coefficient(launch, 2, n)[c] = static_cast<float>(product * found.inverse[n * channels_ + c]);
        }
    }

    void store_parameters(const sluice_launch& launch) const {
        for (std::size_t parameter = 0; affine_ && parameter < 2; ++parameter) {
            float* const to = sdk::parameter_gradient(launch, parameter);
            for (std::int64_t c = 0; to != nullptr && c < channels_; ++c) {
                double sum = launch.accumulate_parameters != 0 ? to[c] : 0.0;
                for (std::int64_t n = 0; n < samples_; ++n) {
                    sum += coefficient(launch, parameter == 0 ? 2 : 3, n)[c];
                }
                to[c] = static_cast<float>(sum);
            }
        }
    }

    // With g = gradient * gamma and h the normalised input: dx = (g - mean of g - h * mean of g h) / deviation.
    void gradient_coefficients(const sluice_launch& launch, const Statistics& found, std::int64_t n,
                               std::int64_t group) const {
        const std::int64_t first = group * group_width();
        double sum = 0.0;
        double product = 0.0;
        for (std::int64_t c = first; c < first + group_width(); ++c) {
            sum += gamma(launch, c) * coefficient(launch, 3, n)[c];
            product += gamma(launch, c) * coefficient(launch, 2, n)[c];
        }
        const double inverse = found.inverse[n * channels_ + first];
        const double share = inverse / static_cast<double>(pixels_ * group_width());
        for (std::int64_t c = first; c < first + group_width(); ++c) {
            coefficient(launch, 0, n)[c] = static_cast<float>(inverse * gamma(launch, c));
            coefficient(launch, 1, n)[c] = static_cast<float>(share * sum);
            coefficient(launch, 2, n)[c] = static_cast<float>(share * inverse * product);
        }
    }

    std::int64_t groups_ = 0;
    std::int64_t samples_ = 0;
    std::int64_t channels_ = 0;
    std::int64_t pixels_ = 0;
    std::int64_t block_ = 0;   // pixels of a block
    std::int64_t blocks_ = 0;  // of a sample
    bool affine_ = false;
    bool accumulates_ = false;
    bool trains_ = false;
    double epsilon_ = 0.0;
    Layout layout_;
    std::uint64_t sums_ = 0;
    std::uint64_t coefficients_ = 0;
    std::uint64_t statistics_ = 0;
};

}  // namespace

KernelPtr make_group_norm(const PlanContext& context) { return make_typed<GroupNorm>(context); }
KernelPtr make_instance_norm(const PlanContext& context) { return make_typed<GroupNorm>(context); }

}  // namespace sluice::onednn
