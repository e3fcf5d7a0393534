#include "codec/orientation.hpp"

namespace sluice::transforms {
namespace {

bool swaps_axes(Orientation orientation) { return orientation >= Orientation::transpose; }

// True if the rows (columns) of the turned picture run against the direction of the stored axis they come from.
bool rows_run_back(Orientation orientation) {
    return orientation == Orientation::half_turn || orientation == Orientation::mirror_half_turn ||
           orientation == Orientation::transverse || orientation == Orientation::three_quarter_turn;
}
bool columns_run_back(Orientation orientation) {
    return orientation == Orientation::mirror || orientation == Orientation::half_turn ||
           orientation == Orientation::quarter_turn || orientation == Orientation::transverse;
}

// Copies pixels that lie `step` bytes apart. kBytes: bytes of a pixel; 0: `any_bytes`.
template <int kBytes>
void copy_steps(const std::uint8_t* pixel, std::int64_t step, std::int64_t count, std::int64_t any_bytes,
                std::uint8_t* to) {
    const std::int64_t bytes = kBytes == 0 ? any_bytes : kBytes;
    for (std::int64_t i = 0; i < count; ++i, pixel += step, to += bytes) {
        for (std::int64_t b = 0; b < bytes; ++b) {
            to[b] = pixel[b];
        }
    }
}

}  // namespace

Extent turned_extent(Extent stored, Orientation orientation) {
    return swaps_axes(orientation) ? Extent{stored.width, stored.height} : stored;
}

Window stored_window(const Window& turned, Extent stored, Orientation orientation) {
    const Extent whole = turned_extent(stored, orientation);
    const Extent size = turned.extent;
    const std::int64_t down = rows_run_back(orientation) ? whole.height - turned.top - size.height : turned.top;
    const std::int64_t right = columns_run_back(orientation) ? whole.width - turned.left - size.width : turned.left;
    return swaps_axes(orientation) ? Window{right, down, {size.width, size.height}} : Window{down, right, size};
}

void turn(const Picture& stored, Orientation orientation, std::uint8_t* to) {
    const Extent extent = turned_extent(stored.extent, orientation);
    const std::int64_t bytes = stored.pixel_bytes();
    // Bytes in the stored picture from one turned row (column) to the next.
    std::int64_t row_step = swaps_axes(orientation) ? bytes : stored.row_bytes();
    std::int64_t column_step = swaps_axes(orientation) ? stored.row_bytes() : bytes;
    const std::uint8_t* row = stored.bytes;
    if (rows_run_back(orientation)) {
        row += row_step * (extent.height - 1);
        row_step = -row_step;
    }
    if (columns_run_back(orientation)) {
        row += column_step * (extent.width - 1);
        column_step = -column_step;
    }
    for (std::int64_t y = 0; y < extent.height; ++y, row += row_step, to += extent.width * bytes) {
        if (bytes == 3) {
            copy_steps<3>(row, column_step, extent.width, 3, to);
        } else if (bytes == 1) {
            copy_steps<1>(row, column_step, extent.width, 1, to);
        } else {
            copy_steps<0>(row, column_step, extent.width, bytes, to);
        }
    }
}

}  // namespace sluice::transforms
