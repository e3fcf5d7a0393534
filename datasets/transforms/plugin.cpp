// The transforms that come with Sluice.
#include "sluice/sdk/plugin.hpp"
#include "color_jitter.hpp"
#include "crop.hpp"
#include "cutmix.hpp"
#include "cutout.hpp"
#include "decode.hpp"
#include "flip.hpp"
#include "gaussian_blur.hpp"
#include "gaussian_noise.hpp"
#include "jpeg_artifacts.hpp"
#include "jpeg_restart.hpp"
#include "label_map.hpp"
#include "mixup.hpp"
#include "motion_blur.hpp"
#include "one_hot.hpp"
#include "pad.hpp"
#include "random_resized_crop.hpp"
#include "resize.hpp"
#include "rotate90.hpp"

namespace sluice::transforms {
namespace {

constexpr sluice_component kComponents[] = {
    sdk::component<Decode>("sluice.transform.decode"),
    sdk::component<JpegRestart>("sluice.transform.jpeg_restart"),
    sdk::component<MotionBlur>("sluice.transform.motion_blur"),
    sdk::component<RandomCrop>("sluice.transform.random_crop"),
    sdk::component<CenterCrop>("sluice.transform.center_crop"),
    sdk::component<RandomFlip>("sluice.transform.random_flip"),
    sdk::component<Resize>("sluice.transform.resize"),
    sdk::component<RandomResizedCrop>("sluice.transform.random_resized_crop"),
    sdk::component<Rotate90>("sluice.transform.rotate90"),
    sdk::component<Pad>("sluice.transform.pad"),
    sdk::component<Cutout>("sluice.transform.cutout"),
    sdk::component<ColorJitter>("sluice.transform.color_jitter"),
    sdk::component<GaussianBlur>("sluice.transform.gaussian_blur"),
    sdk::component<GaussianNoise>("sluice.transform.gaussian_noise"),
    sdk::component<JpegArtifacts>("sluice.transform.jpeg_artifacts"),
    sdk::component<OneHot>("sluice.transform.one_hot"),
    sdk::component<LabelMap>("sluice.transform.label_map"),
    sdk::component<Mixup>("sluice.transform.mixup"),
    sdk::component<Cutmix>("sluice.transform.cutmix"),
};

}  // namespace
}  // namespace sluice::transforms

SLUICE_DEFINE_PLUGIN(sluice::transforms::kComponents)
