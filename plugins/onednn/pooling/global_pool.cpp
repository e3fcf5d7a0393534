// global_average_pool and global_max_pool: own vector loops, a sample and a block of channels at a time.
#include <algorithm>

#include "kernels/element_types.hpp"
#include "math/global_loops.hpp"

namespace sluice::onednn {
namespace {

class GlobalPool : public sdk::Kernel {
public:
    explicit GlobalPool(const PlanContext& context)
        : batch_(context.chain[0].inputs()[0].shape[0]),
          channels_(context.chain[0].inputs()[0].shape[3]),
          pixels_(sdk::element_count(context.chain[0].inputs()[0]) / (batch_ * channels_)),
          accumulates_(context.chain[0].accumulates_gradient(0)) {
        context.sink.note("own vector loops");
    }

protected:
    // Calls body(block, its offset in x, its offset in y) for each sample and block of channels.
    template <class Body>
    void for_blocks(const sluice_launch& launch, const Body& body) const {
        const std::int64_t blocks = (channels_ + kGlobalBlock - 1) / kGlobalBlock;
        sdk::parallel_for(launch.threads, batch_ * blocks, 1, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            for (std::int64_t i = begin; i < end; ++i) {
                const std::int64_t first = i % blocks * kGlobalBlock;
                const GlobalBlock block{pixels_, channels_, std::min(kGlobalBlock, channels_ - first)};
                body(block, i / blocks * pixels_ * channels_ + first, i / blocks * channels_ + first);
            }
        });
    }
    [[nodiscard]] std::int64_t count() const { return batch_ * channels_; }
    [[nodiscard]] float share() const { return 1.0F / static_cast<float>(pixels_); }
    [[nodiscard]] bool accumulates() const { return accumulates_; }

private:
    std::int64_t batch_;
    std::int64_t channels_;
    std::int64_t pixels_;
    bool accumulates_;
};

template <class Element>
class GlobalAveragePool : public GlobalPool {
public:
    using GlobalPool::GlobalPool;

    void forward(const sluice_launch& launch) override {
        for_blocks(launch, [&](const GlobalBlock& block, std::int64_t from, std::int64_t to) {
            mean_of(block, sdk::input<Element>(launch, 0) + from, sdk::output<Element>(launch, 0) + to);
        });
    }

    void backward(const sluice_launch& launch) override {
        auto* const gradient = sdk::input_gradient<Element>(launch, 0);
        if (gradient == nullptr) {
            return;
        }
        for_blocks(launch, [&](const GlobalBlock& block, std::int64_t to, std::int64_t from) {
            spread(block, sdk::output_gradient<Element>(launch, 0) + from, share(), gradient + to, accumulates());
        });
    }
};

template <class Element>
class GlobalMaxPool : public GlobalPool {
public:
    explicit GlobalMaxPool(const PlanContext& context) : GlobalPool(context), trains_(context.chain[0].trains()) {
        if (trains_) {
            // The index of the largest pixel, for each sample and channel.
            context.sink.saved(static_cast<std::uint64_t>(count()) * sizeof(std::int32_t));
        }
    }

    void forward(const sluice_launch& launch) override {
        auto* const pixels = trains_ ? sdk::saved<std::int32_t>(launch, 0) : nullptr;
        for_blocks(launch, [&](const GlobalBlock& block, std::int64_t from, std::int64_t to) {
            largest_of(block, sdk::input<Element>(launch, 0) + from, sdk::output<Element>(launch, 0) + to,
                       pixels == nullptr ? nullptr : pixels + to);
        });
    }

    void backward(const sluice_launch& launch) override {
        auto* const gradient = sdk::input_gradient<Element>(launch, 0);
        if (gradient == nullptr) {
            return;
        }
        for_blocks(launch, [&](const GlobalBlock& block, std::int64_t to, std::int64_t from) {
            if (!accumulates()) {
                clear(block, gradient + to);
            }
            add_at(block, sdk::output_gradient<Element>(launch, 0) + from, sdk::saved<std::int32_t>(launch, 0) + from,
                   gradient + to);
        });
    }

private:
    bool trains_;
};

}  // namespace

KernelPtr make_global_average_pool(const PlanContext& context) { return make_typed<GlobalAveragePool>(context); }
KernelPtr make_global_max_pool(const PlanContext& context) { return make_typed<GlobalMaxPool>(context); }

}  // namespace sluice::onednn
