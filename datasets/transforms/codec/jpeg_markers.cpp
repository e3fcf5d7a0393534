#include "codec/jpeg_markers.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

namespace sluice::transforms {
namespace {

constexpr std::uint8_t kBaseline = 0xC0;
constexpr std::uint8_t kExtended = 0xC1;
constexpr std::uint8_t kHuffmanTables = 0xC4;
constexpr std::uint8_t kStartOfScan = 0xDA;
constexpr std::uint8_t kQuantization = 0xDB;
constexpr std::uint8_t kRestartInterval = 0xDD;
constexpr std::uint8_t kJfif = 0xE0;
constexpr std::uint8_t kIndex = 0xE9;
constexpr std::uint8_t kAdobe = 0xEE;

// The index segment: kMagic, interval and segments (2 bytes each), number of rows and the start of each row (4 bytes
// each), and a checksum of all that (4).
constexpr std::string_view kMagic = "SLUICERST1";
constexpr std::size_t kIndexHead = kMagic.size() + 8;
constexpr std::size_t kChecksum = 4;
constexpr std::size_t kMostCodes = 256;  // in a table

using Bytes = std::span<const std::uint8_t>;

std::uint32_t number_at(Bytes bytes, std::size_t at, std::size_t size) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < size; ++i) {
        number = number << 8 | bytes[at + i];
    }
    return number;
}

void append(std::vector<std::uint8_t>& to, std::uint32_t number, std::size_t size) {
    for (std::size_t i = size; i-- > 0;) {
        to.push_back(static_cast<std::uint8_t>(number >> (8 * i)));
    }
}

void append(std::vector<std::uint8_t>& to, Bytes bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }

std::uint32_t checksum_of(Bytes bytes) {
    return static_cast<std::uint32_t>(crc32(0, bytes.data(), static_cast<uInt>(bytes.size())));
}

// A marker with its content, from the 0xFF on.
struct Segment {
    std::uint8_t marker;
    Bytes whole;
    [[nodiscard]] Bytes content() const { return whole.subspan(4); }
};

// False for markers without content, for bytes that are no marker, and for fill bytes.
bool has_length(std::uint8_t marker) {
    return marker > 1 && (marker < kFirstRestart || marker > kEndOfImage) && marker != 0xFF;
}

// Calls `visit` for each segment up to and including the start of the scan. False if the file ends before it or is
// damaged.
template <class Visit>
bool for_each_segment(Bytes file, const Visit& visit) {
    for (std::size_t at = 2; at + 4 <= file.size();) {
        const std::size_t length = number_at(file, at + 2, 2) + 2;
        if (file[at] != 0xFF || !has_length(file[at + 1]) || length < 4 || length > file.size() - at) {
            return false;
        }
        const Segment segment{file[at + 1], file.subspan(at, length)};
        visit(segment);
        if (segment.marker == kStartOfScan) {
            return true;
        }
        at += length;
    }
    return false;
}

std::optional<RestartIndex> parse_index(Bytes content) {
    if (content.size() < kIndexHead + kChecksum || !std::equal(kMagic.begin(), kMagic.end(), content.begin())) {
        return std::nullopt;
    }
    RestartIndex index{.interval = number_at(content, kMagic.size(), 2),
                       .segments = number_at(content, kMagic.size() + 2, 2),
                       .rows = {},
                       .checksum_fits = false};
    const std::size_t rows = number_at(content, kMagic.size() + 4, 4);
    const std::size_t checked = content.size() - kChecksum;
    if ((checked - kIndexHead) / 4 != rows || index.interval == 0) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < rows; ++i) {
        index.rows.push_back(number_at(content, kIndexHead + 4 * i, 4));
    }
    index.checksum_fits = number_at(content, checked, kChecksum) == checksum_of(content.first(checked));
    return index;
}

// Parses the frame header. False if it is incomplete.
bool parse_frame(Bytes content, JpegMarkers& file) {
    if (content.size() < 6 || content.size() < 6 + 3 * std::size_t{content[5]}) {
        return false;
    }
    file.extent = {number_at(content, 1, 2), number_at(content, 3, 2)};
    const std::size_t components = content[5];
    std::int64_t across = 1;
    std::int64_t down = 1;
    for (std::size_t i = 0; i < components && components > 1; ++i) {  // ignore factors of a single component
        across = std::max<std::int64_t>(across, content[7 + 3 * i] >> 4);
        down = std::max<std::int64_t>(down, content[7 + 3 * i] & 15);
    }
    file.unit = {8 * down, 8 * across};
    return file.extent.height > 0 && file.extent.width > 0;
}

// Gathers a ScanCoding from the markers, in their order.
class CodingParser {
public:
    void take_tables(Bytes content) {
        while (content.size() >= 17) {
            const std::size_t place = content[0] & 15U;
            HuffmanCodes codes;
            std::copy_n(content.begin() + 1, 16, codes.counts.begin());
            const auto count = static_cast<std::size_t>(std::accumulate(codes.counts.begin(), codes.counts.end(), 0));
            if (content[0] >= 0x20 || place >= tables_[0].size() || count > kMostCodes || count > content.size() - 17) {
                is_sound_ = false;
                return;
            }
            codes.values = content.subspan(17, count);
            tables_[content[0] >> 4][place] = codes;
            content = content.subspan(17 + count);
        }
    }

