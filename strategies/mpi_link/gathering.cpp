#include "mpi_link/gathering.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "in_step/in_step.hpp"
#include "sluice/sdk/guard.hpp"

namespace sluice::mpi {

void Gathering::gather(Link& link, std::span<const std::byte> own, std::span<std::byte> all, std::string_view name,
                       double seconds) {
    std::ranges::copy(own, all.begin() + static_cast<std::ptrdiff_t>(own.size() * link.rank()));
    if (link.count() == 1) {
        return;
    }
    // The blocks outlive this call if the other processes do not take part.
    struct Blocks {
        std::vector<std::byte> own;
        std::vector<std::byte> all;
        bool is_done = false;
    };
    const auto blocks = std::make_shared<Blocks>(
        Blocks{std::vector<std::byte>(own.begin(), own.end()), std::vector<std::byte>(all.size())});
    const auto transfer = std::make_shared<Transfer>();
    transfer->lane = lane_;
    transfer->number = gathers_++;
    transfer->name = name;
    for (std::size_t i = 0; i < link.count(); ++i) {
        transfer->out.emplace_back(blocks->own);
        transfer->in.push_back(std::span(blocks->all).subspan(i * own.size(), own.size()));
    }
    transfer->done = [this, blocks] {
        {
            const std::lock_guard lock(mutex_);
            blocks->is_done = true;
        }
        changed_.notify_all();
    };
    link.begin(transfer);
    std::unique_lock lock(mutex_);
    const auto is_over = [&] { return blocks->is_done || !failure_.empty(); };
    if (seconds <= 0.0) {
        changed_.wait(lock, is_over);
    } else if (!changed_.wait_for(lock, std::chrono::duration<double>(seconds), is_over)) {
        lock.unlock();
        link.abort(in_step::missed(link.missing(*transfer), "'" + std::string(name) + "'", seconds));
        lock.lock();
    }
    if (!blocks->is_done) {
        throw sdk::Failure(SLUICE_REPLICA_LOST, failure_);
    }
    for (std::size_t i = 0; i < link.count(); ++i) {
        if (i != link.rank()) {
            std::ranges::copy(transfer->in[i], all.begin() + static_cast<std::ptrdiff_t>(own.size() * i));
        }
    }
}

void Gathering::fail(const std::string& reason) {
    {
        const std::lock_guard lock(mutex_);
        failure_ = reason;
    }
    changed_.notify_all();
}

}  // namespace sluice::mpi
