#include "mpi_link/link.hpp"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "mpi_link/missing_processes.hpp"
#include "mpi_link/mpi_job.hpp"
#include "sluice/sdk/guard.hpp"

namespace sluice::mpi {
namespace {

constexpr std::chrono::seconds kShutdownTimeout{60};  // another process may be writing its last checkpoint
constexpr double kQuiet = 10.0;                       // seconds of waiting for others before a warning
constexpr std::chrono::milliseconds kIdle{20};        // between checks whether another process has aborted

using Clock = std::chrono::steady_clock;

// The pause before the next poll if nothing has moved for `still`. Each poll takes some microseconds of a busy core.
Clock::duration pause_after(Clock::duration still) {
    constexpr std::chrono::microseconds kNone{20};
    constexpr std::chrono::milliseconds kLongest{1};
    return still < kNone ? Clock::duration::zero() : std::clamp<Clock::duration>(still / 8, kPause, kLongest);
}

bool was_started = false;  // MPI was started in this process

}  // namespace

// Shared by the link and its thread, which may hang in the start of MPI even after the link is destroyed.
struct Link::Start {
    std::unique_ptr<MpiJob> mpi = std::make_unique<MpiJob>();
    std::mutex mutex;  // guards what follows
    std::condition_variable changed;
    std::string failure;  // why MPI could not be started
    bool is_over = false;
    bool is_given_up = false;

    // Returns true if MPI was started and the link still waits for it.
    bool run() {
        std::string error;
        try {
            mpi->start();
        } catch (const std::exception& its_error) {
            error = its_error.what();
        }
        const std::lock_guard lock(mutex);
        failure = error;
        is_over = true;
        changed.notify_all();
        return failure.empty() && !is_given_up;
    }
};

Link::Link(double seconds, const std::function<void(const std::string& text)>& waits, Broken broken)
    : broken_(std::move(broken)) {
    if (std::exchange(was_started, true)) {
        throw sdk::Failure(SLUICE_FAILED, "a process can join only one MPI job, and this one already has");
    }
    wait_for_start(seconds, waits);
    rank_ = static_cast<std::uint32_t>(mpi_->rank);
    count_ = static_cast<std::uint32_t>(mpi_->count);
    hosts_ = mpi_->hosts;
    {
        const std::lock_guard lock(mutex_);
        is_ready_ = true;
    }
    changed_.notify_all();
}

void Link::wait_for_start(double seconds, const std::function<void(const std::string& text)>& waits) {
    const auto start = std::make_shared<Start>();
    thread_ = std::thread([this, start] {
        ::pthread_setname_np(::pthread_self(), "exchange");  // usage.csv counts its CPU time apart
        if (start->run()) {
            serve();
        }
    });
    std::unique_lock lock(start->mutex);
    const auto begun = Clock::now();
    const auto is_over_after = [&](double limit) {
        const auto time = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limit));
        return start->changed.wait_until(lock, begun + time, [&] { return start->is_over; });
    };
    if (!is_over_after(std::min(seconds, kQuiet))) {
        waits("MPI starts after all processes have joined: " + missing_processes());
    }
    if (!is_over_after(seconds)) {
        start->is_given_up = true;
        thread_.detach();
        throw sdk::Failure(SLUICE_REPLICA_LOST, "MPI could not be started within " + in_step::seconds_text(seconds) +
                                                    " because not all processes have joined: " + missing_processes());
    }
    if (!start->failure.empty()) {
        lock.unlock();
        thread_.join();
        throw sdk::Failure(SLUICE_REPLICA_LOST, start->failure);
    }
    mpi_ = std::move(start->mpi);
}

