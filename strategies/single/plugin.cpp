// One replica on the first device, however many there are. A sum over one replica is that replica's own range, and so
// is a mean.
#include "sluice/sdk/plugin.hpp"

namespace {

class Single : public sluice::sdk::Strategy {
public:
    Single(sluice::sdk::Host, sluice::sdk::Options, std::uint32_t /*device_count*/) {}
    sluice_topology topology() const override {
        return {.struct_size = 0, .local_replicas = 1, .first_replica = 0, .world_replicas = 1, .reserved = 0};
    }
    void start(const sluice_collective&) override {}
    void finish(std::uint32_t /*replica*/, double /*seconds*/) override {}
    void abort(std::string_view) noexcept override {}
};

constexpr sluice_component kComponents[] = {
    sluice::sdk::component<Single>("sluice.strategy.single"),
};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
