#include "run/tiles.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/error.hpp"

namespace sluice::run {
namespace {

// First pixels of the tiles along one side: evenly overlapping, the last flush with the border.
std::vector<std::int64_t> starts(std::int64_t length, const TileOptions& options) {
    std::vector<std::int64_t> at{0};
    while (at.back() + options.tile < length) {
        at.push_back(std::min(at.back() + options.tile - options.overlap, length - options.tile));
    }
    return at;
}

// Mirrors an index that lies beyond the end, without repeating the border.
std::int64_t mirrored(std::int64_t i, std::int64_t length) {
    if (length == 1) {
        return 0;
    }
    const std::int64_t period = 2 * (length - 1);
    i %= period;
    return i < length ? i : period - i;
}

// How much a pixel of a tile counts: next to nothing at the border, where the network saw mirrored pixels instead of
// the neighbours, rising to 1 over the middle half of the overlap.
std::vector<float> ramp(const TileOptions& options) {
    std::vector<float> weights;
    const double margin = static_cast<double>(options.overlap) / 4.0;
    for (std::int64_t i = 0; i < options.tile; ++i) {
        const double border = static_cast<double>(std::min(i, options.tile - 1 - i)) + 0.5;
        weights.push_back(static_cast<float>(std::clamp((border - margin) / std::max(2.0 * margin, 1.0), 1e-4, 1.0)));
    }
    return weights;
}

class Canvas {
public:
    Canvas(std::int64_t height, std::int64_t width, std::int64_t channels)
        : height_(height),
          width_(width),
          channels_(channels),
          sums_(static_cast<std::size_t>(height * width * channels), 0.0F),
          weights_(static_cast<std::size_t>(height * width), 0.0F) {}

    void add(std::span<const float> tile, std::int64_t size, std::int64_t top, std::int64_t left,
             std::span<const float> weights) {
        for (std::int64_t y = 0; y < size && top + y < height_; ++y) {
            for (std::int64_t x = 0; x < size && left + x < width_; ++x) {
                const float weight = weights[static_cast<std::size_t>(y)] * weights[static_cast<std::size_t>(x)];
                const auto pixel = static_cast<std::size_t>((top + y) * width_ + left + x);
                weights_[pixel] += weight;
                for (std::int64_t c = 0; c < channels_; ++c) {
                    sums_[pixel * static_cast<std::size_t>(channels_) + static_cast<std::size_t>(c)] +=
                        weight * tile[static_cast<std::size_t>((y * size + x) * channels_ + c)];
                }
            }
        }
    }

    [[nodiscard]] HostTensor picture() const {
        HostTensor out{make_spec(kUint8, {height_, width_, channels_}), {}};
        out.bytes.reserve(sums_.size());
        for (std::size_t i = 0; i < sums_.size(); ++i) {
            const float value = sums_[i] / weights_[i / static_cast<std::size_t>(channels_)];
            out.bytes.push_back(static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0F, 1.0F) * 255.0F)));
        }
        return out;
    }

private:
    std::int64_t height_, width_, channels_;
    std::vector<float> sums_;
    std::vector<float> weights_;
};

void cut(const HostTensor& image, std::int64_t top, std::int64_t left, std::int64_t size,
         std::vector<std::uint8_t>& tile) {
    const auto shape = shape_of(image.spec);
    const auto channels = static_cast<std::size_t>(shape[2]);
    tile.resize(static_cast<std::size_t>(size * size) * channels);
    for (std::int64_t y = 0; y < size; ++y) {
        for (std::int64_t x = 0; x < size; ++x) {
            const auto from =
                static_cast<std::size_t>(mirrored(top + y, shape[0]) * shape[1] + mirrored(left + x, shape[1]));
            std::memcpy(tile.data() + static_cast<std::size_t>(y * size + x) * channels,
                        image.bytes.data() + from * channels, channels);
        }
    }
}

}  // namespace

HostTensor predict_tiled(Replica& replica, const std::string& field, const HostTensor& image,
                         const TileOptions& options) {
    const auto shape = shape_of(image.spec);
    const std::vector<float> weights = ramp(options);
    data::Batch batch;
    batch.count = 1;
    batch.fields.push_back(
        {field, SLUICE_FIELD_IMAGE, {make_spec(kUint8, {1, options.tile, options.tile, shape[2]}), {}}});
    Canvas canvas(shape[0], shape[1], shape[2]);
    for (const std::int64_t top : starts(shape[0], options)) {
        for (const std::int64_t left : starts(shape[1], options)) {
            cut(image, top, left, options.tile, batch.fields.front().tensor.bytes);
            replica.predict(batch);
            const std::vector<data::NamedTensor> pictures = replica.images();
            if (!std::ranges::equal(shape_of(pictures.front().tensor.spec),
                                    shape_of(batch.fields.front().tensor.spec))) {
                throw Error(Exit::config, "the model's output " + to_string(pictures.front().tensor.spec) +
                                              " has not the size of its input; pictures cannot be put together");
            }
            canvas.add(pictures.front().tensor.as<float>(), options.tile, top, left, weights);
        }
    }
    return canvas.picture();
}

}  // namespace sluice::run
