#include "ranges/ranges.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace sluice::ranges {
namespace {

constexpr std::size_t kChunk = 1024;  // elements: all data of a chunk stays in the L1 cache
constexpr std::size_t kDepth = 10;    // levels of the tree: enough for 1024 replicas

template <class T>
using Scratch = std::array<std::array<T, kChunk>, kDepth>;

struct Sum {
    template <class T>
    T operator()(T a, T b) const {
        return a + b;
    }
};

struct Max {
    template <class T>
    T operator()(T a, T b) const {
        return a < b ? b : a;
    }
};

// to[i] = the tree over element first + i of the members, for `count` of them.
template <class T, class Operation>
void fold(std::span<const sluice_collective> members, std::size_t first, std::size_t count, T* to, Scratch<T>& scratch,
          std::size_t depth, Operation operation) {
    const auto range = [&](std::size_t member) { return static_cast<const T*>(members[member].data) + first; };
    if (members.size() == 1) {
        std::copy_n(range(0), count, to);
        return;
    }
    if (members.size() == 2) {
        std::transform(range(0), range(0) + count, range(1), to, operation);
        return;
    }
    const std::size_t left = std::bit_floor(members.size() - 1);
    T* const other = scratch[depth].data();
    fold(members.first(left), first, count, to, scratch, depth + 1, operation);
    fold(members.subspan(left), first, count, other, scratch, depth + 1, operation);
    std::transform(to, to + count, other, to, operation);
}

// Reduces the members' ranges and writes the result to the `receivers`, which are members too.
template <class T, class Operation>
void reduce_as(std::span<const sluice_collective> members, std::span<const sluice_collective> receivers,
               std::size_t begin, std::size_t end, Operation operation) {
    Scratch<T> scratch;
    std::array<T, kChunk> result;
    const bool is_mean = members.front().kind == SLUICE_COLLECTIVE_MEAN;
    const T share = T{1} / static_cast<T>(members.size());
    for (std::size_t first = begin; first < end; first += kChunk) {
        const std::size_t count = std::min(kChunk, end - first);
        fold(members, first, count, result.data(), scratch, 0, operation);
        if (is_mean) {
            std::transform(result.data(), result.data() + count, result.data(), [&](T value) { return value * share; });
        }
        for (const sluice_collective& receiver : receivers) {
            std::copy_n(result.data(), count, static_cast<T*>(receiver.data) + first);
        }
    }
}

// Calls `work` for each slice that overlaps the range, with its member and the part of the range that lies in it.
template <class Work>
void each_slice(std::span<const sluice_collective> members, std::size_t begin, std::size_t end, const Work& work) {
    const std::size_t slice = members.front().count / members.size();
    while (begin < end) {
        const std::size_t owner = begin / slice;
        const std::size_t until = std::min(end, (owner + 1) * slice);
        work(members[owner], begin, until);
        begin = until;
    }
}

template <class T>
void gather_as(std::span<const sluice_collective> members, std::size_t begin, std::size_t end) {
    each_slice(members, begin, end, [&](const sluice_collective& owner, std::size_t first, std::size_t last) {
        const T* const from = static_cast<const T*>(owner.data);
        for (const sluice_collective& member : members) {
            if (&member != &owner) {
                std::copy(from + first, from + last, static_cast<T*>(member.data) + first);
            }
        }
    });
}

template <class T>
void exchange_as(std::span<const sluice_collective> members, std::size_t begin, std::size_t end) {
    switch (members.front().kind) {
        case SLUICE_COLLECTIVE_MAX:
            reduce_as<T>(members, members, begin, end, Max{});
            break;
        case SLUICE_COLLECTIVE_REDUCE_SCATTER:
            each_slice(members, begin, end, [&](const sluice_collective& owner, std::size_t first, std::size_t last) {
                reduce_as<T>(members, {&owner, 1}, first, last, Sum{});
            });
            break;
        case SLUICE_COLLECTIVE_ALL_GATHER:
            gather_as<T>(members, begin, end);
            break;
        default:
            reduce_as<T>(members, members, begin, end, Sum{});
    }
}

template <class T>
void reduce_as(std::span<const sluice_collective> members, const sluice_collective& receiver, std::size_t end) {
    if (members.front().kind == SLUICE_COLLECTIVE_MAX) {
        reduce_as<T>(members, {&receiver, 1}, 0, end, Max{});
    } else {
        reduce_as<T>(members, {&receiver, 1}, 0, end, Sum{});
    }
}

}  // namespace

void exchange(std::span<const sluice_collective> members, std::size_t begin, std::size_t end) {
    if (members.front().dtype.bits == 64) {
        exchange_as<double>(members, begin, end);
    } else {
        exchange_as<float>(members, begin, end);
    }
}

void reduce_to(const sluice_collective& receiver, std::span<const sluice_collective> members) {
    if (receiver.dtype.bits == 64) {
        reduce_as<double>(members, receiver, receiver.count);
    } else {
        reduce_as<float>(members, receiver, receiver.count);
    }
}

}  // namespace sluice::ranges
