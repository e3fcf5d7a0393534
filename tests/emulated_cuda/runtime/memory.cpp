#include "memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace emulated {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kAlignment = 256;
constexpr std::size_t kWatched = 256;  // most bytes before a block that are checked
constexpr char kPoison = static_cast<char>(0xFF);

std::size_t rounded_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

bool is_poison(const char* begin, const char* end) {
    return std::all_of(begin, end, [](char byte) { return byte == kPoison; });
}

std::size_t size_of_memory() {
    const char* const mebibytes = std::getenv("SLUICE_EMULATED_CUDA_MEMORY");
    return (mebibytes != nullptr ? std::strtoull(mebibytes, nullptr, 10) : 4096) << 20;
}

}  // namespace

Memory::Memory() : total_(size_of_memory()) {}

void* Memory::allocate(std::size_t bytes) {
    if (bytes > left()) {
        return nullptr;
    }
    const std::size_t padded = rounded_up(bytes, kAlignment);
    const std::size_t inner = rounded_up(padded, kPage);
    if (inner > left()) {
        return nullptr;
    }
    const std::size_t mapped = inner + 2 * kPage;
    void* const mapping = ::mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) {
        return nullptr;
    }
    char* const first = static_cast<char*>(mapping) + kPage;
    ::mprotect(first, inner, PROT_READ | PROT_WRITE);
    std::memset(first, kPoison, inner);
    // The guard pages get another property than the block. Otherwise the kernel splits and joins the mappings each time
    // the block opens or closes.
    ::madvise(mapping, kPage, MADV_NOHUGEPAGE);
    ::madvise(first + inner, kPage, MADV_NOHUGEPAGE);
    if (opened_ == 0) {
        ::mprotect(first, inner, PROT_NONE);
    }
    char* const block = first + inner - padded;
    device_[block] = {bytes, static_cast<char*>(mapping), mapped};
    used_ += inner;
    return block;
}

void* Memory::allocate_pinned(std::size_t bytes) {
    const bool is_sane = bytes < std::size_t{1} << 62;  // rounding it up does not overflow
    char* const block = is_sane ? static_cast<char*>(std::aligned_alloc(kPage, rounded_up(bytes, kPage))) : nullptr;
    if (block != nullptr) {
        pinned_[block] = {bytes, block, 0};
    }
    return block;
}

bool Memory::free(void* block) {
    const auto found = device_.find(static_cast<const char*>(block));
    if (found == device_.end()) {
        return false;
    }
    ::munmap(found->second.mapping, found->second.mapped);
    used_ -= found->second.mapped - 2 * kPage;
    device_.erase(found);
    return true;
}

bool Memory::free_pinned(void* block) {
    const bool is_known = pinned_.erase(static_cast<const char*>(block)) == 1;
    if (is_known) {
        std::free(block);
    }
    return is_known;
}

Memory::Blocks::const_iterator Memory::find(const Blocks& blocks, const void* address) {
    const auto* const byte = static_cast<const char*>(address);
    auto after = blocks.upper_bound(byte);
    if (after == blocks.begin()) {
        return blocks.end();
    }
    --after;
    return byte < after->first + std::max<std::size_t>(after->second.bytes, 1) ? after : blocks.end();
}

bool Memory::holds(const void* address, std::size_t bytes) const {
    const auto* const byte = static_cast<const char*>(address);
    for (const Blocks* blocks : {&device_, &pinned_}) {
        if (const auto found = find(*blocks, address); found != blocks->end()) {
            return bytes <= static_cast<std::size_t>(found->first + found->second.bytes - byte);
        }
    }
    return false;
}

std::string Memory::describe(const void* address) const {
    const auto* const byte = static_cast<const char*>(address);
    for (const auto& [begin, block] : device_) {
        if (byte >= block.mapping && byte < block.mapping + block.mapped) {
            return "byte " + std::to_string(byte - begin) + " of a block of " + std::to_string(block.bytes) +
                   " bytes of device memory";
        }
    }
    return "";
}

void Memory::protect(int protection) const {
    for (const auto& [begin, block] : device_) {
        ::mprotect(block.mapping + kPage, block.mapped - 2 * kPage, protection);
    }
}

Memory::Open::Open(Memory& memory) : memory_(memory) {
    if (memory_.opened_++ == 0) {
        memory_.protect(PROT_READ | PROT_WRITE);
    }
}

Memory::Open::~Open() {
    if (--memory_.opened_ == 0) {
        memory_.protect(PROT_NONE);
    }
}

std::string Memory::Open::damage() {
    for (const auto& [begin, block] : memory_.device_) {
        char* const data = const_cast<char*>(begin);
        char* const first = std::max(block.mapping + kPage, data - kWatched);
        char* const after = data + block.bytes;
        char* const end = block.mapping + block.mapped - kPage;
        if (!is_poison(first, begin) || !is_poison(after, end)) {
            std::fill(first, data, kPoison);  // reported once
            std::fill(after, end, kPoison);
            return "something was written just outside of a block of " + std::to_string(block.bytes) + " bytes";
        }
    }
    return "";
}

}  // namespace emulated
