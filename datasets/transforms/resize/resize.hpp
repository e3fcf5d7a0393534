// Transform `resize`: scales every chosen picture to a fixed size or by its shorter edge.
#pragma once

#include "resize/scaled_window.hpp"

namespace sluice::transforms {

class Resize : public ScaledWindow {
public:
    Resize(sdk::Host, const sdk::Options& options);

private:
    [[nodiscard]] Window window_of(Extent picture, const sluice_random_key& key) const override;
    [[nodiscard]] Extent size_of(Extent window) const override;

    Extent size_;                  // used if short_edge_ is 0
    std::int64_t short_edge_ = 0;  // pixels; 0: scale to size_
};

}  // namespace sluice::transforms
