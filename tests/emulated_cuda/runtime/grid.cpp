#include "grid.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "failure.hpp"
#include "fiber.hpp"
#include "shared_memory.hpp"
#include "symbol_name.hpp"

uint3 threadIdx{};
uint3 blockIdx{};
dim3 blockDim;
dim3 gridDim;

// The clock of cudaEventElapsedTime.
std::uint64_t read_globaltimer() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}

namespace emulated {
namespace {

constexpr unsigned kWarp = 32;
constexpr unsigned kMostThreads = 1024;
constexpr unsigned kMostColumns = 0x7FFFFFFF;
constexpr unsigned kMostRows = 65535;         // the same for layers
constexpr std::uint64_t kPoisonedBlocks = 8;  // blocks of a launch that begin with NaN in shared memory

struct Thread {
    enum class State : unsigned char { ready, running, at_barrier, in_warp, ended };
    State state = State::ready;
    Fiber* fiber = nullptr;  // where it waits
    // It gives these to its warp, and gets them from it.
    bool votes = false;
    unsigned mask = 0;
    int from = 0;
    std::uint64_t bits = 0;
};

// Keeps fibers from block to block. Each fiber starts threads until one of them waits.
class Fibers {
public:
    Fiber& take(void (*body)()) {
        if (idle_.empty()) {
            all_.push_back(std::make_unique<Fiber>(body));
            return *all_.back();
        }
        Fiber& fiber = *idle_.back();
        idle_.pop_back();
        return fiber;
    }
    void put_back(Fiber& fiber) { idle_.push_back(&fiber); }
    // Destroys the fibers, with the threads that wait on them.
    void drop() {
        idle_.clear();
        all_.clear();
    }

private:
    std::vector<std::unique_ptr<Fiber>> all_;
    std::vector<Fiber*> idle_;
};

class Block {
public:
    Block(const Kernel& kernel, bool descending)
        : kernel_(kernel),
          descending_(descending),
          threads_(std::size_t{kernel.threads.x} * kernel.threads.y * kernel.threads.z) {}

    void run();
    void wait(Thread::State state);
    [[nodiscard]] const Kernel& kernel() const { return kernel_; }
    [[nodiscard]] Thread& current() { return threads_[current_]; }
    [[nodiscard]] unsigned lane() const { return current_ % kWarp; }

private:
    using State = Thread::State;

    static void start_threads();
    [[nodiscard]] unsigned in_order(std::size_t turn) const {
        return static_cast<unsigned>(descending_ ? threads_.size() - 1 - turn : turn);
    }
    void enter(unsigned thread);
    void resume(Fiber& fiber);
    [[nodiscard]] std::size_t count(State state) const {
        return static_cast<std::size_t>(
            std::ranges::count_if(threads_, [&](const Thread& thread) { return thread.state == state; }));
    }
    void release();
    bool release_warp(unsigned first);
    bool release_lanes(unsigned first, const Thread& asking);
    [[noreturn]] void fail_stuck() const;

