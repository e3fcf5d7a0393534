// gate: own vector loops over rows of channels.
#include <algorithm>

#include "kernels/element_types.hpp"
#include "math/gate_loops.hpp"

namespace sluice::onednn {
namespace {

constexpr std::int64_t kGateGrain = 8192;

template <class Element>
class Gate : public sdk::Kernel {
public:
    explicit Gate(const PlanContext& context) {
        const sdk::Node node = context.chain[0];
        const sluice_tensor_spec& output = node.outputs()[0];
        width_ = output.shape[output.rank - 1];
        rows_ = sdk::element_count(output) / width_;
        accumulates_ = node.accumulates_gradient(0);
        if (node.trains()) {
            context.sink.backward_reads_input(0);
        }
        context.sink.note("own vector loops");
    }

    void forward(const sluice_launch& launch) override {
        for_rows(launch, [&](std::int64_t at, const RowShape& shape) {
            gate_rows(sdk::output<Element>(launch, 0) + at, sdk::input<Element>(launch, 0) + 2 * at, shape);
        });
    }

    void backward(const sluice_launch& launch) override {
        if (Element* const to = sdk::input_gradient<Element>(launch, 0)) {
            for_rows(launch, [&](std::int64_t at, const RowShape& shape) {
                gate_gradient(to + 2 * at, sdk::input<Element>(launch, 0) + 2 * at,
                              sdk::output_gradient<Element>(launch, 0) + at, shape, accumulates_);
            });
        }
    }

private:
    // Calls body(first element of the output, rows) in parallel.
    template <class Body>
    void for_rows(const sluice_launch& launch, const Body& body) const {
        const std::int64_t grain = std::max<std::int64_t>(kGateGrain / width_, 1);
        sdk::parallel_for(launch.threads, rows_, grain, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            body(begin * width_, RowShape{end - begin, width_});
        });
    }

    std::int64_t rows_ = 0;
    std::int64_t width_ = 0;  // channels of the output
    bool accumulates_ = false;
};

}  // namespace

KernelPtr make_gate(const PlanContext& context) { return make_typed<Gate>(context); }

}  // namespace sluice::onednn
