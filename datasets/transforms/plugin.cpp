// The transforms that come with Sluice.
#include "sluice/sdk/plugin.hpp"
#include "crop.hpp"
#include "decode.hpp"
#include "flip.hpp"
#include "motion_blur.hpp"
#include "resize.hpp"

namespace sluice::transforms {
namespace {

constexpr sluice_component kComponents[] = {
    sdk::component<Decode>("sluice.transform.decode"),
    sdk::component<MotionBlur>("sluice.transform.motion_blur"),
    sdk::component<RandomCrop>("sluice.transform.random_crop"),
    sdk::component<CenterCrop>("sluice.transform.center_crop"),
    sdk::component<RandomFlip>("sluice.transform.random_flip"),
    sdk::component<Resize>("sluice.transform.resize"),
};

}  // namespace
}  // namespace sluice::transforms

SLUICE_DEFINE_PLUGIN(sluice::transforms::kComponents)
