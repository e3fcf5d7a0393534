// pixel_shuffle: own loops, a row of pixels at a time.
#include <algorithm>

#include "kernels/element_types.hpp"
#include "math/pixel_loops.hpp"

namespace sluice::onednn {
namespace {

constexpr std::int64_t kPixelGrain = 8192;

template <class Element>
class PixelShuffle : public sdk::Kernel {
public:
    explicit PixelShuffle(const PlanContext& context) {
        const sdk::Node node = context.chain[0];
        const sluice_tensor_spec& input = node.inputs()[0];
        const std::int64_t factor = node.options().integer("factor");
        rows_ = input.shape[0] * input.shape[1];
        row_ = {.width = input.shape[2], .channels = input.shape[3] / (factor * factor), .factor = factor};
        length_ = input.shape[2] * input.shape[3];
        accumulates_ = node.accumulates_gradient(0);
        context.sink.note("own loops");
    }

    void forward(const sluice_launch& launch) override {
        for_rows(launch, [&](std::int64_t at) {
            shuffle_row(sdk::output<Element>(launch, 0) + at, sdk::input<Element>(launch, 0) + at, row_);
        });
    }

    void backward(const sluice_launch& launch) override {
        if (Element* const to = sdk::input_gradient<Element>(launch, 0)) {
            for_rows(launch, [&](std::int64_t at) {
                unshuffle_row(to + at, sdk::output_gradient<Element>(launch, 0) + at, row_, accumulates_);
            });
        }
    }

private:
    // Calls body(first element) for each row, in parallel. A row has as many elements before as after.
    template <class Body>
    void for_rows(const sluice_launch& launch, const Body& body) const {
        const std::int64_t grain = std::max<std::int64_t>(kPixelGrain / length_, 1);
        sdk::parallel_for(launch.threads, rows_, grain, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            for (std::int64_t row = begin; row < end; ++row) {
                body(row * length_);
            }
        });
    }

    std::int64_t rows_ = 0;    // of the input, over all samples
    std::int64_t length_ = 0;  // elements of a row
    ShuffledRow row_{};
    bool accumulates_ = false;
};

}  // namespace

KernelPtr make_pixel_shuffle(const PlanContext& context) { return make_typed<PixelShuffle>(context); }

}  // namespace sluice::onednn
