// relu, dropout, and chains of both and an add, without batch_norm. Forward is one pass; backward is one pass that
// reads mask bits and no activation.
#include <algorithm>

#include "kernels/chain.hpp"
#include "kernels/element_types.hpp"

namespace sluice::onednn {
namespace {

constexpr std::int64_t kChainBlock = 1024;  // elements; there are no channels here
constexpr std::int64_t kGrainBlocks = 16;

template <class Element>
class MaskChain : public sdk::Kernel {
public:
    explicit MaskChain(const PlanContext& context)
        : elements_(sdk::element_count(context.chain[0].outputs()[0])), masks_(*read_chain(context.chain)) {
        masks_.save_bits(context.sink, bit_bytes(elements_, kChainBlock), 0);
        masks_.describe(context);
    }

    void forward(const sluice_launch& launch) override {
        const ChainPass pass = masks_.pass(launch);
        const ForwardRows<Element> all = masks_.forward<Element>(launch);
        for_elements(launch, [&](const Elements& range) { chain_forward(pass, all, range); });
    }

    void backward(const sluice_launch& launch) override {
        const BackwardRows<Element> all = masks_.backward<Element>(launch);
        Element* to = masks_.first_gradient<Element>(launch);
        const bool adds = masks_.layers().adds_first;
        for_elements(launch, [&](const Elements& range) { chain_backward(all, to, adds, range); });
    }

private:
    // Calls body(range) in parallel.
    template <class Body>
    void for_elements(const sluice_launch& launch, const Body& body) const {
        const std::int64_t blocks = (elements_ - 1) / kChainBlock + 1;
        sdk::parallel_for(launch.threads, blocks, kGrainBlocks,
                          [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
                              body(Elements{begin * kChainBlock, std::min(end * kChainBlock, elements_), kChainBlock});
                          });
    }

    std::int64_t elements_;
    ChainMasks masks_;
};

}  // namespace

KernelPtr make_mask_chain(const PlanContext& context) { return make_typed<MaskChain>(context); }

}  // namespace sluice::onednn
