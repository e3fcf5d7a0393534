// What the ranks of a world send to each other and receive, in order between each two. A transfer is over when both
// have come to it, with one type and as many elements, recorded or not; else it is never over, and neither is what is
// behind it.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "nccl.h"

namespace emulated {

// Of one element of the type.
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
    // The work of a stream of this rank, which has come to all of them at once: until they are over, or aborted.
    void meet(int rank, const std::vector<Transfer>& group, const bool& is_aborted);
    // Whether others have come to what this rank has not.
    [[nodiscard]] bool are_waiting_for(int rank) const;

private:
    using Left = std::shared_ptr<std::size_t>;  // transfers of the group that are not over
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
