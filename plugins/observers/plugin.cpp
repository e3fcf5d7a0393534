// The plugin's table of components.
#include "sluice/sdk/plugin.hpp"

#include "images.hpp"
#include "metrics.hpp"
#include "progress.hpp"

namespace {

constexpr sluice_component kComponents[] = {
    sluice::sdk::component<sluice::observers::Progress>("sluice.observer.progress"),
    sluice::sdk::component<sluice::observers::Metrics>("sluice.observer.metrics"),
    sluice::sdk::component<sluice::observers::Images>("sluice.observer.images"),
};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
