// The memory of the emulated GPU, and pinned memory. Device memory can be touched only while work runs: elsewhere it is
// closed, so that a host that reads or writes it crashes.
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace emulated {

class Memory {
public:
    // How much of it there is: SLUICE_EMULATED_CUDA_MEMORY, in MiB, or 4 GiB.
    Memory();

    // Filled with NaN of every type. The end of the block, rounded up to 256 bytes, lies against a page that nothing
    // may touch. NULL where there is not enough left.
    void* allocate(std::size_t bytes);
    void* allocate_pinned(std::size_t bytes);
    // Whether there was such a block.
    bool free(void* block);
    bool free_pinned(void* block);

    [[nodiscard]] bool is_device(const void* address) const { return find(device_, address) != device_.end(); }
    [[nodiscard]] bool is_pinned(const void* address) const { return find(pinned_, address) != pinned_.end(); }
    // Of one block of either kind.
    [[nodiscard]] bool holds(const void* address, std::size_t bytes) const;
    // "byte 8 of a block of 256 bytes of device memory"; "" for memory of neither kind and what surrounds it.
    [[nodiscard]] std::string describe(const void* address) const;

    [[nodiscard]] std::size_t total() const { return total_; }
    [[nodiscard]] std::size_t left() const { return total_ - used_; }

    // Opens device memory, until it goes.
    class Open {
    public:
        explicit Open(Memory& memory);
        ~Open();
        Open(const Open&) = delete;
        Open& operator=(const Open&) = delete;
        // Where something was written around a block; "" where nothing was.
        [[nodiscard]] std::string damage();

    private:
        Memory& memory_;
    };

private:
    struct Block {
        std::size_t bytes;
        char* mapping;  // with the closed pages at both ends
        std::size_t mapped;
    };
    using Blocks = std::map<const char*, Block>;

    static Blocks::const_iterator find(const Blocks& blocks, const void* address);
    void protect(int protection) const;

    Blocks device_;
    Blocks pinned_;
    std::size_t total_;
    std::size_t used_ = 0;
    int opened_ = 0;
};

}  // namespace emulated
