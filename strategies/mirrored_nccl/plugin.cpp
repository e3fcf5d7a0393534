// Replicas as threads of one process, each on a GPU of its own.
#include "sluice/sdk/plugin.hpp"
#include "nccl_exchange/exchange.hpp"

namespace sluice::mirrored_nccl {
namespace {

sluice_topology topology_of(std::uint32_t replicas) {
    return {
        .struct_size = 0, .local_replicas = replicas, .first_replica = 0, .world_replicas = replicas, .reserved = 0};
}

class Mirrored : public sdk::Strategy {
public:
    Mirrored(sdk::Host, sdk::Options options, std::uint32_t device_count)
        : topology_(topology_of(static_cast<std::uint32_t>(options.maybe_integer("replicas").value_or(device_count)))),
          exchange_(topology_, options.string("wire") == "bfloat16", nccl::make_id) {}

    sluice_topology topology() const override { return topology_; }
    void start(const sluice_collective& collective) override { exchange_.start(collective); }
    void finish(std::uint32_t replica, double seconds) override { exchange_.finish(replica, seconds); }
    void abort(std::string_view reason) noexcept override { exchange_.abort(reason); }

private:
    sluice_topology topology_;
    nccl::Exchange exchange_;
};

constexpr sluice_component kComponents[] = {
    sdk::component<Mirrored>("sluice.strategy.cuda.mirrored"),
};

}  // namespace
}  // namespace sluice::mirrored_nccl

SLUICE_DEFINE_PLUGIN(sluice::mirrored_nccl::kComponents)
