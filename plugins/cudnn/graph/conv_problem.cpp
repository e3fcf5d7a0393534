#include "graph/conv_problem.hpp"

namespace sluice::cudnn {
namespace {

const char* name_of(cudnnDataType_t type) {
    return type == CUDNN_DATA_BFLOAT16 ? "bf16" : type == CUDNN_DATA_HALF ? "f16" : "f32";
}

// "3x4"
std::string pair(const std::array<std::int64_t, 2>& values) {
    return std::to_string(values[0]) + 'x' + std::to_string(values[1]);
}

}  // namespace

const char* name_of(Direction direction) {
    return direction == Direction::forward ? "fwd" : direction == Direction::backward_data ? "bwd_d" : "bwd_w";
}

std::string describe(const ConvProblem& p) {
    std::string text = std::string(name_of(p.direction)) + ' ' + name_of(p.image) + ' ' + name_of(p.kernels);
    text += " n" + std::to_string(p.batch) + " c" + std::to_string(p.channels) + " k" + std::to_string(p.filters);
    text += " g" + std::to_string(p.groups) + " in" + pair(p.in) + " out" + pair(p.out) + " taps" + pair(p.taps);
    text += " stride" + pair(p.stride) + " dilation" + pair(p.dilation) + " pad" + pair(p.before) + '+' + pair(p.after);
    return text + (p.bias ? " bias" : "") + (p.relu ? " relu" : "") + (p.sums ? " sums" : "") + (p.add ? " add" : "") +
           (p.upsampled ? " upsampled" : "");
}

std::int64_t x_count(const ConvProblem& p) { return p.batch * p.in[0] * p.in[1] * p.channels; }
std::int64_t w_count(const ConvProblem& p) { return p.filters * p.taps[0] * p.taps[1] * p.channels / p.groups; }
std::int64_t y_count(const ConvProblem& p) { return p.batch * p.out[0] * p.out[1] * p.filters; }

double flops(const ConvProblem& p) {
    return 2.0 * static_cast<double>(y_count(p)) * static_cast<double>(p.taps[0] * p.taps[1] * p.channels / p.groups);
}

}  // namespace sluice::cudnn
