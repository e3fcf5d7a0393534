// Replicas in processes that a launcher of MPI programs has started, on one host or many.
#include <algorithm>
#include <bit>
#include <optional>

#include "mpi_link/gathering.hpp"
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
    mpi::Gathering gathering_{mpi::Lane::host};
    std::optional<mpi::Link> link_;
};

void MultiWorker::fail(const std::string& reason) {
    rounds_.fail(reason);
    gathering_.fail(reason);
}

void MultiWorker::gather(std::span<const std::byte> own, std::span<std::byte> all, std::string_view name,
                         double seconds) {
    if (link_) {
        gathering_.gather(*link_, own, all, name, seconds);
    } else {
        std::ranges::copy(own, all.begin());
    }
}

constexpr sluice_component kComponents[] = {
    sdk::component<MultiWorker>("sluice.strategy.multi_worker"),
};

}  // namespace
}  // namespace sluice::multi_worker

SLUICE_DEFINE_PLUGIN(sluice::multi_worker::kComponents)
