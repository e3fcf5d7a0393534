// concat: copies of pieces. The output is [rows, width]; each input is a range of its columns.
#include <algorithm>
#include <vector>

#include "kernels/element_types.hpp"
#include "math/conversions.hpp"

namespace sluice::onednn {
namespace {

constexpr std::int64_t kConcatGrain = 8192;

template <class Element>
class Concat : public sdk::Kernel {
public:
    explicit Concat(const PlanContext& context) {
        const sdk::Node node = context.chain[0];
        const std::int64_t given = node.options().integer("axis");
        const std::int64_t axis = given < 0 ? given + node.inputs()[0].rank : given;
        for (std::int64_t i = 0; i < axis; ++i) {
            rows_ *= node.inputs()[0].shape[i];
        }
        for (std::uint32_t k = 0; k < node.inputs().size(); ++k) {
            const std::int64_t width = sdk::element_count(node.inputs()[k]) / rows_;
            pieces_.push_back({width_, width, node.accumulates_gradient(k)});
            width_ += width;
        }
        context.sink.note("own copies");
    }

    void forward(const sluice_launch& launch) override {
        Element* const y = sdk::output<Element>(launch, 0);
        for_rows(launch, [&](std::int64_t row, std::size_t k, const Piece& piece) {
            std::copy_n(sdk::input<Element>(launch, k) + row * piece.width, piece.width,
                        y + row * width_ + piece.first);
        });
    }

    void backward(const sluice_launch& launch) override {
        const Element* const dy = sdk::output_gradient<Element>(launch, 0);
        for_rows(launch, [&](std::int64_t row, std::size_t k, const Piece& piece) {
            if (Element* const to = sdk::input_gradient<Element>(launch, k)) {
                convert(to + row * piece.width, dy + row * width_ + piece.first, piece.width, piece.accumulates);
            }
        });
    }

private:
    struct Piece {
        std::int64_t first;
        std::int64_t width;
        bool accumulates;
    };

    // Calls body(row, input, its piece).
    template <class Body>
    void for_rows(const sluice_launch& launch, const Body& body) const {
        const std::int64_t grain = std::max<std::int64_t>(kConcatGrain / width_, 1);
        sdk::parallel_for(launch.threads, rows_, grain, [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
            for (std::int64_t row = begin; row < end; ++row) {
                for (std::size_t k = 0; k < pieces_.size(); ++k) {
                    body(row, k, pieces_[k]);
                }
            }
        });
    }

    std::int64_t rows_ = 1;
    std::int64_t width_ = 0;
    std::vector<Piece> pieces_;
};

}  // namespace

KernelPtr make_concat(const PlanContext& context) { return make_typed<Concat>(context); }

}  // namespace sluice::onednn
