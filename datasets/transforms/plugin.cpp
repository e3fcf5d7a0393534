// The transforms that come with Sluice.
#include "sluice/sdk/plugin.hpp"
#include "blur/gaussian_blur.hpp"
#include "blur/motion_blur.hpp"
#include "color/color_jitter.hpp"
#include "crop/crop.hpp"
#include "crop/cutout.hpp"
#include "crop/random_resized_crop.hpp"
#include "decode/decode.hpp"
#include "decode/jpeg_restart.hpp"
#include "geometry/flip.hpp"
#include "geometry/pad.hpp"
#include "geometry/rotate90.hpp"
#include "labels/label_map.hpp"
#include "labels/one_hot.hpp"
#include "mixing/cutmix.hpp"
#include "mixing/mixup.hpp"
#include "noise/gaussian_noise.hpp"
#include "noise/jpeg_artifacts.hpp"
#include "resize/resize.hpp"

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
