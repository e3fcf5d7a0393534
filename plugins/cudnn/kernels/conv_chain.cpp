// Convolutions and normalisations in turn, in training: [convolution] batch_norm cuts {conv2d batch_norm cuts} with
// padding "reflect" where there is "conv2d", which may also be the end. What each learns of its neighbour saves passes
// over activations:
// - a bias in front of batch_norm has no effect but on the running mean, and no gradient: it is left out, and with it a
//   reading of the gradient and, where cuDNN takes no bias, a reading and a writing of the image;
// - in float16 cuDNN takes the sums of the statistics with the convolution, which saves a reading;
// - batch_norm and cuts write the mirrored image that the next convolution reads, and their backward reads the gradient
//   of that image and folds it: two passes less in each direction, of a reading and a writing each.
// Outside training there is the last alone.
#include <utility>

#include "conv/conv2d.hpp"
#include "conv/transposed.hpp"
#include "conv/upsampled.hpp"
#include "kernels/conv_stages.hpp"
#include "kernels/node_kernel.hpp"
#include "kernels/norm_stage.hpp"

namespace sluice::cudnn {
namespace {

ConvolutionPtr make_convolution(const PlanContext& context, const ConvStage& stage) {
    const ConvUse use{.input = stage.begin,
                      .node = *stage.convolution,
                      .before_norm = stage.norm.has_value(),
                      .has_source = stage.begin > 0};
    if (context.chain[use.node].type() == "conv2d_transpose") {
        return std::make_unique<TransposedConv2d>(context, use);
    }
    if (context.chain[use.input].type() == "upsample") {
        return std::make_unique<UpsampledConv2d>(context, use);
    }
    return std::make_unique<Conv2d>(context, use);
}

// Where a part of the kernel finds what is its own in a launch: behind so many of each.
struct Place {
    std::size_t parameters = 0;
    std::size_t states = 0;
    std::size_t saved = 0;

    [[nodiscard]] sluice_launch of(sluice_launch launch, std::uint64_t workspace) const {
        const auto skip = [](auto& pointers, std::size_t count) {
            pointers = pointers == nullptr ? nullptr : pointers + count;
        };
        skip(launch.parameters, parameters);
        skip(launch.rounded_parameters, parameters);
        skip(launch.parameter_gradients, parameters);
        skip(launch.states, states);
        skip(launch.saved, saved);
        launch.workspace = at(launch.workspace, workspace);
        return launch;
    }
};

// Between the parts there are: each convolution's output and each source, saved in training, and in the workspace the
// sums, and the gradients of these two, for one stage at a time. Behind that lies what each part needs for itself.
template <class T>
class ConvChain : public sdk::Kernel {
public:
    ConvChain(const sdk::Node& first, const PlanContext& context) : trains_(first.trains()) {
        const std::vector<ConvStage> described = read_stages(context.chain);
        for (std::size_t i = 0; i < described.size(); ++i) {
            add_stage(context, described[i], i + 1 < described.size() ? &described[i + 1] : nullptr);
        }
        if (stages_[0].convolution == nullptr && trains_) {
            context.sink.backward_reads_input(0);
        }
        sums_ = shared_.take(sums_bytes_);
        gradient_ = shared_.take(gradient_bytes_);
        source_ = shared_.take(source_bytes_);
        context.sink.workspace(shared_.size() + parts_bytes_);
        share_memory(context);
        context.sink.note(std::to_string(context.chain.size()) + " layers" +
                          (described.size() > 1 ? " with margins" : "") + note_);
    }

    void forward(const sluice_launch& launch) override {
        const void* x = launch.inputs[0];
        for (const Stage& stage : stages_) {
            float* const sums = stage.writes_sums ? static_cast<float*>(at(launch.workspace, sums_)) : nullptr;
            if (stage.convolution != nullptr) {
                void* const y = stage.norm ? saved(launch, stage.convolved) : launch.outputs[0];
                stage.convolution->forward(part(launch, stage.convolution_place), x, y, sums);
                x = y;
            }
            if (stage.norm) {
                x = normalise(launch, stage, static_cast<const T*>(x), sums);
            }
        }
    }

