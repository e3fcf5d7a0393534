// multiply: own vector loops over rows. The gradient of a broadcast input is summed in float64 in the workspace.
#include <algorithm>
#include <vector>

#include "kernels/broadcast.hpp"
#include "kernels/element_types.hpp"
#include "library/workspace.hpp"
#include "math/conversions.hpp"
#include "math/product_loops.hpp"

namespace sluice::onednn {
namespace {

constexpr std::int64_t kProductGrain = 8192;
constexpr std::int64_t kProductBlock = 512;  // products at a time on the stack

template <class Element>
class Multiply : public sdk::Kernel {
public:
    explicit Multiply(const PlanContext& context) : shape_(context.chain[0]) {
        const sdk::Node node = context.chain[0];
        std::uint64_t sums = 0;
        for (std::uint32_t k = 0; k < node.inputs().size(); ++k) {
            accumulates_.push_back(node.accumulates_gradient(k) ? 1 : 0);
            if (shape_.is_broadcast(k)) {
                sums = std::max(sums, static_cast<std::uint64_t>(sdk::element_count(node.inputs()[k])));
            }
            context.sink.backward_reads_input(k);
        }
        context.sink.workspace(node.trains() ? sums * sizeof(double) : 0);
        context.sink.note("own vector loops");
    }

    void forward(const sluice_launch& launch) override {
        auto* const y = sdk::output<Element>(launch, 0);
        for_rows(launch, [&](const Row& row) {
            float block[kProductBlock];
            float* const to = float_buffer(y + row.output, block);
            const Factor<Element> first = factor(launch, 0, row);
            if (first.repeats) {
                std::fill_n(to, row.count, static_cast<float>(*first.data));
                multiply_others<float>(launch, row, 0, to, to);
            } else {
                multiply_others(launch, row, 0, first.data, to);
            }
            store_buffer(y + row.output, to, row.count);
        });
    }

    void backward(const sluice_launch& launch) override {
        for (std::size_t k = 0; k < accumulates_.size(); ++k) {
            if (sdk::input_gradient<Element>(launch, k) == nullptr) {
                continue;
            }
            if (shape_.is_broadcast(k)) {
                broadcast_gradient(launch, k);
            } else {
                plain_gradient(launch, k);
            }
        }
    }

private:
    // Elements [output, output + count) of the output, which start at `begin` in row `number` of slice `slice`.
    struct Row {
        std::int64_t slice;
        std::int64_t number;
        std::int64_t begin;
        std::int64_t output;
        std::int64_t count;
    };

    // Calls body(row) for all elements of slices [first, last), at most kProductBlock at a time.
    template <class Body>
    void for_slice_rows(std::int64_t first, std::int64_t last, const Body& body) const {
        if (shape_.one_axis()) {
            for (std::int64_t at = first; at < last; at += kProductBlock) {
                body(Row{at, 0, 0, at, std::min(kProductBlock, last - at)});
            }
            return;
        }
        const std::int64_t length = shape_.row_length();
        for (std::int64_t row = first * shape_.rows(); row < last * shape_.rows(); ++row) {
            for (std::int64_t at = 0; at < length; at += kProductBlock) {
                body(Row{row / shape_.rows(), row % shape_.rows(), at, row * length + at,
                         std::min(kProductBlock, length - at)});
            }
        }
    }

    // Same for all slices, in parallel.
    template <class Body>
    void for_rows(const sluice_launch& launch, const Body& body) const {
        const std::int64_t slice = shape_.rows() * shape_.row_length();
        const std::int64_t grain = std::max<std::int64_t>(kProductGrain / slice, 1);
        sdk::parallel_for(
            launch.threads, shape_.slices(), grain,
            [&](std::int64_t begin, std::int64_t end, std::uint32_t) { for_slice_rows(begin, end, body); });
    }

    // Returns where a row begins in input k.
    [[nodiscard]] std::int64_t offset(std::size_t k, const Row& row) const {
        return row.slice * shape_.slice_length(k) + shape_.row_offset(k, row.number) +
               (shape_.repeats(k) ? 0 : row.begin);
    }
    [[nodiscard]] Factor<Element> factor(const sluice_launch& launch, std::size_t k, const Row& row) const {
        return {sdk::input<Element>(launch, k) + offset(k, row), shape_.repeats(k)};
    }

    // Computes to = from times all inputs except input `without`.
    template <class From>
    void multiply_others(const sluice_launch& launch, const Row& row, std::size_t without, const From* from,
                         float* to) const {
        bool begun = false;
        for (std::size_t k = 0; k < accumulates_.size(); ++k) {
            if (k != without && begun) {
                multiply_row<float>(to, to, factor(launch, k, row), row.count);
            } else if (k != without) {
                multiply_row(to, from, factor(launch, k, row), row.count);
                begun = true;
            }
        }
    }

    void plain_gradient(const sluice_launch& launch, std::size_t k) const {
        auto* const gradient = sdk::input_gradient<Element>(launch, k);
        for_rows(launch, [&](const Row& row) {
            float products[kProductBlock];
            multiply_others(launch, row, k, sdk::output_gradient<Element>(launch, 0) + row.output, products);
            convert(gradient + row.output, products, row.count, accumulates_[k] != 0);
        });
    }

    void broadcast_gradient(const sluice_launch& launch, std::size_t k) const {
        auto* const gradient = sdk::input_gradient<Element>(launch, k);
        auto* const sums = static_cast<double*>(launch.workspace);
        sdk::parallel_for(launch.threads, shape_.slices(), 1, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            const std::int64_t first = begin * shape_.slice_length(k);
            const std::int64_t count = (end - begin) * shape_.slice_length(k);
            std::fill_n(sums + first, count, 0.0);
            for_slice_rows(begin, end, [&](const Row& row) { add_row(launch, k, row, sums); });
            store_sums(gradient + first, sums + first, count, accumulates_[k] != 0);
        });
    }

    void add_row(const sluice_launch& launch, std::size_t k, const Row& row, double* sums) const {
        float products[kProductBlock];
        multiply_others(launch, row, k, sdk::output_gradient<Element>(launch, 0) + row.output, products);
        double* const to = sums + offset(k, row);
        if (shape_.repeats(k)) {
            *to += sum_of_row(products, row.count);
        } else {
            add_to_sums(to, products, row.count);
        }
    }

    Broadcast shape_;
    std::vector<std::uint8_t> accumulates_;  // one for each input
};

}  // namespace

KernelPtr make_multiply(const PlanContext& context) { return make_typed<Multiply>(context); }

}  // namespace sluice::onednn
