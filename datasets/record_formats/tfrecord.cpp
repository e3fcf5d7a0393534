#include "tfrecord.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "damage.hpp"
#include "tfrecord_frames/crc32c.hpp"
#include "tfrecord_frames/frame.hpp"

namespace sluice::records {
namespace {

using tfrecord_frames::kFoot;
using tfrecord_frames::kHead;
using tfrecord_frames::masked_crc32c;
using Head = std::array<std::uint8_t, kHead>;

std::string found_and_right(std::uint32_t found, std::uint32_t right) {
    return "the file says " + hexadecimal(found) + ", its bytes give " + hexadecimal(right);
}

}  // namespace

bool TfRecordFile::is_one(ByteSpan head) {
    return head.size() >= kHead && load<std::uint32_t>(head.data() + 8) == masked_crc32c(head.first(8));
}

TfRecordFile::TfRecordFile(const std::filesystem::path& path, std::size_t max_entry_points)
    : file_(path), most_ways_in_(std::max<std::size_t>(max_entry_points, 1)) {
    try {
        find_records();
    } catch (const Damage& damage) {
        lost_ = damage.what();
    }
}

void TfRecordFile::find_records() {
    std::array<std::uint8_t, 2> start{};
    const std::uint64_t found = file_.read_some(start.data(), start.size(), 0);
    if (found == 0) {
        file_.damaged("0 bytes; a TFRecord file with at least one record is needed");
    }
    if (is_gzip(ByteSpan(start).first(static_cast<std::size_t>(found)))) {
        find_in_gzip();
    } else {
        find_in_plain();
    }
}

std::uint64_t TfRecordFile::checked_length(const std::uint8_t* head, std::uint64_t offset) const {
    const std::uint32_t right = masked_crc32c({head, 8});
    const auto found = load<std::uint32_t>(head + 8);
    if (found != right) {
        file_.damaged((offset == 0 ? "not a TFRecord file" + file_.unlike() + ", or damaged: " : "") + "record " +
                      std::to_string(records_.size()) + " at byte " + std::to_string(offset) +
                      ": the checksum of its length does not fit (" + found_and_right(found, right) +
                      "), so that the records after it cannot be found");
    }
    return load<std::uint64_t>(head);
}

void TfRecordFile::cut_off(std::uint64_t offset, std::uint64_t needed, std::uint64_t found) const {
    file_.damaged("record " + std::to_string(records_.size()) + " at byte " + std::to_string(offset) +
                  " is cut off: it needs " + std::to_string(needed) + " bytes, but the file has " +
                  std::to_string(found) + " more");
}

void TfRecordFile::find_in_plain() {
    Head head{};
    for (std::uint64_t offset = 0; offset < file_.size();) {
        const std::uint64_t rest = file_.size() - offset;
        if (rest < kHead) {
            cut_off(offset, kHead, rest);
        }
        file_.read(head.data(), kHead, offset);
        const std::uint64_t bytes = checked_length(head.data(), offset);
        if (bytes > rest || rest - bytes < kHead + kFoot) {
            cut_off(offset, bytes + kHead + kFoot, rest);
        }
        records_.push_back({offset, bytes});
        offset += kHead + bytes + kFoot;
    }
}

void TfRecordFile::find_in_gzip() {
    GzipReader reader(file_);
    Head head{};
    while (true) {
        const std::uint64_t offset = reader.position();
        add_way_in(reader);
        const std::uint64_t found = reader.read_some(head.data(), kHead);
        if (found == 0) {
            return;
        }
        if (found < kHead) {
            cut_off(offset, kHead, found);
        }
        const std::uint64_t bytes = checked_length(head.data(), offset);
        reader.skip(bytes + kFoot);
        records_.push_back({offset, bytes});
    }
}

// Each entry point takes about 40 KiB of memory. If there are too many, every other one is dropped.
void TfRecordFile::add_way_in(const GzipReader& reader) {
    if (!ways_in_.empty() && reader.position() - ways_in_.rbegin()->first < between_ways_in_) {
        return;
    }
    ways_in_.emplace(reader.position(), reader.copy());
    while (ways_in_.size() > most_ways_in_) {
        between_ways_in_ *= 2;
        for (auto kept = ways_in_.begin(), next = std::next(kept); next != ways_in_.end();) {
            const bool is_far = next->first - kept->first >= between_ways_in_;
            kept = is_far ? next : kept;
            next = is_far ? std::next(next) : ways_in_.erase(next);
        }
    }
}

std::string TfRecordFile::name(std::uint64_t number) const {
    return path().string() + ", record " + std::to_string(number) + " at byte " +
           std::to_string(records_[number].offset) + (ways_in_.empty() ? "" : " of the unpacked file");
}

// A reader at the last entry point up to `offset`; std::nullopt if the file is not compressed.
std::optional<GzipReader> TfRecordFile::way_in(std::uint64_t offset) const {
    return ways_in_.empty() ? std::nullopt : std::optional(std::prev(ways_in_.upper_bound(offset))->second.copy());
}

ByteSpan TfRecordFile::read(std::uint64_t number, Bytes& scratch) const {
    if (number == whole()) {
        throw Damage(lost_);
    }
    std::optional<GzipReader> from = way_in(records_[number].offset);
    return read(number, from, scratch);
}

void TfRecordFile::read_first(std::uint64_t count, const Taker& take) const {
    std::optional<GzipReader> from = way_in(0);
    Bytes scratch;
    for (std::uint64_t number = 0; number < std::min(count, whole()); ++number) {
        try {
            take(number, read(number, from, scratch));
        } catch (const Damage&) {
        }  // read() of this record reports the damage
    }
}

// `from`: for a compressed file, a reader at the record or before it.
ByteSpan TfRecordFile::read(std::uint64_t number, std::optional<GzipReader>& from, Bytes& scratch) const {
    const Record& record = records_[number];
    scratch.resize(static_cast<std::size_t>(kHead + record.bytes + kFoot));
    if (!from) {
        file_.read(scratch.data(), scratch.size(), record.offset);
    } else {
        from->skip(record.offset - from->position());
        if (from->read_some(scratch.data(), scratch.size()) < scratch.size()) {
            file_.damaged("became shorter while it was read");
        }
    }
    const ByteSpan bytes = ByteSpan(scratch).subspan(kHead, static_cast<std::size_t>(record.bytes));
    const std::uint32_t right = masked_crc32c(bytes);
    const auto found = load<std::uint32_t>(scratch.data() + kHead + record.bytes);
    const std::uint32_t right_head = masked_crc32c({scratch.data(), 8});
    if (found != right || load<std::uint32_t>(scratch.data() + 8) != right_head ||
        load<std::uint64_t>(scratch.data()) != record.bytes) {
        file_.damaged("record " + std::to_string(number) + " at byte " + std::to_string(record.offset) +
                      ": the checksum of its " + std::to_string(record.bytes) + " bytes does not fit (" +
                      found_and_right(found, right) + ")");
    }
    return bytes;
}

void write_tfrecord(ByteSink& to, ByteSpan bytes) {
    to.write(tfrecord_frames::head_of(bytes.size()));
    to.write(bytes);
    to.write(tfrecord_frames::foot_of(bytes));
}

}  // namespace sluice::records
