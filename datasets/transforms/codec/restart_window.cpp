#include "codec/restart_window.hpp"

#include <cstring>

#include "codec/jpeg_markers.hpp"
#include "codec/touched.hpp"

namespace sluice::transforms {
namespace {

[[noreturn]] void does_not_fit(const std::string& what) {
    throw IndexDoesNotFit("the restart index of the JPEG file does not fit its data: " + what);
}

// The position after the next restart marker, from `at` on; the file's end if there is none.
std::size_t after_next_restart(std::span<const std::uint8_t> file, std::size_t at) {
    while (at + 1 < file.size()) {
        const void* found = std::memchr(file.data() + at, 0xFF, file.size() - 1 - at);
        if (found == nullptr) {
            break;
        }
        at = static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - file.data()) + 2;
        if (file[at - 1] >= kFirstRestart && file[at - 1] < kFirstRestart + 8) {
            return at;
        }
    }
    return file.size();
}

// Appends segments of one row to `to`, with restart markers numbered from `number` on.
void copy_row(const JpegMarkers& file, std::int64_t row, Touched segments, std::size_t& number,
              std::vector<std::uint8_t>& to) {
    const RestartIndex& index = *file.index;
    std::size_t at = file.data + index.rows[static_cast<std::size_t>(row)];
    for (std::int64_t segment = 0; segment < segments.end; ++segment) {
        const std::size_t next_segment = after_next_restart(file.bytes, at);
        const std::int64_t in_file = row * index.segments + segment;
        const bool is_last = in_file + 1 == index.segments * static_cast<std::int64_t>(index.rows.size());
        const bool ends_right =
            next_segment == file.bytes.size() ? is_last : file.bytes[next_segment - 1] == kFirstRestart + in_file % 8;
        if (!ends_right || next_segment < at + 2) {
            does_not_fit("segment " + std::to_string(in_file) + " does not end with its restart marker");
        }
        if (segment >= segments.first) {
            if (number > 0) {
                to.insert(to.end(), {0xFF, static_cast<std::uint8_t>(kFirstRestart + (number - 1) % 8)});
            }
            to.insert(to.end(), file.bytes.begin() + static_cast<std::ptrdiff_t>(at),
                      file.bytes.begin() + static_cast<std::ptrdiff_t>(next_segment - 2));
            ++number;
        }
        at = next_segment;
    }
}

// Checks that the first row begins with the data, and each other row after the previous one, directly after the restart
// marker with the right number.
void check_rows(const JpegMarkers& file) {
    const RestartIndex& index = *file.index;
    const auto begins_at = [&](std::size_t row, std::size_t at) {
        if (row == 0) {
            return at == file.data;
        }
        const std::size_t before = row * static_cast<std::size_t>(index.segments) - 1;
        return at >= file.data + index.rows[row - 1] + 2 && at <= file.bytes.size() && file.bytes[at - 2] == 0xFF &&
               file.bytes[at - 1] == kFirstRestart + before % 8;
    };
    for (std::size_t row = 0; row < index.rows.size(); ++row) {
        const std::size_t at = file.data + index.rows[row];
        if (!begins_at(row, at)) {
            does_not_fit("row " + std::to_string(row) + " does not begin at byte " + std::to_string(at));
        }
    }
    if (!index.checksum_fits) {
        does_not_fit("its checksum is wrong");
    }
}

}  // namespace

std::optional<CutOut> cut_out(std::span<const std::uint8_t> bytes, const Window& window) {
    const std::optional<JpegMarkers> file = read_markers(bytes);
    if (!file || !file->index) {
        return std::nullopt;
    }
    const RestartIndex& index = *file->index;
    const Extent unit = file->unit;
    const std::int64_t step = unit.width * index.interval;
    const Extent units{(file->extent.height + unit.height - 1) / unit.height,
                       (file->extent.width + unit.width - 1) / unit.width};
    if (index.interval != file->restart_interval || index.interval * index.segments != units.width ||
        static_cast<std::int64_t>(index.rows.size()) != units.height) {
        does_not_fit("it belongs to another picture");
    }
    check_rows(*file);
    const Touched rows = touched(window.top, window.extent.height, unit.height, units.height);
    const Touched segments = touched(window.left, window.extent.width, step, index.segments);
    const Extent smaller{std::min(file->extent.height, rows.end * unit.height) - rows.first * unit.height,
                         std::min(file->extent.width, segments.end * step) - segments.first * step};
    CutOut cut{.file = head_for(*file, smaller),
               .window = {window.top - rows.first * unit.height, window.left - segments.first * step, window.extent}};
    std::size_t number = 0;
    for (std::int64_t row = rows.first; row < rows.end; ++row) {
        copy_row(*file, row, segments, number, cut.file);
    }
    cut.file.insert(cut.file.end(), {0xFF, kEndOfImage});
    return cut;
}

}  // namespace sluice::transforms
