// The memory of the emulated GPU, and pinned memory. Device memory is open only while work runs. At other times it is
// closed, so that a host that reads or writes it crashes.
#pragma once

#include <cstddef>
#include <map>
#include <string>

namespace emulated {

class Memory {
public:
    // The size of device memory is SLUICE_EMULATED_CUDA_MEMORY, in MiB, or else 4 GiB.
    Memory();

    // Returns a block filled with NaN of every type; NULL: not enough memory is left. After the end of the block,
    // rounded up to 256 bytes, comes a guard page.
    void* allocate(std::size_t bytes);
    void* allocate_pinned(std::size_t bytes);
    // Return false if there is no such block.
    bool free(void* block);
    bool free_pinned(void* block);

    [[nodiscard]] bool is_device(const void* address) const { return find(device_, address) != device_.end(); }
    [[nodiscard]] bool is_pinned(const void* address) const { return find(pinned_, address) != pinned_.end(); }
    // True if the range is inside one block of either kind.
    [[nodiscard]] bool holds(const void* address, std::size_t bytes) const;
    // Returns "byte 8 of a block of 256 bytes of device memory", also for its guard pages; "": other memory.
    [[nodiscard]] std::string describe(const void* address) const;

    [[nodiscard]] std::size_t total() const { return total_; }
    [[nodiscard]] std::size_t left() const { return total_ - used_; }

    // Keeps device memory open during its lifetime.
    class Open {
    public:
        explicit Open(Memory& memory);
        ~Open();
        Open(const Open&) = delete;
        Open& operator=(const Open&) = delete;
        // Describes a write just outside of a block; "": there was none.
        [[nodiscard]] std::string damage();

    private:
        Memory& memory_;
    };

private:
    struct Block {
        std::size_t bytes;
        char* mapping;  // with the guard pages at both ends
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
