// Makes allocations of one plugin fail, as they do where memory runs out: those that its library asks for itself, by
// malloc() and its like and operator new. Not those of the host, nor of libraries that it uses.
#pragma once

#include <cstddef>
#include <vector>

namespace sluice::check {

class FailingAllocations {
public:
    // Of the library that `address` lies in. One at a time.
    explicit FailingAllocations(const void* address);
    // Puts back what was there.
    ~FailingAllocations();
    FailingAllocations(const FailingAllocations&) = delete;
    FailingAllocations& operator=(const FailingAllocations&) = delete;

    // From now on one fails: after so many others.
    static void fail_after(std::size_t others);
    // From now on none does.
    static void fail_none();
    // Of either call: how many there were since.
    static std::size_t count();

private:
    // Where the library looks up the address of a function.
    struct Slot {
        void** at;
        void* before;
    };
    std::vector<Slot> slots_;
};

}  // namespace sluice::check
