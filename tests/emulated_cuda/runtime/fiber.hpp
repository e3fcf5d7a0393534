// A function on a stack of its own. It runs until it leaves, and continues from there when it is resumed. Only one
// thread of the host at a time may use fibers.
#pragma once

#include <csetjmp>
#include <cstddef>

namespace emulated {

class Fiber {
public:
    // body never returns.
    explicit Fiber(void (*body)());
    ~Fiber();
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    // Starts body, or continues after its last leave(), until it leaves.
    void resume();
    // Call this on a fiber: returns to the code that resumed it.
    static void leave();

private:
    static void begin();

    void (*body_)();
    void* stack_;
    bool has_begun_ = false;
    std::jmp_buf place_{};
    std::jmp_buf resumer_{};
    void* shadow_ = nullptr;  // of the address sanitizer
    const void* resumer_stack_ = nullptr;
    std::size_t resumer_stack_bytes_ = 0;
};

}  // namespace emulated
