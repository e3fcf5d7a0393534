// Alternating convolutions and normalisations in training: [convolution] batch_norm masks {conv2d batch_norm masks}.
// Masks are those of kernels/chain.hpp. Each "conv2d" of the pattern has padding "reflect", and the chain may also end
// with it. Because each part knows its neighbour, the kernel saves passes over activations:
// - A bias before batch_norm affects only the running mean and has no gradient, so it is skipped. That saves a read of
//   the gradient and, if cuDNN does not add the bias, a read and a write of the image.
// - In float16, cuDNN computes the sums of the statistics with the convolution, which saves a read.
// - batch_norm and masks write the mirrored image that the next convolution reads. Their backward reads the gradient of
//   that image and folds it. That saves two passes in each direction, each with a read and a write.
// Outside training only the last point applies.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/conv_parts.hpp"
#include "kernels/node_kernel.hpp"

namespace sluice::cudnn {
namespace {

// Training saves each convolution's output and each source between the parts. The workspace holds the sums and the
// gradients of these two, for one stage at a time. After them comes the workspace of the part that runs.
template <class T>
class ConvChain : public sdk::Kernel {
public:
    ConvChain(const sdk::Node& first, const PlanContext& context) : trains_(first.trains()) {
        const std::vector<ConvStage> described = read_stages(context.chain);
        for (std::size_t i = 0; i < described.size(); ++i) {
            add_stage(context, described[i], i + 1 < described.size() ? &described[i + 1] : nullptr);
        }
        if (!stages_[0].convolution && trains_) {
            context.sink.backward_reads_input(0);
        }
        sums_ = shared_.take(sums_bytes_);
        gradient_ = shared_.take(gradient_bytes_);
        source_ = shared_.take(source_bytes_);
        context.sink.workspace(shared_.size() + parts_bytes_);
        share_memory(context);
        context.sink.note(std::to_string(context.chain.size()) + " layers" +
                          (described.size() > 1 ? " with margins" : "") + note_);
        context.sink.arithmetic(forward_flops_, backward_flops_);
    }

