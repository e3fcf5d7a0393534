// accuracy, top_k and mean_iou; see types/metrics/label_metrics.hpp.
#include <algorithm>

#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"
#include "types/class_labels.hpp"

namespace sluice::reference {
namespace {

// The class of each position: its class number, or the first of the classes with the highest probability.
template <class T>
class TargetClasses {
public:
    TargetClasses(const void* data, sluice_dtype dtype, const IgnoredLabel& ignored, std::int64_t classes)
        : probabilities_(sdk::is_label_type(dtype) ? nullptr : static_cast<const T*>(data)),
          labels_(data, dtype, ignored),
          classes_(classes) {}
    std::optional<std::int64_t> operator[](std::int64_t i) const {
        if (probabilities_ == nullptr) {
            return labels_[i];
        }
        const T* const row = probabilities_ + i * classes_;
        return std::max_element(row, row + classes_) - row;
    }

private:
    const T* probabilities_;
    Targets labels_;
    std::int64_t classes_;
};

// Shared by the metrics: loops over samples in parallel, and over the positions of a sample in order.
template <class T>
class LabelMetricKernel : public ForwardKernel {
public:
    explicit LabelMetricKernel(const sdk::Node& node)
        : samples_(node.inputs()[0].shape[0]),
          classes_(node.inputs()[0].shape[node.inputs()[0].rank - 1]),
          positions_(sdk::element_count(node.inputs()[0]) / samples_ / classes_),
          sums_(node.outputs()[0].shape[1]),
          label_type_(node.inputs()[1].dtype),
          ignored_(ignored_label(node.options())) {}

    void forward(const sluice_launch& launch) final {
        const T* const scores = sdk::input<T>(launch, 0);
        const TargetClasses<T> targets(launch.inputs[1], label_type_, ignored_, classes_);
        float* const out = sdk::output<float>(launch, 0);
        const std::int64_t grain = grain_of(positions_ * classes_);
        sdk::parallel_for(launch.threads, samples_, grain, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            std::fill(out + begin * sums_, out + end * sums_, 0.0F);
            for (std::int64_t i = begin * positions_; i < end * positions_; ++i) {
                if (const auto label = targets[i]) {
                    count(scores + i * classes_, *label, out + i / positions_ * sums_);
                }
            }
        });
    }

protected:
    // Adds a position with scores x [K] to the sample's sums. These are whole numbers, exact for up to 2^24 positions
    // of a sample.
    virtual void count(const T* x, std::int64_t label, float* sums) const = 0;
    [[nodiscard]] std::int64_t classes() const { return classes_; }

private:
    std::int64_t samples_;
    std::int64_t classes_;
    std::int64_t positions_;  // of one sample
    std::int64_t sums_;
    sluice_dtype label_type_;
    IgnoredLabel ignored_;
};

template <class T>
class RankKernel final : public LabelMetricKernel<T> {
public:
    RankKernel(const sdk::Node& node, std::int64_t k) : LabelMetricKernel<T>(node), k_(k) {}

protected:
    void count(const T* x, std::int64_t label, float* sums) const override {
        // Of equal scores the first counts as higher. A score that is NaN counts as above the label's.
        std::int64_t above = 0;
        for (std::int64_t c = 0; c < this->classes(); ++c) {
            const bool below = x[c] < x[label] || (x[c] == x[label] && c >= label);
            above += below ? 0 : 1;
        }
        sums[0] += above < k_ ? 1.0F : 0.0F;
        sums[1] += 1.0F;
    }

private:
    std::int64_t k_;
};

template <class T>
class MeanIouKernel final : public LabelMetricKernel<T> {
public:
    explicit MeanIouKernel(const sdk::Node& node) : LabelMetricKernel<T>(node) {}

protected:
    void count(const T* x, std::int64_t label, float* sums) const override {
        const std::int64_t classes = this->classes();
        const std::int64_t predicted = std::max_element(x, x + classes) - x;
        sums[classes + label] += 1.0F;
        if (predicted == label) {
            sums[label] += 1.0F;
        } else {
            sums[classes + predicted] += 1.0F;
        }
    }
};

}  // namespace

KernelPtr make_accuracy(const sdk::Node& node, const sdk::KernelSink&) {
    return make_typed<RankKernel>(node, std::int64_t{1});
}

KernelPtr make_top_k(const sdk::Node& node, const sdk::KernelSink&) {
    return make_typed<RankKernel>(node, node.options().integer("k"));
}

KernelPtr make_mean_iou(const sdk::Node& node, const sdk::KernelSink&) { return make_typed<MeanIouKernel>(node); }

}  // namespace sluice::reference
