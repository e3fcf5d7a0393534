#undef _FORTIFY_SOURCE  // its longjmp treats a jump to another stack as an error
#include "fiber.hpp"

#include <sys/mman.h>
#include <ucontext.h>

#include <cstdlib>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

namespace emulated {
namespace {

constexpr std::size_t kStack = std::size_t{512} << 10;
constexpr std::size_t kGuard = 4096;  // below the stack

Fiber* active = nullptr;

#ifdef __SANITIZE_ADDRESS__
void announce(void** shadow, const void* stack, std::size_t bytes) {
    __sanitizer_start_switch_fiber(shadow, stack, bytes);
}
void arrive(void* shadow, const void** stack, std::size_t* bytes) {
    __sanitizer_finish_switch_fiber(shadow, stack, bytes);
}
#else
void announce(void** /*shadow*/, const void* /*stack*/, std::size_t /*bytes*/) {}
void arrive(void* /*shadow*/, const void** /*stack*/, std::size_t* /*bytes*/) {}
#endif

}  // namespace

Fiber::Fiber(void (*body)())
    : body_(body),
      stack_(::mmap(nullptr, kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    if (stack_ == MAP_FAILED || ::mprotect(stack_, kGuard, PROT_NONE) != 0) {
        std::abort();
    }
}

Fiber::~Fiber() { ::munmap(stack_, kStack); }

void Fiber::begin() {
    Fiber* const self = active;
    arrive(nullptr, &self->resumer_stack_, &self->resumer_stack_bytes_);
    self->body_();
    std::abort();
}

// The first switch needs a context, which costs system calls. Later switches only save and load registers.
void Fiber::resume() {
    active = this;
    void* shadow = nullptr;
    announce(&shadow, static_cast<const std::byte*>(stack_) + kGuard, kStack - kGuard);
    if (_setjmp(resumer_) == 0) {
        if (has_begun_) {
            _longjmp(place_, 1);
        }
        has_begun_ = true;
        ucontext_t context{};
        ::getcontext(&context);
        context.uc_stack.ss_sp = static_cast<std::byte*>(stack_) + kGuard;
        context.uc_stack.ss_size = kStack - kGuard;
        ::makecontext(&context, &Fiber::begin, 0);
        ::setcontext(&context);
    }
    arrive(shadow, nullptr, nullptr);
}

void Fiber::leave() {
    Fiber* const self = active;
    announce(&self->shadow_, self->resumer_stack_, self->resumer_stack_bytes_);
    if (_setjmp(self->place_) == 0) {
        _longjmp(self->resumer_, 1);
    }
    arrive(self->shadow_, &self->resumer_stack_, &self->resumer_stack_bytes_);
}

}  // namespace emulated
