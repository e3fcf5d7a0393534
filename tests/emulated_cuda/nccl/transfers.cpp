#include "transfers.hpp"

#include <cstring>

#include "machine.hpp"

namespace emulated {

std::size_t bytes_of(ncclDataType_t type) { return type == ncclFloat64 ? 8 : type == ncclFloat32 ? 4 : 2; }

void Transfers::move_on(Line& line) {
    while (!line.sent.empty() && !line.received.empty()) {
        const End& from = line.sent.front();
        const End& to = line.received.front();
        if (!from.transfer.fits(to.transfer)) {
            return;
        }
        std::memcpy(to.transfer.data, from.transfer.data, from.transfer.bytes());
        --*from.left;
        --*to.left;
        line.sent.pop_front();
        line.received.pop_front();
    }
}

void Transfers::meet(int rank, const std::vector<Transfer>& group, const bool& is_aborted) {
    const Left left = std::make_shared<std::size_t>(group.size());
    for (const Transfer& transfer : group) {
        Line& line = lines_[transfer.is_sent ? std::pair(rank, transfer.peer) : std::pair(transfer.peer, rank)];
        (transfer.is_sent ? line.sent : line.received).push_back({transfer, left});
        move_on(line);
    }
    machine().moved.notify_all();
    machine().wait([&] { return *left == 0 || is_aborted; });
    const auto is_own = [&](const End& end) { return end.left == left; };
    for (auto& [ranks, line] : lines_) {
        std::erase_if(line.sent, is_own);
        std::erase_if(line.received, is_own);
    }
}

bool Transfers::are_waiting_for(int rank) const {
    for (const auto& [ranks, line] : lines_) {
        const bool is_to_receive = ranks.second == rank && !line.sent.empty() && line.received.empty();
        const bool is_to_send = ranks.first == rank && !line.received.empty() && line.sent.empty();
        if (is_to_receive || is_to_send) {
            return true;
        }
    }
    return false;
}

}  // namespace emulated
