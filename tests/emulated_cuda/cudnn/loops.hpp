// The three directions of a convolution on dense tensors in NHWC, kernels as [filter][tap][tap][channel of the group];
// sums are float64.
#pragma once

#include "graph.hpp"

namespace emulated::dnn {

std::vector<double> forward(const Convolution& c, const std::vector<float>& x, const std::vector<float>& w);
std::vector<double> backward_data(const Convolution& c, const std::vector<float>& w, const std::vector<float>& dy);
std::vector<double> backward_filter(const Convolution& c, const std::vector<float>& x, const std::vector<float>& dy);

}  // namespace emulated::dnn
