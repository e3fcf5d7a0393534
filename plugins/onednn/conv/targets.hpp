// What our own convolutions write.
#pragma once

namespace sluice::onednn {

// An image [N, H, W, C] that is computed, of the type that its view has. bias: [C], null for none. add: to what is
// there; then there is no bias. relu: zeros in place of negative numbers.
struct ImageTarget {
    void* image;
    const float* bias;
    bool add;
    bool relu;
};

// kernels: [O, k, k, C], bias: [O]; null where not wanted. add: to what is there.
struct KernelTarget {
    float* kernels;
    float* bias;
    bool add;
};

}  // namespace sluice::onednn
