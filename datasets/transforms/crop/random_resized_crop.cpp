#include "crop/random_resized_crop.hpp"

#include "crop/random_window.hpp"

namespace sluice::transforms {

RandomResizedCrop::RandomResizedCrop(sdk::Host host, const sdk::Options& options)
    : ScaledWindow(FieldChoice(options, RandomMover{host, "random_resized_crop"}), options, true),
      area_(pair_of(options, "area")),
      ratio_(pair_of(options, "ratio")) {
    const std::vector<std::int64_t> size = options.integers("size");
    size_ = {size.at(0), size.at(1)};
}

Window RandomResizedCrop::window_of(Extent picture, const sluice_random_key& key) const {
    sdk::Draws draws(key);
    return random_window(picture, area_, ratio_, draws).value_or(center_window(picture, ratio_));
}

}  // namespace sluice::transforms