    const Kernel& kernel_;
    bool descending_;
    std::vector<Thread> threads_;
    unsigned current_ = 0;
    std::size_t started_ = 0;
    Fiber* fiber_ = nullptr;  // the active one
};

Fibers fibers;
Block* running = nullptr;

void Block::run() {
    std::ranges::fill(threads_, Thread{});
    started_ = 0;
    while (started_ < threads_.size()) {
        resume(fibers.take(&Block::start_threads));
    }
    while (count(State::ended) < threads_.size()) {
        release();
        descending_ = !descending_;
        for (std::size_t turn = 0; turn < threads_.size(); ++turn) {
            Thread& thread = threads_[in_order(turn)];
            if (thread.state == State::ready) {
                enter(in_order(turn));
                resume(*thread.fiber);
            }
        }
    }
}

void Block::start_threads() {
    for (;;) {
        Block& block = *running;
        while (block.started_ < block.threads_.size()) {
            const unsigned thread = block.in_order(block.started_++);
            block.enter(thread);
            block.kernel_.thread();
            block.threads_[thread].state = State::ended;
        }
        Fiber::leave();
    }
}

void Block::enter(unsigned thread) {
    current_ = thread;
    threads_[thread].state = State::running;
    const dim3& extent = kernel_.threads;
    threadIdx = {thread % extent.x, thread / extent.x % extent.y, thread / extent.x / extent.y};
}

void Block::resume(Fiber& fiber) {
    fiber_ = &fiber;
    fiber.resume();
    if (current().state == State::ended) {
        fibers.put_back(fiber);
    }
}

void Block::wait(State state) {
    current().state = state;
    current().fiber = fiber_;
    Fiber::leave();
}

// Makes threads ready that no longer have to wait.
void Block::release() {
    if (count(State::at_barrier) == threads_.size()) {
        for (Thread& thread : threads_) {
            thread.state = State::ready;
        }
        return;
    }
    bool any = false;
    for (unsigned first = 0; first < threads_.size(); first += kWarp) {
        any = release_warp(first) || any;
    }
    if (!any) {
        fail_stuck();
    }
}

bool Block::release_warp(unsigned first) {
    bool any = false;
    const std::size_t end = std::min<std::size_t>(first + kWarp, threads_.size());
    for (std::size_t i = first; i < end; ++i) {
        if (threads_[i].state == State::in_warp) {
            any = release_lanes(first, threads_[i]) || any;
        }
    }
    return any;
}

// Releases the lanes of the mask if all of them that have not ended have arrived.
bool Block::release_lanes(unsigned first, const Thread& asking) {
    const unsigned mask = asking.mask;
    const unsigned lanes = static_cast<unsigned>(std::min<std::size_t>(kWarp, threads_.size() - first));
    std::uint64_t given[kWarp];
    std::ranges::fill(given, ~std::uint64_t{0});
    std::uint64_t votes = 0;
    for (unsigned lane = 0; lane < lanes; ++lane) {
        const Thread& thread = threads_[first + lane];
        if ((mask >> lane & 1) == 0 || thread.state == State::ended) {
            continue;
        }
        if (thread.state != State::in_warp || thread.mask != mask || thread.votes != asking.votes) {
            return false;
        }
        given[lane] = thread.bits;
        votes |= std::uint64_t{thread.bits != 0} << lane;
    }
    const bool counts = asking.votes;
    for (unsigned lane = 0; lane < lanes; ++lane) {
        Thread& thread = threads_[first + lane];
        if ((mask >> lane & 1) != 0 && thread.state == State::in_warp) {
            thread.bits = counts ? votes : given[thread.from];
            thread.state = State::ready;
        }
    }
    return true;
}

void Block::fail_stuck() const {
    fail(cudaErrorLaunchFailure,
         "kernel " + symbol_name(kernel_.address) + ": of the " + std::to_string(threads_.size()) +
             " threads of block (" + std::to_string(blockIdx.x) + ", " + std::to_string(blockIdx.y) + ", " +
             std::to_string(blockIdx.z) + "), " + std::to_string(count(State::at_barrier)) + " wait at a barrier, " +
             std::to_string(count(State::in_warp)) + " for their warp, and " + std::to_string(count(State::ended)) +
             " have ended: none can continue");
}

std::string triple(const uint3& at) {
    return "(" + std::to_string(at.x) + ", " + std::to_string(at.y) + ", " + std::to_string(at.z) + ")";
}

void expect_kernel() {
    if (running == nullptr) {
        fail(cudaErrorLaunchFailure, "a function of kernels is called outside of a kernel");
    }
}

}  // namespace

void expect_valid(const Kernel& kernel) {
    const dim3& blocks = kernel.blocks;
    const dim3& threads = kernel.threads;
    const std::uint64_t count = std::uint64_t{threads.x} * threads.y * threads.z;
    if (count < 1 || count > kMostThreads || threads.z > 64 || blocks.x < 1 || blocks.x > kMostColumns ||
        blocks.y < 1 || blocks.y > kMostRows || blocks.z < 1 || blocks.z > kMostRows) {
        fail(cudaErrorInvalidConfiguration, "kernel " + symbol_name(kernel.address) + " cannot be launched with " +
                                                std::to_string(blocks.x) + " x " + std::to_string(blocks.y) + " x " +
                                                std::to_string(blocks.z) + " blocks of " + std::to_string(count) +
                                                " threads");
    }
}

void run_grid(const Kernel& kernel, unsigned number) {
    const std::uint64_t blocks = std::uint64_t{kernel.blocks.x} * kernel.blocks.y * kernel.blocks.z;
    blockDim = kernel.threads;
    gridDim = kernel.blocks;
    const bool backwards = (number & 2) != 0;
    Block block(kernel, (number & 1) != 0);
    running = &block;
    try {
        for (std::uint64_t turn = 0; turn < blocks; ++turn) {
            const std::uint64_t at = backwards ? blocks - 1 - turn : turn;
            blockIdx = {static_cast<unsigned>(at % gridDim.x), static_cast<unsigned>(at / gridDim.x % gridDim.y),
                        static_cast<unsigned>(at / gridDim.x / gridDim.y)};
            if (turn < kPoisonedBlocks) {
                poison_shared_memory(kernel.shared_memory);
            }
            block.run();
        }
    } catch (...) {
        running = nullptr;
        fibers.drop();
        throw;
    }
    running = nullptr;
}

std::string running_thread() {
    return running == nullptr ? ""
                              : "kernel " + symbol_name(running->kernel().address) + ", block " + triple(blockIdx) +
                                    ", thread " + triple(threadIdx);
}

void wait_for_block() {
    expect_kernel();
    running->wait(Thread::State::at_barrier);
}

std::uint64_t exchange(unsigned mask, std::uint64_t bits, int from) {
    Thread& thread = running->current();
    thread.votes = false;
    thread.mask = mask;
    thread.from = from;
    thread.bits = bits;
    running->wait(Thread::State::in_warp);
    return thread.bits;
}

unsigned ballot(unsigned mask, bool vote) {
    Thread& thread = running->current();
    thread.votes = true;
    thread.mask = mask;
    thread.bits = vote ? 1 : 0;
    running->wait(Thread::State::in_warp);
    return static_cast<unsigned>(thread.bits);
}

int lane() {
    expect_kernel();
    return static_cast<int>(running->lane());
}

}  // namespace emulated
