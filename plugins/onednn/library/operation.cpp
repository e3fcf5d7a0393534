#include "library/operation.hpp"

#include <utility>

namespace sluice::onednn {

Operation::Operation(const dnnl::engine& engine, dnnl::primitive primitive, std::initializer_list<Argument> arguments)
    : primitive_(std::move(primitive)), stream_(engine) {
    for (const Argument& argument : arguments) {
        memories_.emplace_back(argument.desc, engine, static_cast<void*>(DNNL_MEMORY_NONE));
        arguments_.push_back({argument.name, memories_.back().get()});
    }
}

void Operation::execute(std::initializer_list<Address> addresses) {
    for (const Address& address : addresses) {
        for (std::size_t i = 0; i < arguments_.size(); ++i) {
            if (arguments_[i].arg == address.name) {
                memories_[i].set_data_handle(const_cast<void*>(address.data));
            }
        }
    }
    // Calls the C function, because the C++ one copies the arguments into a new vector each time.
    dnnl::error::wrap_c_api(
        dnnl_primitive_execute(primitive_.get(), stream_.get(), static_cast<int>(arguments_.size()), arguments_.data()),
        "could not execute a primitive");
}

dnnl::primitive_attr user_scratchpad() {
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attr;
}

Operation make_reorder(const dnnl::engine& engine, const Md& from, const Md& to, bool accumulate) {
    dnnl::primitive_attr attr;
    if (accumulate) {
        dnnl::post_ops sum;
        sum.append_sum(1.0F);
        attr.set_post_ops(sum);
    }
    const dnnl::reorder::primitive_desc desc(engine, from, engine, to, attr);
    return {engine, dnnl::reorder(desc), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}}};
}

}  // namespace sluice::onednn
