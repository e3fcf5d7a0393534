// Transfers between the ranks of a world, in order for each pair. A transfer completes when both ranks have reached it
// with the same type and count, and both or neither captured. Otherwise neither it nor any transfer after it completes.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "nccl.h"

namespace emulated {

// Returns the bytes of one element of the type.
[[nodiscard]] std::size_t bytes_of(ncclDataType_t type);

struct Transfer {
    bool is_sent;
    int peer;
    ncclDataType_t type;
    void* data;
    std::size_t count;
    bool is_recorded = false;

    [[nodiscard]] std::size_t bytes() const { return count * bytes_of(type); }
    [[nodiscard]] bool fits(const Transfer& other) const {
        return type == other.type && count == other.count && is_recorded == other.is_recorded;
    }
};

class Transfers {
public:
    // Runs as the work of a stream of this rank, which reaches all transfers of the group at once. Returns when they
    // are complete or aborted.
    void meet(int rank, const std::vector<Transfer>& group, const bool& is_aborted);
    // True if others wait in a transfer that this rank has not reached.
    [[nodiscard]] bool are_waiting_for(int rank) const;

private:
    using Left = std::shared_ptr<std::size_t>;  // transfers of the group that are not complete
    struct End {
        Transfer transfer;
        Left left;
    };
    struct Line {
        std::deque<End> sent;
        std::deque<End> received;
    };

    static void move_on(Line& line);

    std::map<std::pair<int, int>, Line> lines_;  // by sender and receiver
};

}  // namespace emulated
