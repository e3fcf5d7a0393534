// Replicas on GPUs of processes that a launcher of MPI programs has started. NCCL carries what is in device memory; the
// id of its world, and what the host agrees on, go by MPI. What travels is not rounded: `wire` is left alone.
#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "mpi_link/gathering.hpp"
#include "mpi_link/launcher.hpp"
#include "mpi_link/link.hpp"
#include "nccl_exchange/exchange.hpp"
#include "sluice/sdk/plugin.hpp"

namespace sluice::multi_worker_nccl {
namespace {

constexpr double kPatience = 300.0;  // seconds until all processes want the id: others may still prepare

class MultiWorker final : public sdk::Strategy, public sdk::Processes {
public:
    MultiWorker(sdk::Host host, sdk::Options options, std::uint32_t)
        : replicas_(static_cast<std::uint32_t>(options.integer("replicas"))) {
        if (mpi::is_launched()) {
            link_.emplace([this](const std::string& reason) { fail(reason); });
        } else {
            host.info("this process was started alone; `host launch -n 4` or `mpirun -n 4 host` starts several");
        }
        const std::lock_guard lock(mutex_);
        exchange_.emplace(topology(), [this] { return take_id(); });
        if (!failure_.empty()) {
            exchange_->abort(failure_);
        }
    }

    sluice_topology topology() const override {
        return {.struct_size = 0,
                .local_replicas = replicas_,
                .first_replica = replicas_ * process(),
                .world_replicas = replicas_ * processes(),
                .reserved = 0};
    }
    void start(const sluice_collective& collective) override {
        tell([&] { exchange_->start(collective); });
    }
    void finish(std::uint32_t replica, double seconds) override {
        tell([&] { exchange_->finish(replica, seconds); });
    }
    void abort(std::string_view reason) noexcept override {
        exchange_->abort(reason);
        if (link_) {
            link_->abort(reason);
        }
    }

    std::uint32_t process() const override { return link_ ? link_->number() : 0; }
    std::uint32_t processes() const override { return link_ ? link_->count() : 1; }
    void gather(std::span<const std::byte> own, std::span<std::byte> all, std::string_view name,
                double seconds) override {
        gather(for_host_, own, all, name, seconds);
    }

private:
    // Who finds a replica lost tells the other processes.
    template <class Work>
    void tell(const Work& work) {
        try {
            work();
        } catch (const sdk::Failure& failure) {
            if (link_ && failure.status() == SLUICE_REPLICA_LOST) {
                link_->abort(failure.what());
            }
            throw;
        }
    }

    void gather(mpi::Gathering& gathering, std::span<const std::byte> own, std::span<std::byte> all,
                std::string_view name, double seconds) {
        if (link_) {
            gathering.gather(*link_, own, all, name, seconds);
        } else {
            std::ranges::copy(own, all.begin());
        }
    }

    // Made by process 0.
    ncclUniqueId take_id() {
        ncclUniqueId id{};
        if (process() == 0) {
            id = nccl::make_id();
        }
        std::vector<ncclUniqueId> all(processes());
        gather(for_id_, std::as_bytes(std::span(&id, 1)), std::as_writable_bytes(std::span(all)), "the id of NCCL",
               kPatience);
        return all.front();
    }

    // The link broke, perhaps while this is made.
    void fail(const std::string& reason) {
        for_host_.fail(reason);
        for_id_.fail(reason);
        const std::lock_guard lock(mutex_);
        failure_ = reason;
        if (exchange_) {
            exchange_->abort(reason);
        }
    }

    std::uint32_t replicas_;
    mpi::Gathering for_host_{mpi::Lane::host};
    mpi::Gathering for_id_{mpi::Lane::gather};  // at any time between those of the host
    std::mutex mutex_;                          // guards the failure, and the exchange while it is made
    std::string failure_;
    std::optional<nccl::Exchange> exchange_;
    std::optional<mpi::Link> link_;
};

constexpr sluice_component kComponents[] = {
    sdk::component<MultiWorker>("sluice.strategy.cuda.multi_worker"),
};

}  // namespace
}  // namespace sluice::multi_worker_nccl

SLUICE_DEFINE_PLUGIN(sluice::multi_worker_nccl::kComponents)
