// Replicas in processes that an MPI launcher started, on one host or many.
#include <bit>

#include "mpi_link/membership.hpp"
#include "rounds.hpp"
#include "sluice/sdk/plugin.hpp"

namespace sluice::multi_worker {
namespace {

std::uint32_t replicas_of(const sdk::Options& options) {
    const auto replicas = static_cast<std::uint32_t>(options.integer("replicas"));
    if (!std::has_single_bit(replicas)) {
        throw sdk::Failure(SLUICE_INVALID, "replicas = " + std::to_string(replicas) +
                                               ": use 1, 2, 4 or another power of two for each process, so that sums "
                                               "have the same order on any number of processes");
    }
    return replicas;
}

class MultiWorker : public sdk::Strategy, public sdk::Processes {
public:
    MultiWorker(sdk::Host host, sdk::Options options, std::uint32_t)
        : replicas_(replicas_of(options)),
          rounds_(replicas_),
          membership_(host, options.number("patience"),
                      [this](const in_step::AbortReason& reason) { rounds_.fail(reason); }) {
        rounds_.use(membership_.link());
    }

    sluice_topology topology() const override { return membership_.topology(replicas_); }
    void start(const sluice_collective& collective) override { rounds_.start(collective); }
    void finish(std::uint32_t replica, double seconds) override { rounds_.finish(replica, seconds); }
    void abort(std::string_view reason) noexcept override { membership_.abort(reason); }

    std::uint32_t process() const override { return membership_.rank(); }
    std::uint32_t processes() const override { return membership_.processes(); }
    void gather(std::span<const std::byte> own, std::span<std::byte> all, std::string_view name,
                double seconds) override {
        membership_.gather(own, all, name, seconds);
    }

private:
    std::uint32_t replicas_;
    Rounds rounds_;
    mpi::Membership membership_;
};

constexpr sluice_component kComponents[] = {
    sdk::component<MultiWorker>("sluice.strategy.multi_worker"),
};

}  // namespace
}  // namespace sluice::multi_worker

SLUICE_DEFINE_PLUGIN(sluice::multi_worker::kComponents)
