#include "kernels/conv_kernel.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace sluice::onednn {

// oneDNN computes every convolution, but some of them by a slow loop that it names "ref".
std::string describe(const char* direction, const ConvPass& pass, DataType stored) {
    const std::string name = pass.name();
    return std::string(direction) + " " + name + (name.starts_with("ref") ? " (oneDNN has only its slow loop)" : "") +
           (is_widened(pass, stored) ? " in float32" : "");
}

bool is_widened(const ConvPass& pass, DataType stored) {
    return pass.computed() == DataType::f32 && stored != DataType::f32;
}

void ConvKernel::declare_needs(const sdk::KernelSink& sink, DataType stored) const {
    std::uint64_t bytes = 0;
    std::string note;
    bool widened = false;
    for (const auto& [direction, pass] :
         {std::pair("fwd", forward_.get()), std::pair("bwd_d", data_.get()), std::pair("bwd_w", weights_.get())}) {
        if (pass != nullptr) {
            bytes = std::max(bytes, pass->workspace());
            note += (note.empty() ? "" : ", ") + describe(direction, *pass, stored);
            widened = widened || is_widened(*pass, stored);
        }
    }
    sink.workspace(bytes);
    sink.note(note);
    sink.arithmetic(forward_->flops(), (data_ ? data_->flops() : 0.0) + (weights_ ? weights_->flops() : 0.0));
    if (widened) {
        sink.computes_in(sdk::kFloat32);
    }
    if (weights_) {
        sink.backward_reads_input(0);
    }
}

}  // namespace sluice::onednn
