#include "call_checks/lent_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <deque>
#include <mutex>
#include <new>

#include "base/signals/signal_chain.hpp"
#include "call_checks/running_function.hpp"

namespace sluice::call_checks {
namespace {

constexpr std::size_t kBlocks = 256;
constexpr std::size_t kNowhere = LentMemory::kNowhere;  // guard bytes in front of each block
constexpr std::size_t kBlockBytes = kNowhere + (1 << 20);

// State of a block and its last user. Written while the block is open and read by the signal handler.
struct Block {
    std::size_t bytes = 0;  // readable bytes
    std::atomic<const CalledComponent*> component = nullptr;
    std::atomic<const char*> function = nullptr;
    std::atomic<bool> is_closed = true;
    std::atomic<bool> is_open_again = false;  // a fault has made the block and its guard area readable
    std::atomic<bool> is_misread = false;     // the guard area was read while the block was open
    std::atomic<const char*> touched_in = nullptr;
};

// A signal handler can reach only static memory.
std::byte* region = nullptr;
std::array<Block, kBlocks> blocks;
std::atomic<bool> is_touched = false;
struct sigaction before {};  // the action that on_fault replaced

int block_of(const void* address) {
    const auto offset = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(region);
    return region != nullptr && offset < kBlocks * kBlockBytes ? static_cast<int>(offset / kBlockBytes) : -1;
}

void on_fault(int signal, siginfo_t* info, void* context) {
    const int number = block_of(info->si_addr);
    Block* const touched = number < 0 ? nullptr : &blocks[static_cast<std::size_t>(number)];
    std::byte* const begin = region + static_cast<std::size_t>(std::max(number, 0)) * kBlockBytes;
    if (touched != nullptr && (touched->is_closed || info->si_addr < begin + kNowhere)) {
        Block& block = *touched;
        if (::mprotect(begin, kBlockBytes, PROT_READ | PROT_WRITE) == 0) {
            block.is_open_again = true;
            block.is_misread = !block.is_closed;
            block.touched_in = running_function;
            is_touched = true;
            return;
        }
    }
    call_previous_handler(before, signal, info, context);
}

// Unused blocks. Closed blocks are reused in the order of their return, so that a late read is noticed for long.
class Pool {
public:
    Pool() {
        void* const memory =
            ::mmap(nullptr, kBlocks * kBlockBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory != MAP_FAILED) {
            region = static_cast<std::byte*>(memory);
            for (std::size_t i = 0; i < kBlocks; ++i) {
                closed_.push_back(static_cast<int>(i));
            }
        }
    }
    // Prefers a block that was given back with the same `after`. Returns -1 if no block is left.
    int take(AfterCall after) {
        const std::lock_guard lock(guard_);
        const bool is_open = !open_.empty() && (after == AfterCall::stays_open || closed_.empty());
        std::deque<int>& from = is_open ? open_ : closed_;
        if (from.empty()) {
            return -1;
        }
        const int number = from.front();
        from.pop_front();
        return number;
    }
    void give_back(int number, AfterCall after) {
        const std::lock_guard lock(guard_);
        if (after == AfterCall::stays_open) {
            open_.push_front(number);
        } else {
            closed_.push_back(number);
        }
    }

private:
    std::mutex guard_;
    std::deque<int> closed_;
    std::deque<int> open_;
};

Pool& pool() {
    static Pool all;
    return all;
}

std::size_t whole_pages(std::size_t bytes) {
    static const auto kPage = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return (bytes + kPage - 1) / kPage * kPage;
}

}  // namespace

LentMemory::LentMemory(const CalledComponent* component, const char* function, AfterCall after)
    : after_(after), block_(pool().take(after)) {
    static_assert(kNowhere + kBlock == kBlockBytes);
    if (block_ < 0) {
        used_ = kBlock;
        return;
    }
    Block& block = blocks[static_cast<std::size_t>(block_)];
    note_touched();  // before the next lines overwrite the last user
    block.component = component;
    block.function = function;
    block.is_closed = false;
    begin_ = region + static_cast<std::size_t>(block_) * kBlockBytes + kNowhere;
    if (block.is_open_again.exchange(false)) {
        ::mprotect(nowhere(), kBlockBytes, PROT_NONE);
        block.bytes = 0;
    }
}

LentMemory::~LentMemory() {
    while (overflow_ != nullptr) {
        ::operator delete(std::exchange(overflow_, overflow_->next));
    }
    if (block_ >= 0) {
        Block& block = blocks[static_cast<std::size_t>(block_)];
        block.is_closed = true;
        if (after_ == AfterCall::is_closed && block.bytes > 0) {
            ::mprotect(begin_, block.bytes, PROT_NONE);
            block.bytes = 0;
        }
        pool().give_back(block_, after_);
    }
}

std::byte* LentMemory::take(std::size_t bytes, std::size_t alignment) {
    const std::size_t begin = (used_ + alignment - 1) / alignment * alignment;
    if (begin > kBlock || bytes > kBlock - begin) {
        constexpr std::size_t kHeader = 64;
        auto* const more = static_cast<std::byte*>(::operator new(bytes + kHeader));
        overflow_ = new (more) Overflow{overflow_};
        return more + kHeader;
    }
    Block& block = blocks[static_cast<std::size_t>(block_)];
    if (begin + bytes > block.bytes) {
        const std::size_t open = whole_pages(begin + bytes);
        if (::mprotect(begin_ + block.bytes, open - block.bytes, PROT_READ | PROT_WRITE) != 0) {
            throw std::bad_alloc();
        }
        block.bytes = open;
    }
    used_ = begin + bytes;
    return begin_ + begin;
}

// FNV-1a over words; it need not resist deliberate collisions.
std::uint64_t LentMemory::hash(std::size_t bytes) const {
    std::uint64_t value = 0xcbf29ce484222325;
    for (std::size_t i = 0; block_ >= 0 && i + sizeof(value) <= bytes; i += sizeof(value)) {
        std::uint64_t word = 0;
        std::memcpy(&word, begin_ + i, sizeof(word));
        value = (value ^ word) * 0x100000001b3;
    }
    return value;
}

std::string LentMemory::note_touched() {
    std::string first;
    if (!is_touched.exchange(false)) {
        return first;
    }
    for (Block& block : blocks) {
        const char* const where = block.touched_in.exchange(nullptr);
        if (where != nullptr && block.function != nullptr) {
            const bool is_misread = block.is_misread;
            Breach breach = describe_breach(
                block.component, is_misread ? Rule::lent_offset : Rule::lent_kept, block.function, {},
                is_misread
                    ? "takes the data of a tensor for its first element, which lies at data + byte_offset"
                    : fmt::format("keeps a pointer to memory that was lent for this call only; {} reads it later",
                                  where));
            first = first.empty() ? breach.text : first;
            note(std::move(breach));
        }
    }
    return first;
}

void LentMemory::forget(const CalledComponent& component) {
    note_touched();
    for (Block& block : blocks) {
        if (block.component == &component) {
            block.function = nullptr;
        }
    }
}

void LentMemory::watch_signal() {
    pool();
    struct sigaction now {};
    ::sigaction(SIGSEGV, nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) == 0 || now.sa_sigaction != on_fault) {
        before = now;
        struct sigaction ours {};
        ours.sa_sigaction = on_fault;
        ours.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
        ::sigaction(SIGSEGV, &ours, nullptr);
    }
}

}  // namespace sluice::call_checks
