// Replicas on GPUs in processes that an MPI launcher started. NCCL exchanges device memory. MPI exchanges the id of
// NCCL's world and the host's own data.
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mpi_link/membership.hpp"
#include "nccl_exchange/exchange.hpp"
#include "sluice/sdk/plugin.hpp"

namespace sluice::multi_worker_nccl {
namespace {

constexpr double kTimeout = 300.0;  // seconds for all processes to ask for the id: some may still prepare

class MultiWorker : public sdk::Strategy, public sdk::Processes {
public:
    MultiWorker(sdk::Host host, sdk::Options options, std::uint32_t)
        : replicas_(static_cast<std::uint32_t>(options.integer("replicas"))),
          membership_(host, options.number("patience"),
                      [this](const in_step::AbortReason& reason) { fail(reason.text); }) {
        const std::lock_guard lock(mutex_);
        exchange_.emplace(membership_.topology(replicas_), options.string("wire") == "bfloat16",
                          [this] { return take_id(); });
        if (!failure_.empty()) {
            exchange_->abort(failure_);
        }
    }

    sluice_topology topology() const override { return membership_.topology(replicas_); }
    void start(const sluice_collective& collective) override {
        abort_if_lost([&] { exchange_->start(collective); });
    }
    void finish(std::uint32_t replica, double seconds) override {
        abort_if_lost([&] { exchange_->finish(replica, seconds); });
    }
    void abort(std::string_view reason) noexcept override { membership_.abort(reason); }

    std::uint32_t process() const override { return membership_.rank(); }
    std::uint32_t processes() const override { return membership_.processes(); }
    void gather(std::span<const std::byte> own, std::span<std::byte> all, std::string_view name,
                double seconds) override {
        membership_.gather(own, all, name, seconds);
    }

private:
    // If this process finds a replica lost, it aborts the other processes.
    template <class Work>
    void abort_if_lost(const Work& work) {
        try {
            work();
        } catch (const sdk::Failure& failure) {
            if (failure.status() == SLUICE_REPLICA_LOST) {
                membership_.abort(failure.what());
            }
            throw;
        }
    }

    // Rank 0 makes the id.
    ncclUniqueId take_id() {
        ncclUniqueId id{};
        if (process() == 0) {
            id = nccl::make_id();
        }
        std::vector<ncclUniqueId> all(processes());
        membership_.gather(for_id_, std::as_bytes(std::span(&id, 1)), std::as_writable_bytes(std::span(all)),
                           "the id of NCCL", kTimeout);
        return all.front();
    }

    // Called when the link breaks, perhaps during construction.
    void fail(const std::string& reason) {
        for_id_.fail(reason);
        const std::lock_guard lock(mutex_);
        failure_ = reason;
        if (exchange_) {
            exchange_->abort(reason);
        }
    }

    std::uint32_t replicas_;
    mpi::Gathering for_id_{mpi::Lane::gather};  // its own lane: it may run between any gathers of the host
    std::mutex mutex_;                          // guards failure_, and exchange_ during construction
    std::string failure_;
    std::optional<nccl::Exchange> exchange_;
    mpi::Membership membership_;
};

constexpr sluice_component kComponents[] = {
    sdk::component<MultiWorker>("sluice.strategy.cuda.multi_worker"),
};

}  // namespace
}  // namespace sluice::multi_worker_nccl

SLUICE_DEFINE_PLUGIN(sluice::multi_worker_nccl::kComponents)
