// Transform `random_resized_crop`: cuts out a window of random area and aspect ratio and scales it to a fixed size.
#pragma once

#include "resize/scaled_window.hpp"
#include "sample/range.hpp"

namespace sluice::transforms {

class RandomResizedCrop : public ScaledWindow {
public:
    RandomResizedCrop(sdk::Host, const sdk::Options& options);

private:
    [[nodiscard]] Window window_of(Extent picture, const sluice_random_key& key) const override;
    [[nodiscard]] Extent size_of(Extent) const override { return size_; }

    Extent size_;
    Range area_;   // share of the picture's area
    Range ratio_;  // width / height
};

}  // namespace sluice::transforms
