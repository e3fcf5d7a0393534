// Replicas in processes that a launcher of MPI programs has started, on one host or many.
#include <bit>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>

#include "in_step/in_step.hpp"
#include "mpi_link/launcher.hpp"
#include "mpi_link/link.hpp"
#include "rounds.hpp"
#include "sluice/sdk/plugin.hpp"

namespace sluice::multi_worker {
namespace {

std::uint32_t replicas_of(const sdk::Options& options) {
    const auto replicas = static_cast<std::uint32_t>(options.integer("replicas"));
    if (!std::has_single_bit(replicas)) {
        throw sdk::Failure(SLUICE_INVALID, "replicas = " + std::to_string(replicas) +
                                               ": a process has 1, 2, 4 or another power of two of them, so that sums "
                                               "are made in the same order wherever they are made");
    }
    return replicas;
}

class MultiWorker : public sdk::Strategy, public sdk::Processes {
public:
    MultiWorker(sdk::Host host, sdk::Options options, std::uint32_t)
        : replicas_(replicas_of(options)), rounds_(replicas_) {
        if (mpi::is_launched()) {
            link_.emplace([this](const std::string& reason) { fail(reason); });
            rounds_.use(&*link_);
        } else {
            host.info("this process was started alone; `host launch -n 4` or `mpirun -n 4 host` starts several");
        }
    }

    sluice_topology topology() const override {
        return {.struct_size = 0,
                .local_replicas = replicas_,
                .first_replica = replicas_ * process(),
                .world_replicas = replicas_ * processes(),
                .reserved = 0};
    }
    void start(const sluice_collective& collective) override { rounds_.start(collective); }
    void finish(std::uint32_t replica, double seconds) override { rounds_.finish(replica, seconds); }
    void abort(std::string_view reason) noexcept override { link_ ? link_->abort(reason) : fail(std::string(reason)); }

    std::uint32_t process() const override { return link_ ? link_->number() : 0; }
    std::uint32_t processes() const override { return link_ ? link_->count() : 1; }
    void gather(std::span<const std::byte> own, std::span<std::byte> all, std::string_view name,
                double seconds) override;

private:
    void fail(const std::string& reason);

    std::uint32_t replicas_;
    Rounds rounds_;
    std::mutex mutex_;  // guards what follows
    std::condition_variable changed_;
    std::string failure_;        // of the link
    std::uint64_t gathers_ = 0;  // so far
    std::optional<mpi::Link> link_;
};

void MultiWorker::fail(const std::string& reason) {
    rounds_.fail(reason);
    {
        const std::lock_guard lock(mutex_);
        failure_ = reason;
    }
    changed_.notify_all();
}

void MultiWorker::gather(std::span<const std::byte> own, std::span<std::byte> all, std::string_view name,
                         double seconds) {
    std::ranges::copy(own, all.begin() + static_cast<std::ptrdiff_t>(own.size() * process()));
    if (processes() == 1) {
        return;
    }
    // What it came with outlives this call where the others do not come.
    struct Blocks {
        std::vector<std::byte> own;
        std::vector<std::byte> all;
        bool is_done = false;
    };
    const auto blocks = std::make_shared<Blocks>(
        Blocks{std::vector<std::byte>(own.begin(), own.end()), std::vector<std::byte>(all.size())});
    const auto trade = std::make_shared<mpi::Trade>();
    trade->lane = mpi::Lane::host;
    trade->number = gathers_++;
    trade->name = name;
    for (std::size_t i = 0; i < processes(); ++i) {
        trade->out.emplace_back(blocks->own);
        trade->in.push_back(std::span(blocks->all).subspan(i * own.size(), own.size()));
    }
    trade->done = [this, blocks] {
        {
            const std::lock_guard lock(mutex_);
            blocks->is_done = true;
        }
        changed_.notify_all();
    };
    link_->begin(trade);
    std::unique_lock lock(mutex_);
    const auto is_over = [&] { return blocks->is_done || !failure_.empty(); };
    if (seconds <= 0.0) {
        changed_.wait(lock, is_over);
    } else if (!changed_.wait_for(lock, std::chrono::duration<double>(seconds), is_over)) {
        lock.unlock();
        link_->abort(link_->missing(*trade) + " did not come to '" + std::string(name) + "' within " +
                     in_step::seconds_text(seconds));
        lock.lock();
    }
    if (!blocks->is_done) {
        throw sdk::Failure(SLUICE_REPLICA_LOST, failure_);
    }
    std::ranges::copy(blocks->all, all.begin());
    std::ranges::copy(own, all.begin() + static_cast<std::ptrdiff_t>(own.size() * process()));
}

constexpr sluice_component kComponents[] = {
    sdk::component<MultiWorker>("sluice.strategy.multi_worker"),
};

}  // namespace
}  // namespace sluice::multi_worker

SLUICE_DEFINE_PLUGIN(sluice::multi_worker::kComponents)