    void backward(const sluice_launch& launch) override {
        const void* gradient = launch.output_gradients[0];
        for (std::size_t i = stages_.size(); i-- > 0 && gradient != nullptr;) {
            const Stage& stage = stages_[i];
            if (stage.norm) {
                gradient = differentiate_norm(launch, stage, static_cast<const T*>(gradient));
            }
            if (stage.convolution != nullptr && gradient != nullptr) {
                gradient = differentiate_convolution(launch, i, gradient);
            }
        }
    }

private:
    struct Stage {
        ConvolutionPtr convolution;  // may be missing in the first
        Place convolution_place;
        bool has_bias = false;  // that it leaves out
        bool writes_sums = false;
        bool wants_gradient = false;       // of what the convolution reads
        std::size_t convolved = 0;         // saved block: its output
        std::optional<NormStage<T>> norm;  // may be missing in the last
        Place norm_place;
        bool wants_convolved_gradient = false;
        bool adds_gradient = false;     // where there is no convolution
        std::optional<Mirrored> image;  // that the normalisation writes for the next convolution
        std::size_t source = 0;         // saved block: that image
    };

    void add_stage(const PlanContext& context, const ConvStage& described, const ConvStage* next) {
        Stage stage;
        if (described.convolution) {
            add_convolution(context, described, stage);
        }
        if (described.norm) {
            add_norm(context, described, stage);
        }
        if (next != nullptr) {
            const ConvGeometry geometry(context.chain[*next->convolution]);
            stage.image.emplace(geometry.margins);
            source_bytes_ = std::max(source_bytes_, geometry.source_bytes());
            if (trains_) {
                stage.source = save(context, geometry.source_bytes());
            }
        }
        stages_.push_back(std::move(stage));
    }

    void add_convolution(const PlanContext& context, const ConvStage& described, Stage& stage) {
        const sdk::Node node = context.chain[*described.convolution];
        stage.convolution_place = next_;
        stage.convolution = make_convolution(context, described);
        stage.writes_sums = stage.convolution->writes_sums();
        stage.wants_gradient = context.chain[described.begin].wants_gradient(0);
        next_.parameters += node.parameters().size();
        next_.saved += stage.convolution->saved_blocks();
        parts_bytes_ = std::max(parts_bytes_, stage.convolution->workspace());
        note_ += ", " + stage.convolution->note();
        if (!described.norm) {
            return;
        }
        const sluice_tensor_spec& y = node.outputs()[0];
        const auto bytes = sizeof(T) * static_cast<std::uint64_t>(sdk::element_count(y));
        stage.has_bias = node.parameters().size() > 1;
        stage.convolved = save(context, bytes);
        gradient_bytes_ = std::max(gradient_bytes_, bytes);
        if (stage.writes_sums) {
            sums_bytes_ = std::max(sums_bytes_, 2 * sizeof(float) * static_cast<std::uint64_t>(y.shape[y.rank - 1]));
        }
    }

    void add_norm(const PlanContext& context, const ConvStage& described, Stage& stage) {
        const sdk::Node node = context.chain[*described.norm];
        const CutLayers layers = *read_cuts(context.chain, *described.norm + 1, described.end, input_count_);
        input_count_ += layers.joins() ? 1 : 0;
        Layout layout;
        stage.norm_place = next_;
        stage.norm.emplace(node, layers, layout, context.sink);
        stage.wants_convolved_gradient = node.wants_gradient(0);
        stage.adds_gradient = node.accumulates_gradient(0);
        next_.parameters += node.parameters().size();
        next_.states += node.get().state_count;
        next_.saved += stage.norm->saved_blocks();
        parts_bytes_ = std::max(parts_bytes_, layout.size());
    }

    // All of the input is read before the output is written, or element by element with it, as what joins is. The
    // gradient of the output is read for the last time before that of the input is written.
    void share_memory(const PlanContext& context) const {
        const sdk::Node last = context.chain[context.chain.size() - 1];
        const std::int64_t count = sdk::element_count(last.outputs()[0]);
        std::uint32_t input = 0;
        for (std::size_t i = 0; i < context.chain.size(); ++i) {
            const sdk::Node node = context.chain[i];
            for (std::size_t k = 0; k < node.inputs().size(); ++k) {
                if (static_cast<std::int32_t>(k) == node.chained_input()) {
                    continue;
                }
                if (sdk::element_count(node.inputs()[k]) == count) {
                    context.sink.may_overwrite(input, 0);
                }
                ++input;
            }
        }
        const sdk::Node first = context.chain[0];
        if (sdk::element_count(first.inputs()[0]) == count && !first.accumulates_gradient(0)) {
            context.sink.may_overwrite_gradient(0, 0);
        }
    }

