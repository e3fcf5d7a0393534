// Replicas as threads of one process, each on its share of the cores.
#include "sluice/sdk/plugin.hpp"
#include "thread_collectives.hpp"

namespace sluice::mirrored {
namespace {

class Mirrored : public sdk::Strategy {
public:
    Mirrored(sdk::Host, sdk::Options options, std::uint32_t device_count)
        : replicas_(static_cast<std::uint32_t>(options.maybe_integer("replicas").value_or(device_count))),
          collectives_(replicas_) {}

    sluice_topology topology() const override {
        return {.struct_size = 0,
                .local_replicas = replicas_,
                .first_replica = 0,
                .world_replicas = replicas_,
                .reserved = 0};
    }
    void start(const sluice_collective& collective) override { collectives_.start(collective); }
    void finish(std::uint32_t replica, double seconds) override { collectives_.finish(replica, seconds); }
    void abort(std::string_view reason) noexcept override { collectives_.abort(reason); }

private:
    std::uint32_t replicas_;
    ThreadCollectives collectives_;
};

constexpr sluice_component kComponents[] = {
    sdk::component<Mirrored>("sluice.strategy.mirrored"),
};

}  // namespace
}  // namespace sluice::mirrored

SLUICE_DEFINE_PLUGIN(sluice::mirrored::kComponents)
