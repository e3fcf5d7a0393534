// Precision policies: float32, the one that changes nothing.
#include "sluice/sdk/plugin.hpp"

namespace {

class Float32 : public sluice::sdk::Precision {
public:
    Float32(sluice::sdk::Host, sluice::sdk::Options) {}
    sluice_precision_choice choose(const sluice_precision_query&) const override {
        using sluice::sdk::kFloat32;
        return {.struct_size = 0, .storage = kFloat32, .compute = kFloat32, .accumulate = kFloat32, .reserved = 0};
    }
};

constexpr sluice_component kComponents[] = {
    sluice::sdk::component<Float32>("sluice.precision.float32"),
};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
