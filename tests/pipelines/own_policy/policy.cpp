#include "sluice/kind/layer.h"
#include "sluice/sdk/plugin.hpp"

namespace {

namespace sdk = sluice::sdk;

class Convolutions : public sdk::Precision {
public:
    Convolutions(sdk::Host, sdk::Options options)
        : except_(options.string("except")),
          compute_(options.string("compute") == "float32" ? sdk::kFloat32 : sdk::kBfloat16) {}

    [[nodiscard]] sluice_precision_choice choose(const sluice_precision_query& query) const override {
        const bool wanted =
            sdk::view(query.type) == "conv2d" && (except_.empty() || !sdk::view(query.path).ends_with(except_));
        sluice_precision_choice choice{};
        choice.storage = wanted ? sdk::kBfloat16 : sdk::kFloat32;
        choice.compute = wanted ? compute_ : sdk::kFloat32;
        choice.accumulate = sdk::kFloat32;
        choice.colour = wanted ? SLUICE_COLOUR_ALLOW : SLUICE_COLOUR_DENY;
        return choice;
    }

private:
    std::string except_;
    sluice_dtype compute_;
};

constexpr sluice_component kComponents[] = {sdk::component<Convolutions>("test.precision.convolutions")};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
