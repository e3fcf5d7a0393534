// accuracy, top_k and mean_iou of scores [N, ..., K] and the target's classes [N, ...]. Their sums are whole numbers,
// which float32 holds exactly up to 2^24 places of a sample.
#include "kernels/class_labels.cuh"
#include "kernels/class_sums.cuh"
#include "kernels/kernels.hpp"
#include "kernels/node_kernel.hpp"
#include "kernels/place_sums.cuh"

namespace sluice::cudnn {
namespace {

// The class of each place: its class number, or the first class of highest probability.
struct TargetClasses {
    ClassLabels labels;
    const float* probabilities;  // [places, classes]; NULL: the target has class numbers
    std::int64_t classes;

    // Returns -1 if place i does not count.
    __device__ std::int64_t of_place(const RowGroup& group, std::int64_t i) const {
        return probabilities == nullptr ? labels[i] : highest_of_row(group, probabilities + i * classes, classes);
    }
};

class TargetReader {
public:
    explicit TargetReader(const sdk::Node& node)
        : labels_(node), has_labels_(sdk::is_label_type(node.inputs()[1].dtype)), classes_(ScoreShape(node).classes) {}
    [[nodiscard]] TargetClasses of(const sluice_launch& launched) const {
        return {labels_.of(launched.inputs[1]), has_labels_ ? nullptr : sdk::input<float>(launched, 1), classes_};
    }

private:
    LabelReader labels_;
    bool has_labels_;
    std::int64_t classes_;
};

// Gives 1 if the label is among the k highest scores. Of equal scores the first counts as higher; NaN never counts as
// lower.
struct AmongHighest {
    TargetClasses targets;
    std::int64_t k;

    __device__ SumPair of_place(const RowGroup& group, const float* x, std::int64_t i) const {
        const std::int64_t label = targets.of_place(group, i);
        const float mine = x[label < 0 ? 0 : label];
        float above = 0.0F;
        for (std::int64_t c = group.rank(); c < targets.classes; c += group.threads()) {
            const float other = x[c];
            const bool is_below = other < mine || (other == mine && c >= label);
            above += is_below ? 0.0F : 1.0F;
        }
        above = group.sum(above);
        return {label >= 0 && above < static_cast<float>(k) ? 1.0F : 0.0F, label >= 0 ? 1.0F : 0.0F};
    }
};

class RankKernel : public ForwardKernel {
public:
    RankKernel(const sdk::Node& node, const sdk::KernelSink& sink, std::int64_t k)
        : sums_(ScoreShape(node)), targets_(node), k_(k) {
        sink.workspace(sums_.workspace());
    }
    void forward(const sluice_launch& launched) override {
        sums_.forward(launched, AmongHighest{targets_.of(launched), k_});
    }

private:
    PlaceSums sums_;
    TargetReader targets_;
    std::int64_t k_;
};

// Counts the places that have a class in both prediction and target, and those that have it in either.
struct Overlap {
    struct Place {
        std::int64_t predicted;
        std::int64_t label;
    };
    const float* scores;
    TargetClasses targets;

    __device__ Place of_place(const RowGroup& group, std::int64_t i) const {
        const std::int64_t classes = targets.classes;
        return {highest_of_row(group, scores + i * classes, classes), targets.of_place(group, i)};
    }
    __device__ SumPair of_class(const Place& place, std::int64_t, std::int64_t c) const {
        const bool is_predicted = place.predicted == c;
        const bool is_right = place.label == c;
        return {is_predicted && is_right ? 1.0F : 0.0F, place.label >= 0 && (is_predicted || is_right) ? 1.0F : 0.0F};
    }
};

// One block per sample. out: [N, 2K]
__global__ void write_overlap_kernel(const SumPair* partial, std::int64_t pieces, std::int64_t classes, float* out) {
    const SumPair* const mine = partial + blockIdx.x * pieces * classes;
    float* const to = out + blockIdx.x * 2 * classes;
    const ClassThread thread(classes);
    for (std::int64_t base = 0; base < classes; base += thread.width) {
        const std::int64_t c = base + thread.offset;
        const SumPair sums = add_class_pieces(thread, mine, pieces, classes, c);
        if (thread.slice == 0 && c < classes) {
            to[c] = sums.sum;
            to[classes + c] = sums.weight;
        }
    }
}

class MeanIouKernel : public ForwardKernel {
public:
    MeanIouKernel(const sdk::Node& node, const sdk::KernelSink& sink)
        : shape_(node), sums_(shape_.samples, shape_.places, shape_.classes), targets_(node) {
        sink.workspace(sums_.workspace());
    }
    void forward(const sluice_launch& launched) override {
        sums_.count(launched, Overlap{sdk::input<float>(launched, 0), targets_.of(launched)});
        launch(launched.stream, static_cast<unsigned>(shape_.samples), kThreads, write_overlap_kernel,
               static_cast<const SumPair*>(launched.workspace), sums_.pieces(), shape_.classes,
               sdk::output<float>(launched, 0));
    }

private:
    ScoreShape shape_;
    ClassSums sums_;
    TargetReader targets_;
};

}  // namespace

KernelPtr make_accuracy(const PlanContext& context) {
    return std::make_unique<RankKernel>(context.node(), context.sink, std::int64_t{1});
}
KernelPtr make_mean_iou(const PlanContext& context) {
    return std::make_unique<MeanIouKernel>(context.node(), context.sink);
}
KernelPtr make_top_k(const PlanContext& context) {
    return std::make_unique<RankKernel>(context.node(), context.sink, context.node().options().integer("k"));
}

}  // namespace sluice::cudnn
