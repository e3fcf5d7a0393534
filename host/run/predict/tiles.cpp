#include "run/predict/tiles.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace sluice::run {
namespace {

// The pixels of one tile along one side of the picture, and their weights.
struct Strip {
    std::int64_t begin = 0;
    std::vector<float> weights;  // of the pixels within the picture
};

// A side of the picture, in pixels.
struct Side {
    std::int64_t length;
    std::int64_t padded;  // length that the network would need for the whole picture
};

// The weight is almost 0 where a tile's border cuts the picture, since the network saw padding there instead of the
// neighbours. It is 1 from three quarters of the overlap on. At the picture's own border it is 1 too.
std::vector<float> ramp(std::int64_t begin, std::int64_t tile, const Side& side, std::int64_t overlap) {
    const double margin = static_cast<double>(overlap) / 4.0;
    std::vector<float> weights;
    for (std::int64_t i = 0; i < std::min(tile, side.length - begin); ++i) {
        const std::int64_t left = begin > 0 ? i : tile;
        const std::int64_t right = begin + tile < side.padded ? tile - 1 - i : tile;
        const double border = static_cast<double>(std::min(left, right)) + 0.5;
        weights.push_back(static_cast<float>(std::clamp((border - margin) / std::max(2.0 * margin, 1.0), 1e-4, 1.0)));
    }
    return weights;
}

// The last strip ends with the padded picture, so that strides see the same pixels as in the whole picture. The weights
// of each pixel sum to 1.
std::vector<Strip> strips(const Side& side, std::int64_t tile, std::int64_t overlap) {
    std::vector<Strip> all;
    std::vector<float> sums(static_cast<std::size_t>(side.length), 0.0F);
    for (std::int64_t begin = 0;; begin = std::min(begin + tile - overlap, side.padded - tile)) {
        Strip& strip = all.emplace_back(Strip{begin, ramp(begin, tile, side, overlap)});
        std::transform(strip.weights.begin(), strip.weights.end(), sums.begin() + begin, sums.begin() + begin,
                       std::plus<>{});
        if (begin + tile >= side.padded) {
            break;
        }
    }
    for (Strip& strip : all) {
        std::transform(strip.weights.begin(), strip.weights.end(), sums.begin() + strip.begin, strip.weights.begin(),
                       std::divides<>{});
    }
    return all;
}

// Sums of the rows that still receive tiles, and the finished picture above them.
class Canvas {
public:
    Canvas(PictureSize size, std::int64_t channels, std::int64_t rows)
        : row_(size.width * channels),
          channels_(channels),
          sums_(static_cast<std::size_t>(rows * row_), 0.0F),
          picture_{make_spec(kUint8, {size.height, size.width, channels}), {}} {
        picture_.bytes.reserve(static_cast<std::size_t>(size.height * row_));
    }

    // `tile` has rows of `width` pixels. The first row of `down` is the first unfinished row.
    void add(std::span<const float> tile, std::int64_t width, const Strip& down, const Strip& across) {
        for (std::size_t y = 0; y < down.weights.size(); ++y) {
            const float* from = tile.data() + static_cast<std::int64_t>(y) * width * channels_;
            float* to = sums_.data() + static_cast<std::int64_t>(y) * row_ + across.begin * channels_;
            for (const float weight : across.weights) {
                for (std::int64_t c = 0; c < channels_; ++c) {
                    *to++ += down.weights[y] * weight * *from++;
                }
            }
        }
    }

    void finish(std::int64_t rows) {
        const auto end = sums_.begin() + rows * row_;
        std::transform(sums_.begin(), end, std::back_inserter(picture_.bytes), [](float value) {
            return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0F, 1.0F) * 255.0F));
        });
        std::fill(std::copy(end, sums_.end(), sums_.begin()), sums_.end(), 0.0F);
    }

    [[nodiscard]] HostTensor picture() && { return std::move(picture_); }

private:
    std::int64_t row_;  // values
    std::int64_t channels_;
    std::vector<float> sums_;
    HostTensor picture_;
};

}  // namespace

registry::Field input_field(const std::string& name, sluice_dtype type, PictureSize size, std::int64_t channels) {
    return {name, type == kUint8 ? SLUICE_FIELD_IMAGE : SLUICE_FIELD_TENSOR,
            make_spec(type, {1, size.height, size.width, channels})};
}

PictureSize tile_size(FittingSizes& sizes, const registry::Field& whole, const TileOptions& options) {
    const auto [height, width] = size_of(whole.spec);
    registry::Field tile = whole;
    tile.spec = with_size(whole.spec, {std::min(options.tile, height), std::min(options.tile, width)});
    return sizes.of(tile);
}

HostTensor predict_tiled(Replica& replica, const std::string& field, const HostTensor& image,
                         const TileOptions& options) {
    const auto shape = shape_of(image.spec);
    const PictureSize size{shape[0], shape[1]};
    const std::int64_t channels = shape[2];
    const registry::Field whole = input_field(field, image.spec.dtype, size, channels);
    const PictureSize tile = tile_size(replica.inference().sizes(), whole, options);
    const PictureSize padded = replica.inference().sizes().of(whole);
    data::Batch batch;
    batch.count = 1;
    batch.fields.push_back({field, whole.role, {with_size(whole.spec, tile), {}}});
    HostTensor& input = batch.fields.front().tensor;
    input.bytes.resize(byte_count(input.spec));
    const std::int64_t pixel_bytes = channels * image.spec.dtype.bits / 8;
    std::optional<Canvas> canvas;
    const std::vector<Strip> down = strips({size.height, padded.height}, tile.height, options.overlap);
    const std::vector<Strip> across = strips({size.width, padded.width}, tile.width, options.overlap);
    for (std::size_t i = 0; i < down.size(); ++i) {
        for (const Strip& column : across) {
            copy_mirrored(image.bytes.data(), size, down[i].begin, column.begin, tile, pixel_bytes, input.bytes.data());
            replica.inference().predict(batch);
            const std::vector<data::NamedTensor> pictures = replica.inference().images();
            const HostTensor& output = pictures.front().tensor;
            if (size_of(output.spec) != tile) {
                throw Error(Exit::config, "the model's output " + to_string(output.spec) +
                                              " does not have the size of its input; tiles cannot be joined");
            }
            if (!canvas) {
                canvas.emplace(size, output.spec.shape[3], tile.height);
            }
            canvas->add(output.as<float>(), tile.width, down[i], column);
        }
        canvas->finish((i + 1 < down.size() ? down[i + 1].begin : size.height) - down[i].begin);
    }
    return std::move(*canvas).picture();
}

}  // namespace sluice::run
