#include "tfrecord_frames/frame.hpp"

#include <bit>
#include <cstring>

#include "tfrecord_frames/crc32c.hpp"

namespace sluice::tfrecord_frames {

static_assert(std::endian::native == std::endian::little);

std::array<std::uint8_t, kHead> head_of(std::uint64_t length) {
    std::array<std::uint8_t, kHead> head{};
    std::memcpy(head.data(), &length, sizeof(length));
    const std::uint32_t sum = masked_crc32c({head.data(), sizeof(length)});
    std::memcpy(head.data() + sizeof(length), &sum, sizeof(sum));
    return head;
}

std::array<std::uint8_t, kFoot> foot_of(std::span<const std::uint8_t> record) {
    return std::bit_cast<std::array<std::uint8_t, kFoot>>(masked_crc32c(record));
}

}  // namespace sluice::tfrecord_frames