    std::size_t save(const PlanContext& context, std::uint64_t bytes) {
        context.sink.saved(bytes);
        return next_.saved++;
    }

    [[nodiscard]] static void* saved(const sluice_launch& launch, std::size_t block) { return launch.saved[block]; }
    [[nodiscard]] sluice_launch part(const sluice_launch& launch, const Place& place) const {
        return place.of(launch, shared_.size());
    }
    // Where the parameters of the part are not read but handed on.
    [[nodiscard]] static const float* left_out_bias(const sluice_launch& launch, const Stage& stage) {
        return stage.has_bias ? sdk::parameter(launch, stage.convolution_place.parameters + 1) : nullptr;
    }
    [[nodiscard]] static float* left_out_gradient(const sluice_launch& launch, const Stage& stage) {
        return stage.has_bias ? sdk::parameter_gradient(launch, stage.convolution_place.parameters + 1) : nullptr;
    }
    [[nodiscard]] T* source_of(const sluice_launch& launch, const Stage& stage) const {
        return static_cast<T*>(trains_ ? saved(launch, stage.source) : at(launch.workspace, source_));
    }

    // What the next stage reads.
    const T* normalise(const sluice_launch& launch, const Stage& stage, const T* x, const float* sums) const {
        const typename NormStage<T>::Convolved convolved{.sums = sums, .bias = left_out_bias(launch, stage)};
        const sluice_launch own = part(launch, stage.norm_place);
        if (!stage.image) {
            stage.norm->forward(own, x, sdk::output<T>(launch, 0), Dense(), convolved);
            return nullptr;
        }
        T* const source = source_of(launch, stage);
        stage.norm->forward(own, x, source, *stage.image, convolved);
        return source;
    }

    // The gradient of what it reads; NULL: nothing in front of it wants one.
    const T* differentiate_norm(const sluice_launch& launch, const Stage& stage, const T* gradient) const {
        T* const to = stage.convolution == nullptr     ? sdk::input_gradient<T>(launch, 0)
                      : stage.wants_convolved_gradient ? static_cast<T*>(at(launch.workspace, gradient_))
                                                       : nullptr;
        const typename NormStage<T>::Gradient input{
            .to = to, .adds = stage.adds_gradient, .bias = left_out_gradient(launch, stage)};
        const T* const x = stage.convolution == nullptr ? sdk::input<T>(launch, 0)
                                                        : static_cast<const T*>(saved(launch, stage.convolved));
        const sluice_launch own = part(launch, stage.norm_place);
        if (stage.image) {
            stage.norm->backward(own, x, gradient, input, *stage.image);
        } else {
            stage.norm->backward(own, x, gradient, input);
        }
        return to;
    }

    const void* differentiate_convolution(const sluice_launch& launch, std::size_t i, const void* gradient) const {
        const Stage& stage = stages_[i];
        const void* const x = i == 0 ? launch.inputs[0] : source_of(launch, stages_[i - 1]);
        void* const to = i == 0                 ? launch.input_gradients[0]
                         : stage.wants_gradient ? at(launch.workspace, source_)
                                                : nullptr;
        stage.convolution->backward(part(launch, stage.convolution_place), x, gradient, to);
        return to;
    }

    bool trains_;
    std::vector<Stage> stages_;
    Place next_;
    std::uint32_t input_count_ = 1;
    std::string note_;
    Layout shared_;
    std::uint64_t sums_bytes_ = 0;
    std::uint64_t gradient_bytes_ = 0;
    std::uint64_t source_bytes_ = 0;
    std::uint64_t parts_bytes_ = 0;
    std::uint64_t sums_ = 0;      // in the workspace: [2, filters]
    std::uint64_t gradient_ = 0;  // of a convolution's output
    std::uint64_t source_ = 0;    // the gradient of a source; outside training the source
};

}  // namespace

KernelPtr make_conv_chain(const PlanContext& context) { return make_typed<ConvChain>(context.node(), context); }

}  // namespace sluice::cudnn
