#include "norms/tiles.hpp"

#include <numeric>

namespace sluice::cudnn {
namespace {

constexpr std::int64_t kChannelUnit = 8;    // elements of a thread
constexpr std::int64_t kMostThreads = 256;  // of a block

constexpr std::int64_t parts(std::int64_t n, std::int64_t size) { return (n + size - 1) / size; }

}  // namespace

Tiles make_tiles(const Extents& extents, std::int64_t least_rows, std::int64_t most_blocks) {
    const auto& [samples, rows, channels] = extents;
    const std::int64_t count = rows * channels;
    // A single wide row need not hold whole rows.
    const std::int64_t width = std::min(channels * (kChannelUnit / std::gcd(kChannelUnit, channels)),
                                        parts(count, kChannelUnit) * kChannelUnit);
    const std::int64_t wide_rows = parts(count, width);
    const std::int64_t all_units = width / kChannelUnit;
    const std::int64_t slices = parts(all_units, kMostThreads);
    const std::int64_t units = parts(all_units, slices);
    const std::int64_t tile_rows = std::min(kMostThreads / units, wide_rows);
    const std::int64_t tiles = parts(wide_rows, tile_rows);
    const std::int64_t most = std::max<std::int64_t>(most_blocks / (samples * slices), 1);
    const std::int64_t chunk = parts(tiles, std::min(most, parts(tiles, least_rows))) * tile_rows;
    const auto narrow = [](std::int64_t n) { return static_cast<std::uint32_t>(n); };
    return {.samples = narrow(samples),
            .channels = narrow(channels),
            .count = narrow(count),
            .width = narrow(width),
            .whole_rows = narrow(count / width),
            .rest = narrow(count % width),
            .chunk = narrow(chunk),
            .blocks = narrow(parts(wide_rows, chunk)),
            .slices = narrow(slices),
            .units = narrow(units),
            .tile_rows = narrow(tile_rows),
            .packed = samples == 1 || count % kChannelUnit == 0};
}

}  // namespace sluice::cudnn
