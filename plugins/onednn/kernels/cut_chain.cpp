// relu, dropout, and chains of both and an add without batch_norm: one pass forward, and one backward that reads no
// activation, only bits.
#include <algorithm>

#include "kernels/chain.hpp"

namespace sluice::onednn {
namespace {

constexpr std::int64_t kGrainElements = 16384;

// The innermost extents, multiplied until a row is worth a loop.
std::int64_t row_length(const sluice_tensor_spec& spec) {
    constexpr std::int64_t kShort = 64;
    std::int64_t length = 1;
    for (std::int32_t i = static_cast<std::int32_t>(spec.rank) - 1; i >= 0 && length < kShort; --i) {
        length *= spec.shape[i];
    }
    return length;
}

class CutChain : public sdk::Kernel {
public:
    explicit CutChain(const PlanContext& context)
        : length_(row_length(context.chain[0].outputs()[0])),
          rows_(sdk::element_count(context.chain[0].outputs()[0]) / length_),
          grain_(std::max<std::int64_t>(kGrainElements / length_, 1)),
          cuts_(*read_chain(context.chain)) {
        cuts_.save_bits(context.sink, bit_bytes(rows_, length_), 0);
        cuts_.describe(context);
    }

    void forward(const sluice_launch& launch) override {
        const ChainPass pass = cuts_.pass(launch);
        const ForwardRows all = cuts_.forward(launch);
        sdk::parallel_for(launch.threads, rows_, grain_, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            chain_forward(pass, all, begin, end, length_);
        });
    }

    void backward(const sluice_launch& launch) override {
        const BackwardRows all = cuts_.backward(launch);
        float* to = cuts_.first_gradient(launch);
        const bool adds = cuts_.layers().adds_first;
        sdk::parallel_for(launch.threads, rows_, grain_, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            chain_backward(all, to, adds, begin, end, length_);
        });
    }

private:
    std::int64_t length_;
    std::int64_t rows_;
    std::int64_t grain_;
    Cuts cuts_;
};

}  // namespace

KernelPtr make_cut_chain(const PlanContext& context) { return std::make_unique<CutChain>(context); }

}  // namespace sluice::onednn
