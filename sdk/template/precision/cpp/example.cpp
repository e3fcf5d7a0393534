// The precision policy `example`: one layer type in bfloat16, all others in float32.
#include "sluice/kind/layer.h"
#include "sluice/sdk/plugin.hpp"

namespace {

namespace sdk = sluice::sdk;

// bfloat16 has the range of float32, so the loss is not scaled and traits() keep their default.
class ExamplePolicy : public sdk::Precision {
public:
    ExamplePolicy(sdk::Host, const sdk::Options& options) : type_(options.string("type")) {}

    [[nodiscard]] sluice_precision_choice choose(const sluice_precision_query& query) const override {
        const bool is_narrow = sdk::view(query.type) == type_;
        sluice_precision_choice choice{};
        choice.storage = choice.compute = is_narrow ? sdk::kBfloat16 : sdk::kFloat32;
        choice.accumulate = sdk::kFloat32;
        choice.colour = is_narrow ? SLUICE_COLOUR_ALLOW : query.colour;
        return choice;
    }

private:
    std::string type_;
};

constexpr sluice_component kComponents[] = {sdk::component<ExamplePolicy>("com.acme.precision.example")};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
