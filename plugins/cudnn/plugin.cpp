// The plugin's table of components.
#include "sluice/sdk/plugin.hpp"

#include "device/cuda_device.hpp"
#include "provider.hpp"

namespace {

constexpr sluice_component kComponents[] = {
    sluice::sdk::component<sluice::cudnn::CudaDevice>("sluice.device.cuda"),
    sluice::sdk::component<sluice::cudnn::Provider>("sluice.kernel.cudnn"),
};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
