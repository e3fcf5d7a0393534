// A stack of its own on which a function runs up to where it leaves, and goes on from there. Not for several threads of
// the host at once.
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

    // Runs body, or goes on after its last leave(), until it leaves.
    void resume();
    // Called on a fiber: goes back to whoever resumed it.
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