    void forward(const sluice_launch& launch) override {
        const void* x = launch.inputs[0];
        for (const Stage& stage : stages_) {
            float* sums = nullptr;
            if (stage.convolution) {
                const Convolution& convolution = stage.convolution->convolution();
                sums = convolution.writes_sums() ? static_cast<float*>(at(launch.workspace, sums_)) : nullptr;
                void* const y = stage.norm ? launch.saved[stage.convolved] : launch.outputs[0];
                convolution.forward(own(launch, stage.convolution->place()), x, y, sums);
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
            if (stages_[i].norm) {
                gradient = differentiate_norm(launch, stages_[i], static_cast<const T*>(gradient));
            }
            if (stages_[i].convolution && gradient != nullptr) {
                gradient = differentiate_convolution(launch, i, gradient);
            }
        }
    }

private:
    struct Stage {
        std::optional<ConvPart> convolution;  // may be missing in the first stage
        std::size_t convolved = 0;            // index of the saved block with its output
        std::optional<NormPart<T>> norm;      // may be missing in the last stage
        std::optional<Mirrored> image;        // what the normalisation writes for the next convolution
        std::size_t source = 0;               // index of the saved block with that image
    };

    void add_stage(const PlanContext& context, const ConvStage& described, const ConvStage* next) {
        Stage stage;
        if (described.convolution) {
            add_convolution(context, described, stage);
        }
        if (described.norm) {
            stage.norm.emplace(context, described, input_count_, next_);
            input_count_ += stage.norm->joins() ? 1 : 0;
            parts_bytes_ = std::max(parts_bytes_, stage.norm->workspace());
        }
        if (next != nullptr) {
            const ConvGeometry geometry(context.chain[*next->convolution]);
            stage.image.emplace(geometry.margins);
            source_bytes_ = std::max(source_bytes_, geometry.source_bytes());
            stage.source = trains_ ? save(context, geometry.source_bytes()) : 0;
        }
        stages_.push_back(std::move(stage));
    }

    void add_convolution(const PlanContext& context, const ConvStage& described, Stage& stage) {
        const Convolution& convolution = stage.convolution.emplace(context, described, next_).convolution();
        parts_bytes_ = std::max(parts_bytes_, convolution.workspace());
        note_ += ", " + convolution.note();
        forward_flops_ += convolution.forward_flops();
        backward_flops_ += convolution.backward_flops();
        if (!described.norm) {
            return;
        }
        const sluice_tensor_spec& y = context.chain[*described.convolution].outputs()[0];
        const auto bytes = sizeof(T) * static_cast<std::uint64_t>(sdk::element_count(y));
        stage.convolved = save(context, bytes);
        gradient_bytes_ = std::max(gradient_bytes_, bytes);
        if (convolution.writes_sums()) {
            sums_bytes_ = std::max(sums_bytes_, 2 * sizeof(float) * static_cast<std::uint64_t>(y.shape[y.rank - 1]));
        }
    }

    // The input is read completely before the output is written, or element by element with it, and so are tensors that
    // are added. The last read of the output's gradient comes before the write of the input's gradient.
    void share_memory(const PlanContext& context) const {
        const sdk::Chain& chain = context.chain;
        const std::int64_t count = sdk::element_count(chain[chain.size() - 1].outputs()[0]);
        std::uint32_t input = 0;
        for (std::size_t i = 0; i < chain.size(); ++i) {
            for (std::size_t k = 0; k < chain[i].inputs().size(); ++k) {
                if (static_cast<std::int32_t>(k) == chain[i].chained_input()) {
                    continue;
                }
                if (sdk::element_count(chain[i].inputs()[k]) == count) {
                    context.sink.may_overwrite(input, 0);
                }
                ++input;
            }
        }
        if (sdk::element_count(chain[0].inputs()[0]) == count && !chain[0].accumulates_gradient(0)) {
            context.sink.may_overwrite_gradient(0, 0);
        }
    }

    std::size_t save(const PlanContext& context, std::uint64_t bytes) {
        context.sink.saved(bytes);
        return next_.saved++;
    }

    [[nodiscard]] sluice_launch own(const sluice_launch& launch, const PartPlace& place) const {
        return place.of(launch, shared_.size());
    }
    [[nodiscard]] T* source_of(const sluice_launch& launch, const Stage& stage) const {
        return trains_ ? sdk::saved<T>(launch, stage.source) : static_cast<T*>(at(launch.workspace, source_));
    }

    // Returns what the next stage reads; NULL: there is none.
    const T* normalise(const sluice_launch& launch, const Stage& stage, const T* x, const float* sums) const {
        const NormPart<T>& part = *stage.norm;
        const typename NormStage<T>::ConvolutionResult convolved{
            .sums = sums, .bias = stage.convolution ? stage.convolution->skipped_bias(launch) : nullptr};
        if (!stage.image) {
            part.norm().forward(own(launch, part.place()), x, sdk::output<T>(launch, 0), Dense(), convolved);
            return nullptr;
        }
        T* const source = source_of(launch, stage);
        part.norm().forward(own(launch, part.place()), x, source, *stage.image, convolved);
        return source;
    }

    // Returns the gradient of what the normalisation reads; NULL: no layer before it needs one.
    const T* differentiate_norm(const sluice_launch& launch, const Stage& stage, const T* gradient) const {
        const NormPart<T>& part = *stage.norm;
        const T* x = sdk::input<T>(launch, 0);
        T* to = sdk::input_gradient<T>(launch, 0);
        float* bias = nullptr;
        if (stage.convolution) {
            x = sdk::saved<T>(launch, stage.convolved);
            to = part.wants_gradient() ? static_cast<T*>(at(launch.workspace, gradient_)) : nullptr;
            bias = stage.convolution->skipped_bias_gradient(launch);
        }
        const typename NormStage<T>::Gradient input{.to = to, .adds = part.adds_gradient(), .bias = bias};
        if (stage.image) {
            part.norm().backward(own(launch, part.place()), x, gradient, input, *stage.image);
        } else {
            part.norm().backward(own(launch, part.place()), x, gradient, input);
        }
        return to;
    }

    const void* differentiate_convolution(const sluice_launch& launch, std::size_t i, const void* gradient) const {
        const ConvPart& part = *stages_[i].convolution;
        const void* x = launch.inputs[0];
        void* to = launch.input_gradients[0];
        if (i > 0) {
            x = source_of(launch, stages_[i - 1]);
            to = part.wants_gradient() ? at(launch.workspace, source_) : nullptr;
        }
        part.convolution().backward(own(launch, part.place()), x, gradient, to);
        return to;
    }

    bool trains_;
    std::vector<Stage> stages_;
    PartPlace next_;
    std::uint32_t input_count_ = 1;
    std::string note_;
    double forward_flops_ = 0.0;
    double backward_flops_ = 0.0;
    Layout shared_;
    std::uint64_t sums_bytes_ = 0;
    std::uint64_t gradient_bytes_ = 0;
    std::uint64_t source_bytes_ = 0;
    std::uint64_t parts_bytes_ = 0;
    std::uint64_t sums_ = 0;      // offset in the workspace, [2, filters]; the next two are offsets too
    std::uint64_t gradient_ = 0;  // of a convolution's output
    std::uint64_t source_ = 0;    // the gradient of a source; outside training the source
};

}  // namespace

KernelPtr make_conv_chain(const PlanContext& context) { return make_typed<ConvChain>(context.node(), context); }

}  // namespace sluice::cudnn
