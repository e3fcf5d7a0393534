// cast, forward and backward. See types/conversion/cast.hpp.
#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"

namespace sluice::reference {
namespace {

template <class From, class To>
class CastKernel : public NodeKernel<From> {
public:
    explicit CastKernel(const sdk::Node& node) : NodeKernel<From>(node), n_(sdk::element_count(node.inputs()[0])) {}

    void forward(const sluice_launch& launch) override {
        const From* const x = sdk::input<From>(launch, 0);
        To* const y = sdk::output<To>(launch, 0);
        for_each_element(launch, n_, [=](std::int64_t i) { y[i] = static_cast<To>(x[i]); });
    }

    void backward(const sluice_launch& launch) override {
        const To* const dy = sdk::output_gradient<To>(launch, 0);
        this->write_gradient(launch, 0, n_, [=](std::int64_t i) { return static_cast<From>(dy[i]); });
    }

private:
    std::int64_t n_;
};

template <class From>
using ToFloat32 = CastKernel<From, float>;
template <class From>
using ToFloat64 = CastKernel<From, double>;

}  // namespace

KernelPtr make_cast(const sdk::Node& node, const sdk::KernelSink& /*sink*/) {
    return is_float64(node.outputs()[0]) ? make_typed<ToFloat64>(node) : make_typed<ToFloat32>(node);
}

}  // namespace sluice::reference
