// Pass: lays out one arena for all activations, gradients, saved tensors and workspaces of a step. Buffers that are not
// in use at the same time may share memory. They are placed one by one, each at the lowest offset that is free for its
// whole life. Several orders are tried, and the smallest arena is taken.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text/scaled_number.hpp"
#include "plan/passes/lifetimes.hpp"
#include "plan/passes/pass.hpp"

namespace sluice::plan {
namespace {

struct Placed {
    const Buffer* buffer = nullptr;
    std::uint64_t offset = 0;
};

struct Placement {
    std::vector<Placed> buffers;  // by offset
    std::uint64_t bytes = ~std::uint64_t{0};
};

using Order = bool (*)(const Buffer& a, const Buffer& b);

std::uint64_t area(const Buffer& buffer) { return buffer.bytes * (buffer.life.last - buffer.life.first + 1); }

constexpr std::array<Order, 3> kOrders{
    [](const Buffer& a, const Buffer& b) { return a.bytes > b.bytes; },
    [](const Buffer& a, const Buffer& b) { return area(a) > area(b); },
    // As a stack: the buffers that live longest are at the bottom.
    [](const Buffer& a, const Buffer& b) { return a.life.last - a.life.first > b.life.last - b.life.first; },
};

bool share_time(const Life& a, const Life& b) { return a.first <= b.last && b.first <= a.last; }

Placement place(const std::vector<Buffer>& buffers, Order order) {
    std::vector<const Buffer*> sorted;
    for (const Buffer& buffer : buffers) {
        sorted.push_back(&buffer);
    }
    std::ranges::stable_sort(sorted, [&](const Buffer* a, const Buffer* b) { return order(*a, *b); });
    Placement placement{.buffers = {}, .bytes = 0};
    for (const Buffer* buffer : sorted) {
        std::uint64_t offset = 0;
        for (const Placed& other : placement.buffers) {
            if (share_time(buffer->life, other.buffer->life) && offset + buffer->bytes > other.offset &&
                other.offset + other.buffer->bytes > offset) {
                offset = other.offset + other.buffer->bytes;
            }
        }
        placement.bytes = std::max(placement.bytes, offset + buffer->bytes);
        placement.buffers.insert(std::ranges::upper_bound(placement.buffers, offset, {}, &Placed::offset),
                                 {buffer, offset});
    }
    return placement;
}

}  // namespace

std::string lay_out_arena(Plan& plan, const PassContext& /*context*/) {
    const std::vector<Buffer> buffers = list_buffers(plan);
    Memory& memory = plan.memory;
    memory.peak_use_bytes = peak_bytes_of(buffers);
    memory.without_reuse_bytes = 0;
    for (const Buffer& buffer : buffers) {
        memory.without_reuse_bytes += buffer.bytes;
    }
    Placement best;
    for (const Order order : kOrders) {
        Placement placement = place(buffers, order);
        if (placement.bytes < best.bytes) {
            best = std::move(placement);
        }
    }
    memory.arena_bytes = best.bytes;
    for (const auto& [buffer, offset] : best.buffers) {
        for (std::uint64_t* target : buffer->offsets) {
            *target = offset;
        }
    }
    return fmt::format("{}; peak use {}, {} without reuse", byte_text(memory.arena_bytes),
                       byte_text(memory.peak_use_bytes), byte_text(memory.without_reuse_bytes));
}

}  // namespace sluice::plan
