#include <algorithm>
#include <chrono>
#include <fstream>
#include <thread>

#include "sluice/sdk/plugin.hpp"
#include "sluice/sdk/processes.hpp"

namespace {

namespace sdk = sluice::sdk;

class Pretended : public sdk::Strategy, public sdk::Processes {
public:
    Pretended(sdk::Host, sdk::Options, std::uint32_t /*device_count*/) {}
    sluice_topology topology() const override {
        return {.struct_size = 0, .local_replicas = 1, .first_replica = 0, .world_replicas = 2, .reserved = 0};
    }
    void start(const sluice_collective&) override {}
    // Appends the timeout of each call to patience.txt. The loader makes the next batches during the sleep; otherwise
    // the replica might have to wait for those, too.
    void finish(std::uint32_t /*replica*/, double seconds) override {
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        std::ofstream("patience.txt", std::ios::app) << seconds << '\n';
    }
    void abort(std::string_view) noexcept override {}

    [[nodiscard]] std::uint32_t process() const override { return 0; }
    [[nodiscard]] std::uint32_t processes() const override { return 2; }
    // The second process is assumed to have the same data.
    void gather(std::span<const std::byte> own, std::span<std::byte> all, std::string_view, double) override {
        std::ranges::copy(own, all.begin());
        std::ranges::copy(own, all.begin() + static_cast<std::ptrdiff_t>(own.size()));
    }
};

constexpr sluice_component kComponents[] = {sdk::component<Pretended>("test.strategy.pretended")};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
