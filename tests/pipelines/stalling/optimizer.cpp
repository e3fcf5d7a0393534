#include <atomic>
#include <cstdlib>
#include <string>

#include "layer.hpp"
#include "sluice/sdk/plugin.hpp"
#include "stall.hpp"

namespace {

namespace sdk = sluice::sdk;

class Stalling : public sdk::Optimizer {
public:
    Stalling(sdk::Host, sdk::Options options) : last_(options.integer("last")) {
        const std::int64_t process = options.integer("process");
        is_sound_ = process >= 0 && !is_process(process);
        if (is_process(options.integer("refuses"))) {
            throw sdk::Failure(SLUICE_NO_MEMORY, "this process refuses");
        }
    }

    void describe(const sdk::OptimizerSink&) const override {}

    void update(const sluice_optimizer_launch& launch) const override {
        if (++updates_ == last_ && !is_sound_) {
            sluice::test::stall();
        }
        if (launch.scalars->skip == 0) {
            const auto step = static_cast<float>(launch.scalars->rate * launch.scalars->gradient_scale);
            for (std::uint64_t i = 0; i < launch.count; ++i) {
                launch.parameters[i] -= step * launch.gradients[i];
            }
        }
    }

private:
    static bool is_process(std::int64_t wanted) {
        const char* const number = std::getenv("OMPI_COMM_WORLD_RANK");
        return number != nullptr && std::to_string(wanted) == number;
    }

    std::int64_t last_;
    bool is_sound_ = false;
    static inline std::atomic<std::int64_t> updates_{0};  // of all replicas
};

constexpr sluice_component kComponents[] = {
    sdk::component<Stalling>("test.optimizer.stalling"),
    sdk::component<sluice::test::StallLayer>("test.layer.stall"),
    sdk::component<sluice::test::StallKernels>("test.kernel.stall"),
};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
