#include "codec/add_restarts.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "codec/jpeg_errors.hpp"
#include "codec/jpeg_markers.hpp"
#include "sluice/sdk/guard.hpp"

namespace sluice::transforms {
namespace {

constexpr unsigned kMostMarker = 0xFFFF;

// A decoder and an encoder of coefficients.
struct Recoder {
    jpeg_decompress_struct from = {};
    jpeg_compress_struct to = {};
    JpegErrors errors;
    unsigned char* written = nullptr;
    unsigned long written_bytes = 0;
    bool writes = false;  // true while it writes; reading has succeeded by then

    Recoder() {
        errors.serve(from);
        errors.serve(to);
    }
    ~Recoder() {
        if (to.dest != nullptr) {
            to.dest->term_destination(&to);  // updates `written`, which an encoder that failed has not done
        }
        jpeg_destroy_compress(&to);
        jpeg_destroy_decompress(&from);
        std::free(written);
    }
    Recoder(const Recoder&) = delete;
    Recoder& operator=(const Recoder&) = delete;

    [[nodiscard]] std::int64_t units_across() const {
        const int across = from.num_components == 1 ? 1 : from.max_h_samp_factor;
        return (static_cast<std::int64_t>(from.image_width) + 8 * across - 1) / (8 * across);
    }
    // Units in a segment: a small divisor of the units in a row, so that each row begins with a segment.
    [[nodiscard]] std::int64_t interval() const {
        constexpr std::array<std::int64_t, 8> kByPreference{4, 3, 5, 2, 6, 7, 8, 1};
        return *std::ranges::find_if(kByPreference, [&](std::int64_t units) { return units_across() % units == 0; });
    }

    [[nodiscard]] bool is_written_anyway(const jpeg_marker_struct& marker) const {
        const auto begins_with = [&](const char* text, unsigned bytes) {
            return marker.data_length >= bytes && std::equal(text, text + bytes, marker.data);
        };
        return (to.write_JFIF_header != FALSE && marker.marker == JPEG_APP0 && begins_with("JFIF", 5)) ||
               (to.write_Adobe_marker != FALSE && marker.marker == JPEG_APP0 + 14 && begins_with("Adobe", 5)) ||
               (marker.marker == JPEG_APP0 + 9 && begins_with("SLUICERST", 9));
    }

    // Call it within attempt().
    void run(std::span<const std::uint8_t> file) {
        jpeg_create_decompress(&from);
        jpeg_create_compress(&to);
        jpeg_save_markers(&from, JPEG_COM, kMostMarker);
        for (int i = 0; i < 16; ++i) {
            jpeg_save_markers(&from, JPEG_APP0 + i, kMostMarker);
        }
        jpeg_mem_src(&from, file.data(), static_cast<unsigned long>(file.size()));
        jpeg_read_header(&from, TRUE);
        jvirt_barray_ptr* const coefficients = jpeg_read_coefficients(&from);
        writes = true;
        jpeg_copy_critical_parameters(&from, &to);
        to.optimize_coding = TRUE;
        to.restart_interval = static_cast<unsigned>(interval());
        jpeg_mem_dest(&to, &written, &written_bytes);
        jpeg_write_coefficients(&to, coefficients);
        for (const jpeg_marker_struct* marker = from.marker_list; marker != nullptr; marker = marker->next) {
            if (!is_written_anyway(*marker)) {
                jpeg_write_marker(&to, marker->marker, marker->data, marker->data_length);
            }
        }
        jpeg_finish_compress(&to);
        writes = false;
        jpeg_finish_decompress(&from);
    }
};

// Finds the start of each row of a file with restart markers.
RestartIndex find_rows(const JpegMarkers& file, std::int64_t units_across) {
    RestartIndex index{.interval = file.restart_interval,
                       .segments = units_across / std::max<std::int64_t>(file.restart_interval, 1),
                       .rows = {0}};
    std::int64_t segment = 0;
    for (std::size_t at = file.data; at + 1 < file.bytes.size(); ++at) {
        const std::uint8_t next = file.bytes[at + 1];
        if (file.bytes[at] == 0xFF && next >= kFirstRestart && next < kFirstRestart + 8 &&
            ++segment % index.segments == 0) {
            index.rows.push_back(static_cast<std::uint32_t>(at + 2 - file.data));
        }
    }
    return index;
}

}  // namespace

std::vector<std::uint8_t> add_restarts(std::span<const std::uint8_t> file) {
    Recoder recoder;
    if (!recoder.errors.attempt([&recoder, file] { recoder.run(file); })) {
        if (recoder.writes && !recoder.errors.lacks_memory()) {
            return {file.begin(), file.end()};
        }
        recoder.errors.raise("the JPEG file is damaged or cut off");
    }
    const std::span<const std::uint8_t> written(recoder.written, recoder.written_bytes);
    const std::optional<JpegMarkers> markers = read_markers(written);
    const auto rows = [&] { return (markers->extent.height + markers->unit.height - 1) / markers->unit.height; };
    if (markers) {
        const RestartIndex index = find_rows(*markers, recoder.units_across());
        if (static_cast<std::int64_t>(index.rows.size()) == rows()) {
            return with_index(*markers, index);
        }
    }
    return {file.begin(), file.end()};
}

}  // namespace sluice::transforms
