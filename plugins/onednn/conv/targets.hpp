// The targets of our own convolutions.
#pragma once

namespace sluice::onednn {

// image: [N, H, W, C], in the type of its view. bias: [C]; null: none. add: adds to the image; it excludes a bias.
// relu: replaces negative numbers by 0.
struct ImageTarget {
    void* image;
    const float* bias;
    bool add;
    bool relu;
};

// kernels: [O, k, k, C], bias: [O]; null if not wanted. add: adds to the gradients instead of overwriting them.
struct KernelTarget {
    float* kernels;
    float* bias;
    bool add;
};

}  // namespace sluice::onednn
