// The plugin's table of components.
#include "sluice/sdk/plugin.hpp"

#include "adam.hpp"
#include "sgd.hpp"

namespace {

constexpr sluice_component kComponents[] = {
    sluice::sdk::component<sluice::optimizers::Sgd>("sluice.optimizer.sgd"),
    sluice::sdk::component<sluice::optimizers::Adam>("sluice.optimizer.adam"),
    sluice::sdk::component<sluice::optimizers::AdamW>("sluice.optimizer.adamw"),
};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
