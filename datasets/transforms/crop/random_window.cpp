#include "crop/random_window.hpp"

#include <algorithm>
#include <cmath>

namespace sluice::transforms {

std::optional<Window> random_window(Extent picture, const Range& area, const Range& ratio, sdk::Draws& draws) {
    constexpr int kAttempts = 10;
    const auto pixels = static_cast<double>(picture.height * picture.width);
    const Range logarithm{std::log(ratio.least), std::log(ratio.greatest)};
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        const double drawn_area = pixels * draw(area, draws);
        const double drawn_ratio = std::exp(draw(logarithm, draws));
        const Extent extent{std::llround(std::sqrt(drawn_area / drawn_ratio)),
                            std::llround(std::sqrt(drawn_area * drawn_ratio))};
        if (extent.height > 0 && extent.height <= picture.height && extent.width > 0 && extent.width <= picture.width) {
            const std::int64_t top = draws.below(picture.height - extent.height + 1);
            return Window{top, draws.below(picture.width - extent.width + 1), extent};
        }
    }
    return std::nullopt;
}

Window center_window(Extent picture, const Range& ratio) {
    const auto height = static_cast<double>(picture.height);
    const auto width = static_cast<double>(picture.width);
    Extent extent = picture;
    if (width / height < ratio.least) {
        extent.height = std::clamp<std::int64_t>(std::llround(width / ratio.least), 1, picture.height);
    } else if (width / height > ratio.greatest) {
        extent.width = std::clamp<std::int64_t>(std::llround(height * ratio.greatest), 1, picture.width);
    }
    return {(picture.height - extent.height) / 2, (picture.width - extent.width) / 2, extent};
}

}  // namespace sluice::transforms
