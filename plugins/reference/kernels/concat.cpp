// concat, forward and backward: copies of pieces. See types/shape/concat.hpp.
#include <algorithm>

#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"
#include "types/shape/concat.hpp"

namespace sluice::reference {
namespace {

// The output is [rows, width]; each input is a range of its columns.
struct Piece {
    std::int64_t first;
    std::int64_t width;
};

template <class T>
class ConcatKernel : public NodeKernel<T> {
public:
    explicit ConcatKernel(const sdk::Node& node) : NodeKernel<T>(node) {
        const std::int32_t axis = concat_axis(node.options().integer("axis"), node.inputs()[0]);
        for (std::int32_t i = 0; i < axis; ++i) {
            rows_ *= node.inputs()[0].shape[i];
        }
        for (const sluice_tensor_spec& input : node.inputs()) {
            pieces_.push_back({width_, sdk::element_count(input) / rows_});
            width_ += pieces_.back().width;
        }
    }

    void forward(const sluice_launch& launch) override {
        T* const y = sdk::output<T>(launch, 0);
        for_each_row(launch, [&](std::int64_t row, std::size_t k, const Piece& piece) {
            const T* const x = sdk::input<T>(launch, k) + row * piece.width;
            std::copy_n(x, piece.width, y + row * width_ + piece.first);
        });
    }

    void backward(const sluice_launch& launch) override {
        const T* const dy = sdk::output_gradient<T>(launch, 0);
        for_each_row(launch, [&](std::int64_t row, std::size_t k, const Piece& piece) {
            T* const to = sdk::input_gradient<T>(launch, k);
            for (std::int64_t i = 0; to != nullptr && i < piece.width; ++i) {
                put(to + row * piece.width + i, static_cast<double>(dy[row * width_ + piece.first + i]),
                    this->adds_gradient(k));
            }
        });
    }

private:
    // Calls body(row, input, its piece).
    template <class Body>
    void for_each_row(const sluice_launch& launch, const Body& body) const {
        sdk::parallel_for(launch.threads, rows_, grain_of(width_),
                          [&](std::int64_t begin, std::int64_t end, std::uint32_t) {
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

KernelPtr make_concat(const sdk::Node& node, const sdk::KernelSink&) { return make_typed<ConcatKernel>(node); }

}  // namespace sluice::reference