    // The frame must have passed parse_frame().
    void take_frame(Bytes content) {
        frame_ = content;
        is_sound_ = is_sound_ && content[0] == 8;  // bits per sample
    }

    void take_scan(Bytes content) {
        const std::size_t count = frame_.empty() ? 0 : frame_[5];
        is_sound_ = is_sound_ && count > 0 && content.size() == 4 + 2 * count && content[0] == count;
        for (std::size_t i = 0; i < count && is_sound_; ++i) {
            const std::uint8_t name = content[1 + 2 * i];
            const std::uint8_t chosen = content[2 + 2 * i];
            const Bytes component = frame_.subspan(6 + 3 * i, 3);
            is_sound_ = name == component[0] && (chosen >> 4) < 4 && (chosen & 15) < 4;
            if (is_sound_) {
                const int blocks = count == 1 ? 1 : (component[1] >> 4) * (component[1] & 15);
                coding_.components.push_back({blocks, tables_[0][chosen >> 4], tables_[1][chosen & 15U]});
            }
        }
    }

    [[nodiscard]] std::optional<ScanCoding> coding() const {
        const bool has_codes = std::ranges::all_of(coding_.components, [](const ScanCoding::Component& component) {
            return !component.dc.values.empty() && !component.ac.values.empty() && component.blocks > 0;
        });
        return is_sound_ && has_codes && !coding_.components.empty() ? std::optional(coding_) : std::nullopt;
    }

private:
    std::array<std::array<HuffmanCodes, 4>, 2> tables_{};  // [0]: first coefficients of blocks, [1]: the others
    Bytes frame_;
    ScanCoding coding_;
    bool is_sound_ = true;
};

bool is_needed(std::uint8_t marker) {
    switch (marker) {
        case kHuffmanTables:
        case kQuantization:
        case kRestartInterval:
        case kJfif:
        case kAdobe:
        case kStartOfScan:
            return true;
        default:
            return false;
    }
}

bool is_frame(std::uint8_t marker) { return marker == kBaseline || marker == kExtended; }

}  // namespace

std::optional<JpegMarkers> read_markers(Bytes file) {
    JpegMarkers markers{.bytes = file, .extent = {}, .unit = {}, .index = {}};
    bool has_frame = false;
    bool is_sound = true;
    const bool is_whole = for_each_segment(file, [&](const Segment& segment) {
        const Bytes content = segment.content();
        if (is_frame(segment.marker)) {
            is_sound = is_sound && !has_frame && parse_frame(content, markers);
            has_frame = true;
        } else if (segment.marker == kRestartInterval) {
            is_sound = is_sound && content.size() == 2;
            markers.restart_interval = is_sound ? number_at(content, 0, 2) : 0;
        } else if (segment.marker == kIndex && !markers.index) {
            markers.index = parse_index(content);
        }
        markers.data = static_cast<std::size_t>(segment.whole.data() - file.data()) + segment.whole.size();
    });
    return is_whole && has_frame && is_sound ? std::optional(markers) : std::nullopt;
}

std::optional<ScanCoding> read_coding(const JpegMarkers& file) {
    CodingParser parser;
    for_each_segment(file.bytes, [&](const Segment& segment) {
        if (segment.marker == kHuffmanTables) {
            parser.take_tables(segment.content());
        } else if (is_frame(segment.marker)) {
            parser.take_frame(segment.content());
        } else if (segment.marker == kStartOfScan) {
            parser.take_scan(segment.content());
        }
    });
    return parser.coding();
}

std::vector<std::uint8_t> head_for(const JpegMarkers& file, Extent extent, Bytes before_scan) {
    std::vector<std::uint8_t> head{0xFF, 0xD8};
    for_each_segment(file.bytes, [&](const Segment& segment) {
        if (segment.marker == kStartOfScan) {
            append(head, before_scan);
        }
        if (is_frame(segment.marker)) {
            append(head, segment.whole.first(5));
            append(head, static_cast<std::uint32_t>(extent.height), 2);
            append(head, static_cast<std::uint32_t>(extent.width), 2);
            append(head, segment.whole.subspan(9));
        } else if (is_needed(segment.marker)) {
            append(head, segment.whole);
        }
    });
    return head;
}

std::vector<std::uint8_t> with_index(const JpegMarkers& file, const RestartIndex& index) {
    std::vector<std::uint8_t> content(kMagic.begin(), kMagic.end());
    append(content, static_cast<std::uint32_t>(index.interval), 2);
    append(content, static_cast<std::uint32_t>(index.segments), 2);
    append(content, static_cast<std::uint32_t>(index.rows.size()), 4);
    for (const std::uint32_t row : index.rows) {
        append(content, row, 4);
    }
    append(content, checksum_of(content), kChecksum);
    std::vector<std::uint8_t> all{0xFF, 0xD8};
    for_each_segment(file.bytes, [&](const Segment& segment) {
        if (segment.marker == kStartOfScan) {
            append(all, 0xFF00U | kIndex, 2);
            append(all, static_cast<std::uint32_t>(2 + content.size()), 2);
            append(all, content);
        }
        append(all, segment.whole);
    });
    append(all, file.bytes.subspan(file.data));
    return all;
}

}  // namespace sluice::transforms
