// dense in cuDNN, as a convolution of 1x1 taps on images of one pixel. cuDNN has more engines for it than for matrix
// products, and accepts any extents.
#include "kernels/conv_layer.hpp"

namespace sluice::cudnn {
namespace {

class DenseKernel : public Convolution {
public:
    explicit DenseKernel(const PlanContext& context) : Convolution(context, {}) {
        ConvProblem problem = dense_extents(context.node());
        place_weights(problem.image, {.filters = problem.filters, .channels = problem.channels}, false);
        place_bias_gradient(problem.image, problem.batch, problem.filters);
        problem.bias = has_bias();
        forward_ = plan(problem);
        problem.bias = false;
        if (trains()) {
            backward_reads_input();
            problem.direction = Direction::backward_weights;
            kernels_ = plan(problem);
            if (context.node().wants_gradient(0)) {
                problem.direction = Direction::backward_data;
                problem.add = adds_gradient();
                data_ = plan(problem);
            }
        }
        place_scratch();
    }

    void forward(const sluice_launch& launch, const void* x, void* y, float* /*sums*/) const override {
        run(*forward_, launch, {.x = x, .w = weights(launch), .y = y, .bias = bias(launch)});
    }

    void backward(const sluice_launch& launch, const void* x, const void* dy, void* dx) const override {
        if (dx != nullptr) {
            run(*data_, launch, {.x = dx, .w = weights(launch), .y = dy});
        }
        if (sdk::parameter_gradient(launch, 0) != nullptr) {
            run(*kernels_, launch, {.x = x, .w = gradient_target(launch), .y = dy});
            finish_gradient(launch);
        }
        write_bias_gradient(launch, dy);
    }

private:
    std::unique_ptr<ConvPass> forward_;
    std::unique_ptr<ConvPass> data_;
    std::unique_ptr<ConvPass> kernels_;
};

}  // namespace

KernelPtr make_dense(const PlanContext& context) { return conv_layer(context, std::make_unique<DenseKernel>(context)); }

}  // namespace sluice::cudnn
