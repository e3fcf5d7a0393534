// A oneDNN primitive with its memory objects, all made at plan time: a launch only sets addresses and executes.
#pragma once

#include <initializer_list>
#include <vector>

#include "library/onednn_api.hpp"

namespace sluice::onednn {

class Operation {
public:
    struct Argument {
        int name;  // DNNL_ARG_...
        Md desc;
    };
    struct Address {
        int name;
        const void* data;  // oneDNN writes through it if the argument is an output
    };

    Operation(const dnnl::engine& engine, dnnl::primitive primitive, std::initializer_list<Argument> arguments);

    // Runs on the calling thread's OpenMP team and returns when done. Every argument needs its address.
    void execute(std::initializer_list<Address> addresses);

private:
    dnnl::primitive primitive_;
    dnnl::stream stream_;
    std::vector<dnnl::memory> memories_;
    std::vector<dnnl_exec_arg_t> arguments_;  // borrow from memories_
};

// Makes primitives take their scratch memory as an argument, so that the host can plan it.
dnnl::primitive_attr user_scratchpad();

// Copies between layouts; with `accumulate` it adds to the target.
Operation make_reorder(const dnnl::engine& engine, const Md& from, const Md& to, bool accumulate = false);

}  // namespace sluice::onednn
