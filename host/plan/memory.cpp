// Pass: one arena for all activations, gradients, saved tensors and workspaces of a step. Each has a lifetime in the
// order of launches; what is not alive at the same time may share memory. Placement is greedy, the largest first, each
// at the lowest offset that is free for its whole life.
#include <algorithm>

#include "plan/plan.hpp"

namespace sluice::plan {
namespace {

constexpr std::uint64_t kAlignBytes = 64;

struct Buffer {
    std::uint64_t bytes = 0;
    std::size_t first = 0;  // launch that writes it
    std::size_t last = 0;   // last launch that reads it
    std::uint64_t* offset = nullptr;
};

// Launch times: forward of step s is s; backward of step s is 2 * steps - 1 - s.
class Lifetimes {
public:
    Lifetimes(const Graph& graph, std::vector<Step>& steps, Memory& memory)
        : graph_(graph), steps_(steps), memory_(memory), end_(2 * steps.size()) {}

    std::vector<Buffer> collect() {
        add_tensors();
        add_gradients();
        add_saved_and_workspace();
        return std::move(buffers_);
    }

private:
    [[nodiscard]] std::size_t backward_time(std::size_t step) const { return end_ - 1 - step; }

    void add(std::uint64_t bytes, std::size_t first, std::size_t last, std::uint64_t& offset) {
        buffers_.push_back({(bytes + kAlignBytes - 1) / kAlignBytes * kAlignBytes, first, last, &offset});
    }

    void add_tensors() {
        memory_.tensors.assign(graph_.tensors.size(), kNowhere);
        std::vector<std::size_t> first(graph_.tensors.size(), end_);
        std::vector<std::size_t> last(graph_.tensors.size(), 0);
        const auto use = [&](TensorId id, std::size_t time) {
            first[id] = std::min(first[id], time);
            last[id] = std::max(last[id], time);
        };
        for (const Feed& feed : graph_.feeds) {
            use(feed.tensor, 0);
        }
        for (std::size_t s = 0; s < steps_.size(); ++s) {
            const registry::KernelNeeds& needs = steps_[s].kernel.needs();
            for (std::size_t i = 0; i < steps_[s].inputs.size(); ++i) {
                const bool again = steps_[s].has_backward && (needs.reads_inputs >> i & 1) != 0;
                use(steps_[s].inputs[i], again ? backward_time(s) : s);
            }
            for (std::size_t i = 0; i < steps_[s].outputs.size(); ++i) {
                const bool again = steps_[s].has_backward && (needs.reads_outputs >> i & 1) != 0;
                use(steps_[s].outputs[i], s);
                use(steps_[s].outputs[i], again ? backward_time(s) : s);
            }
        }
        for (TensorId id = 0; id < graph_.tensors.size(); ++id) {
            if (first[id] < end_) {
                add(byte_count(graph_.tensors[id].spec), first[id], graph_.tensors[id].kept ? end_ : last[id],
                    memory_.tensors[id]);
            }
        }
    }

    // A gradient lives from the backward of the last consumer to that of its producer.
    void add_gradients() {
        memory_.gradients.assign(graph_.tensors.size(), kNowhere);
        std::vector<std::size_t> first(graph_.tensors.size(), end_);
        std::vector<std::size_t> last(graph_.tensors.size(), 0);
        for (std::size_t s = 0; s < steps_.size(); ++s) {
            if (!steps_[s].has_backward) {
                continue;
            }
            for (std::size_t i = 0; i < steps_[s].inputs.size(); ++i) {
                if (steps_[s].input_gradients[i]) {
                    first[steps_[s].inputs[i]] = std::min(first[steps_[s].inputs[i]], backward_time(s));
                    last[steps_[s].inputs[i]] = std::max(last[steps_[s].inputs[i]], backward_time(s));
                }
            }
            for (const TensorId id : steps_[s].outputs) {
                last[id] = std::max(last[id], backward_time(s));
            }
        }
        for (TensorId id = 0; id < graph_.tensors.size(); ++id) {
            if (first[id] < end_) {
                add(byte_count(graph_.tensors[id].spec), first[id], last[id], memory_.gradients[id]);
            }
        }
    }

    void add_saved_and_workspace() {
        for (std::size_t s = 0; s < steps_.size(); ++s) {
            const registry::KernelNeeds& needs = steps_[s].kernel.needs();
            steps_[s].saved.assign(needs.saved.size(), kNowhere);
            for (std::size_t i = 0; i < needs.saved.size(); ++i) {
                add(needs.saved[i], s, steps_[s].has_backward ? backward_time(s) : s, steps_[s].saved[i]);
            }
            if (needs.workspace > 0) {
                add(needs.workspace, s, s, steps_[s].forward_workspace);
                if (steps_[s].has_backward) {
                    add(needs.workspace, backward_time(s), backward_time(s), steps_[s].backward_workspace);
                }
            }
        }
    }

    const Graph& graph_;
    std::vector<Step>& steps_;
    Memory& memory_;
    std::size_t end_;
    std::vector<Buffer> buffers_;
};

bool share_time(const Buffer& a, const Buffer& b) { return a.first <= b.last && b.first <= a.last; }

// Returns the size of the arena.
std::uint64_t place(std::vector<Buffer>& buffers) {
    std::ranges::stable_sort(buffers, std::ranges::greater{}, &Buffer::bytes);
    std::vector<const Buffer*> placed;  // by offset
    std::uint64_t total = 0;
    for (Buffer& buffer : buffers) {
        std::uint64_t offset = 0;
        for (const Buffer* other : placed) {
            if (share_time(buffer, *other) && offset + buffer.bytes > *other->offset &&
                *other->offset + other->bytes > offset) {
                offset = *other->offset + other->bytes;
            }
        }
        *buffer.offset = offset;
        total = std::max(total, offset + buffer.bytes);
        placed.insert(std::ranges::upper_bound(placed, offset, {}, [](const Buffer* b) { return *b->offset; }),
                      &buffer);
    }
    return total;
}

}  // namespace

Memory lay_out_memory(const Graph& graph, std::vector<Step>& steps) {
    Memory memory;
    std::vector<Buffer> buffers = Lifetimes(graph, steps, memory).collect();
    for (const Buffer& buffer : buffers) {
        memory.without_reuse_bytes += buffer.bytes;
    }
    memory.arena_bytes = place(buffers);
    return memory;
}

}  // namespace sluice::plan
