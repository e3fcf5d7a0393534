// The plugin's table of components.
#include "sluice/sdk/plugin.hpp"

#include "images.hpp"
#include "metrics.hpp"
#include "progress.hpp"
#include "tensorboard/tensorboard.hpp"
#include "trace/trace.hpp"
#include "wandb/wandb.hpp"
#include "xprof/xprof.hpp"

namespace {

constexpr sluice_component kComponents[] = {
    sluice::sdk::component<sluice::observers::Progress>("sluice.observer.progress"),
    sluice::sdk::component<sluice::observers::Metrics>("sluice.observer.metrics"),
    sluice::sdk::component<sluice::observers::Images>("sluice.observer.images"),
    sluice::sdk::component<sluice::observers::TensorBoard>("sluice.observer.tensorboard"),
    sluice::sdk::component<sluice::observers::Wandb>("sluice.observer.wandb"),
    sluice::sdk::component<sluice::observers::Trace>("sluice.observer.trace"),
    sluice::sdk::component<sluice::observers::Xprof>("sluice.observer.xprof"),
};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