Link::~Link() {
    const auto shutdown = std::make_shared<Transfer>();
    shutdown->lane = Lane::shutdown;
    shutdown->name = "shutdown";
    shutdown->out.resize(count_);
    shutdown->in.resize(count_);
    bool is_over = false;
    shutdown->done = [&] {
        const std::lock_guard lock(mutex_);
        is_over = true;
        changed_.notify_all();
    };
    begin(shutdown);
    {
        std::unique_lock lock(mutex_);
        if (!changed_.wait_for(lock, kShutdownTimeout, [&] { return is_over || !reason_.empty(); })) {
            reason_.text = "the other processes did not finish";
        }
        is_ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
    if (!reason_.empty()) {
        static_cast<void>(mpi_.release());  // MPI may still use this memory
    }
}

void Link::begin(std::shared_ptr<Transfer> transfer) {
    {
        const std::lock_guard lock(mutex_);
        new_.push_back(std::move(transfer));
    }
    changed_.notify_all();
}

std::string Link::missing(const Transfer& transfer) {
    const std::lock_guard lock(mutex_);
    const auto at = std::ranges::find(arrived_blocks_, &transfer, &decltype(arrived_blocks_)::value_type::first);
    std::string names;
    for (std::uint32_t peer = 0; peer < count_; ++peer) {
        if (peer != rank_ && (at == arrived_blocks_.end() || !at->second[peer])) {
            names += (names.empty() ? "process " : ", process ") + std::to_string(peer) + " on " + hosts_[peer];
        }
    }
    return names;
}

void Link::abort(const in_step::AbortReason& reason) noexcept { end(reason, true); }

void Link::wait_until_idle() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_silent_; });
}

void Link::end(const in_step::AbortReason& reason, bool notifies_peers) noexcept {
    {
        const std::lock_guard lock(mutex_);
        if (!reason_.empty()) {
            return;
        }
        reason_ = reason.empty() ? in_step::AbortReason{.text = "the link was aborted"} : reason;
        notifies_peers_ = notifies_peers;
    }
    changed_.notify_all();
    broken_(reason);
}

// Returns true if any message has completed.
bool Link::move() {
    bool moved = false;
    for (std::size_t i = 0; i < mpi_->in_flight.size(); ++i) {
        InFlight& one = *mpi_->in_flight[i];
        if (mpi_->complete(one) == 0 && one.left > 0) {
            continue;
        }
        moved = true;
        const std::lock_guard lock(mutex_);
        const auto at =
            std::ranges::find(arrived_blocks_, one.transfer.get(), &decltype(arrived_blocks_)::value_type::first);
        std::transform(one.awaited.begin(), one.awaited.end(), at->second.begin(),
                       [](std::size_t awaited) { return awaited == 0; });
    }
    std::erase_if(mpi_->in_flight, [&](const std::unique_ptr<InFlight>& one) {
        if (one->left > 0) {
            return false;
        }
        const std::lock_guard lock(mutex_);
        std::erase_if(arrived_blocks_, [&](const auto& known) { return known.first == one->transfer.get(); });
        completed_.push_back(one->transfer);
        return true;
    });
    for (const std::shared_ptr<Transfer>& transfer : std::exchange(completed_, {})) {
        transfer->done();
    }
    return moved;
}

void Link::serve() {
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return is_ready_; });
    }
    try {
        transfer();
    } catch (const std::exception& error) {
        end({.text = error.what()}, true);
    }
    std::unique_lock lock(mutex_);
    if (reason_.empty()) {
        mpi_->finish();
    } else if (notifies_peers_) {
        const in_step::AbortReason reason = reason_;
        lock.unlock();
        mpi_->send_abort(reason);
        lock.lock();
    }
    is_silent_ = true;
    changed_.notify_all();
}

// Runs until the end, or until the link breaks.
void Link::transfer() {
    auto moved = Clock::now();
    while (true) {
        std::vector<std::shared_ptr<Transfer>> begun;
        {
            std::unique_lock lock(mutex_);
            const Clock::duration pause = mpi_->in_flight.empty() ? kIdle : pause_after(Clock::now() - moved);
            if (pause > Clock::duration::zero()) {
                changed_.wait_for(lock, pause, [&] { return !new_.empty() || is_ending_ || !reason_.empty(); });
            }
            if (!reason_.empty() || (is_ending_ && new_.empty() && mpi_->in_flight.empty())) {
                return;
            }
            begun.swap(new_);
            for (const std::shared_ptr<Transfer>& transfer : begun) {
                arrived_blocks_.emplace_back(transfer.get(), std::vector<bool>(count(), false));
            }
        }
        for (std::shared_ptr<Transfer>& transfer : begun) {
            mpi_->post(std::move(transfer));
        }
        if (move() || !begun.empty()) {
            moved = Clock::now();
        }
        if (const in_step::AbortReason peer_reason = mpi_->peer_abort_reason(); !peer_reason.empty()) {
            end(peer_reason, false);
        }
    }
}

}  // namespace sluice::mpi
