// The oneDNN plugin: one provider of CPU kernels.
#include "sluice/sdk/plugin.hpp"

#include "provider.hpp"

namespace {

constexpr sluice_component kComponents[] = {
    sluice::sdk::component<sluice::onednn::Provider>("sluice.kernel.onednn"),
};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
