// batch_norm and the layers that follow it in a chain (norms/passes.hpp). Evaluation takes one pass. Training takes two
// forward, one that reads the activations and one that reads and writes them, and two backward.
#include "kernels/node_kernel.hpp"
#include "kernels/norm_stage.hpp"

namespace sluice::cudnn {
namespace {

template <class T>
class BatchNorm : public sdk::Kernel {
public:
    BatchNorm(const sdk::Node& node, const PlanContext& context)
        : layers_(*read_masks(context.chain, 1)), stage_(node, layers_, layout_, context.sink) {
        context.sink.workspace(layout_.size());
        if (layers_.trains) {
            context.sink.backward_reads_input(0);
        }
        layers_.share_memory(context.sink);
        context.sink.note(note_of(context.chain));
    }

    void forward(const sluice_launch& launch) override {
        stage_.forward(launch, sdk::input<T>(launch, 0), sdk::output<T>(launch, 0));
    }

    void backward(const sluice_launch& launch) override {
        stage_.backward(launch, sdk::input<T>(launch, 0), sdk::output_gradient<T>(launch, 0),
                        {.to = sdk::input_gradient<T>(launch, 0), .adds = layers_.adds_first});
    }

private:
    MaskLayers layers_;
    Layout layout_;
    NormStage<T> stage_;
};

}  // namespace

bool is_norm_chain(const sdk::Chain& chain) {
    return chain[0].type() == "batch_norm" && read_masks(chain, 1).has_value();
}

KernelPtr make_batch_norm(const PlanContext& context) { return make_typed<BatchNorm>(context.node(), context); }

}  // namespace sluice::cudnn
