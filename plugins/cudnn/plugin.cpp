// The plugin's table of components.
#include "sluice/sdk/plugin.hpp"

#include "device/cuda_device.hpp"
#include "optimizers/optimizers.hpp"
#include "provider.hpp"

namespace {

constexpr sluice_component kComponents[] = {
    sluice::sdk::component<sluice::cudnn::CudaDevice>("sluice.device.cuda"),
    sluice::sdk::component<sluice::cudnn::Provider>("sluice.kernel.cudnn"),
    sluice::sdk::component<sluice::cudnn::Sgd>("sluice.optimizer.cuda.sgd"),
    sluice::sdk::component<sluice::cudnn::Adam>("sluice.optimizer.cuda.adam"),
    sluice::sdk::component<sluice::cudnn::AdamW>("sluice.optimizer.cuda.adamw"),
};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
