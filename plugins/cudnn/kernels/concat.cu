// concat: one launch copies each input. The output is [rows, width], and each input is a range of its columns.
#include <vector>

#include "cuda/divide.cuh"
#include "cuda/launch.cuh"
#include "kernels/node_kernel.hpp"

namespace sluice::cudnn {
namespace {

// One side of a copy, in packs: row r begins at first + r * step.
struct Side {
    std::uint32_t first;
    std::uint32_t step;
};

template <int kSize, class T>
__global__ void copy_kernel(T* to, Side to_side, const T* from, Side from_side, std::uint32_t packs, Divider width,
                            bool add) {
    for (auto i = static_cast<std::uint32_t>(first_index()); i < packs; i += index_stride()) {
        std::uint32_t row = i;
        const std::uint32_t column = width.split(row);
        const std::uint32_t source = from_side.first + row * from_side.step + column;
        Pack<T, kSize> out = load_pack<kSize>(from + source * kSize);
        T* const mine = to + (to_side.first + row * to_side.step + column) * kSize;
        if (add) {
            const Pack<T, kSize> there = load_pack<kSize>(mine);
            for (int k = 0; k < kSize; ++k) {
                out.values[k] = from_float<T>(to_float(there.values[k]) + to_float(out.values[k]));
            }
        }
        store_pack(mine, out);
    }
}

template <class T>
class Concat : public NodeKernel {
public:
    explicit Concat(const sdk::Node& node) : NodeKernel(node) {
        const std::int64_t given = node.options().integer("axis");
        const std::int64_t axis = given < 0 ? given + node.inputs()[0].rank : given;
        for (std::int64_t i = 0; i < axis; ++i) {
            rows_ *= node.inputs()[0].shape[i];
        }
        for (const sluice_tensor_spec& input : node.inputs()) {
            const std::int64_t width = sdk::element_count(input) / rows_;
            pieces_.push_back({width_, width});
            width_ += width;
            in_packs_ = in_packs_ && width % Pack<T>::kSize == 0;
        }
    }

    void forward(const sluice_launch& launch) override {
        T* const y = sdk::output<T>(launch, 0);
        for (std::size_t k = 0; k < pieces_.size(); ++k) {
            const T* const x = sdk::input<T>(launch, k);
            with_size(
                [&](auto size) { copy<size()>(launch.stream, y, whole(k, size()), x, piece(k, size()), k, false); });
        }
    }

    void backward(const sluice_launch& launch) override {
        const T* const dy = sdk::output_gradient<T>(launch, 0);
        for (std::size_t k = 0; k < pieces_.size(); ++k) {
            if (T* const dx = sdk::input_gradient<T>(launch, k)) {
                with_size([&](auto size) {
                    copy<size()>(launch.stream, dx, piece(k, size()), dy, whole(k, size()), k, adds_gradient(k));
                });
            }
        }
    }

private:
    struct Piece {
        std::int64_t first;
        std::int64_t width;
    };

    template <class Body>
    void with_size(const Body& body) const {
        if (in_packs_) {
            body(std::integral_constant<int, Pack<T>::kSize>{});
        } else {
            body(std::integral_constant<int, 1>{});
        }
    }

    // The sides of piece k: whole() in the output, piece() in the input.
    [[nodiscard]] Side whole(std::size_t k, int size) const {
        return {static_cast<std::uint32_t>(pieces_[k].first / size), static_cast<std::uint32_t>(width_ / size)};
    }
    [[nodiscard]] Side piece(std::size_t k, int size) const {
        return {0, static_cast<std::uint32_t>(pieces_[k].width / size)};
    }

    template <int kSize>
    void copy(void* stream, T* to, const Side& to_side, const T* from, const Side& from_side, std::size_t k,
              bool add) const {
        const std::int64_t width = pieces_[k].width / kSize;
        launch(stream, blocks_for(rows_ * width), kThreads, copy_kernel<kSize, T>, to, to_side, from, from_side,
               static_cast<std::uint32_t>(rows_ * width), Divider(width), add);
    }

    std::int64_t rows_ = 1;
    std::int64_t width_ = 0;
    std::vector<Piece> pieces_;
    bool in_packs_ = true;
};

}  // namespace

KernelPtr make_concat(const PlanContext& context) {
    context.sink.note("own copies");
    return make_typed<Concat>(context.node());
}

}  // namespace sluice::cudnn
