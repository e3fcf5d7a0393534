// conv2d_transpose by oneDNN's deconvolution. bfloat16 is computed in bfloat16 or in float32, whichever is faster.
#include <functional>
#include <vector>

#include "conv/choice.hpp"
#include "conv/transpose_passes.hpp"
#include "kernels/conv2d_ways.hpp"
#include "kernels/conv_kernel.hpp"
#include "kernels/kernels.hpp"
#include "library/instruction_set.hpp"

namespace sluice::onednn {
namespace {

class Conv2dTranspose : public ConvKernel {
public:
    explicit Conv2dTranspose(const PlanContext& context) : ConvKernel(context.chain[0]) {
        const sdk::Node node = context.chain[0];
        const TransposeGeometry geometry(node);
        const dnnl::engine& engine = context.engine;
        forward_ = choose(context, geometry, "fwd",
                          [&](const TransposeGeometry& how) { return make_transpose_forward(engine, how); });
        if (node.trains()) {
            if (node.wants_gradient(0)) {
                data_ = choose(context, geometry, "bwd_d", [&](const TransposeGeometry& how) {
                    return make_transpose_backward_data(engine, how, node.accumulates_gradient(0));
                });
            }
            weights_ = choose(context, geometry, "bwd_w", [&](const TransposeGeometry& how) {
                return make_transpose_weight_gradient(engine, how);
            });
        }
        declare_needs(context.sink, geometry.input);
    }

private:
    using Make = std::function<PassPtr(const TransposeGeometry&)>;

    static PassPtr choose(const PlanContext& context, const TransposeGeometry& geometry, const char* direction,
                          const Make& make) {
        std::vector<ConvCandidate> candidates;
        for (const DirectWay& way : direct_ways(geometry.input)) {
            candidates.push_back({way.name, [&make, &geometry, way] { return make(geometry.computed_in(way.type)); }});
        }
        return choose_pass(choice_of(direction, geometry, context.sink), candidates);
    }
};

}  // namespace

KernelPtr make_conv2d_transpose(const PlanContext& context) { return std::make_unique<Conv2dTranspose>(context); }

}  // namespace sluice::onednn
