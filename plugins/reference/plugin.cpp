// The components of plugin sluice.reference; plugin.toml describes them under the same ids.
#include "sluice/sdk/plugin.hpp"
#include "cpu_device.hpp"
#include "kernels/provider.hpp"
#include "types/activations/activations.hpp"
#include "types/activations/softmax.hpp"
#include "types/arithmetic/elementwise.hpp"
#include "types/arithmetic/gate.hpp"
#include "types/arithmetic/layer_scale.hpp"
#include "types/arithmetic/multiply.hpp"
#include "types/conversion/cast.hpp"
#include "types/conversion/image.hpp"
#include "types/convolution/conv2d.hpp"
#include "types/convolution/conv2d_transpose.hpp"
#include "types/dense.hpp"
#include "types/dropout.hpp"
#include "types/losses/label_losses.hpp"
#include "types/losses/losses.hpp"
#include "types/metrics/label_metrics.hpp"
#include "types/metrics/metrics.hpp"
#include "types/norms/batch_norm.hpp"
#include "types/norms/norms.hpp"
#include "types/pooling/pool.hpp"
#include "types/resampling/pixel_shuffle.hpp"
#include "types/resampling/upsample.hpp"
#include "types/shape/concat.hpp"
#include "types/shape/flatten.hpp"
#include "types/stochastic_depth.hpp"

namespace sluice::reference {
namespace {

constexpr sluice_component kComponents[] = {
    sdk::component<CpuDevice>("sluice.device.cpu"),
    sdk::component<ReferenceProvider>("sluice.kernel.reference"),
    sdk::component<Conv2d>("sluice.layer.conv2d"),
    sdk::component<BatchNorm>("sluice.layer.batch_norm"),
    sdk::component<Relu>("sluice.layer.relu"),
    sdk::component<Relu6>("sluice.layer.relu6"),
    sdk::component<Tanh>("sluice.layer.tanh"),
    sdk::component<LeakyRelu>("sluice.layer.leaky_relu"),
    sdk::component<Prelu>("sluice.layer.prelu"),
    sdk::component<Gelu>("sluice.layer.gelu"),
    sdk::component<Silu>("sluice.layer.silu"),
    sdk::component<Sigmoid>("sluice.layer.sigmoid"),
    sdk::component<Add>("sluice.layer.add"),
    sdk::component<Scale>("sluice.layer.scale"),
    sdk::component<Gate>("sluice.layer.gate"),
    sdk::component<LayerScale>("sluice.layer.layer_scale"),
    sdk::component<Dropout>("sluice.layer.dropout"),
    sdk::component<StochasticDepth>("sluice.layer.stochastic_depth"),
    sdk::component<Upsample>("sluice.layer.upsample"),
    sdk::component<PixelShuffle>("sluice.layer.pixel_shuffle"),
    sdk::component<MaxPool>("sluice.layer.max_pool"),
    sdk::component<AveragePool>("sluice.layer.average_pool"),
    sdk::component<GlobalAveragePool>("sluice.layer.global_average_pool"),
    sdk::component<GlobalMaxPool>("sluice.layer.global_max_pool"),
    sdk::component<Cast>("sluice.layer.cast"),
    sdk::component<Flatten>("sluice.layer.flatten"),
    sdk::component<Dense>("sluice.layer.dense"),
    sdk::component<Softmax>("sluice.layer.softmax"),
    sdk::component<Conv2dTranspose>("sluice.layer.conv2d_transpose"),
    sdk::component<Concat>("sluice.layer.concat"),
    sdk::component<Multiply>("sluice.layer.multiply"),
    sdk::component<GroupNorm>("sluice.layer.group_norm"),
    sdk::component<InstanceNorm>("sluice.layer.instance_norm"),
    sdk::component<LayerNorm>("sluice.layer.layer_norm"),
    sdk::component<ImageToTensor>("sluice.layer.image_to_tensor"),
    sdk::component<TensorToImage>("sluice.layer.tensor_to_image"),
    sdk::component<MeanAbsoluteError>("sluice.layer.mean_absolute_error"),
    sdk::component<MeanSquaredError>("sluice.layer.mean_squared_error"),
    sdk::component<Charbonnier>("sluice.layer.charbonnier"),
    sdk::component<SoftmaxCrossEntropy>("sluice.layer.softmax_cross_entropy"),
    sdk::component<BinaryCrossEntropy>("sluice.layer.binary_cross_entropy"),
    sdk::component<Dice>("sluice.layer.dice"),
    sdk::component<Psnr>("sluice.layer.psnr"),
    sdk::component<Ssim>("sluice.layer.ssim"),
    sdk::component<Accuracy>("sluice.layer.accuracy"),
    sdk::component<TopK>("sluice.layer.top_k"),
    sdk::component<MeanIou>("sluice.layer.mean_iou"),
};

}  // namespace
}  // namespace sluice::reference

SLUICE_DEFINE_PLUGIN(sluice::reference::kComponents)
