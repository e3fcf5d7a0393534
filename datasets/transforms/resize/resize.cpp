#include "resize/resize.hpp"

#include <algorithm>

namespace sluice::transforms {

Resize::Resize(sdk::Host, const sdk::Options& options)
    : ScaledWindow(FieldChoice(options), options, false), short_edge_(options.maybe_integer("short_edge").value_or(0)) {
    if (options.has("size") == (short_edge_ > 0)) {
        throw sdk::Failure(SLUICE_INVALID, "exactly one of the options 'size' and 'short_edge' is needed");
    }
    if (short_edge_ == 0) {
        const std::vector<std::int64_t> size = options.integers("size");
        size_ = {size.at(0), size.at(1)};
    }
}

Window Resize::window_of(Extent picture, const sluice_random_key&) const { return {0, 0, picture}; }

// The longer edge is rounded down, as in torchvision.
Extent Resize::size_of(Extent window) const {
    if (short_edge_ == 0) {
        return size_;
    }
    const auto [height, width] = window;
    if (height < 0 || width < 0) {
        return {-1, -1};
    }
    return height < width ? Extent{short_edge_, short_edge_ * width / height}
                          : Extent{short_edge_ * height / width, short_edge_};
}

}  // namespace sluice::transforms
