#include "tfrecord_frames/crc32c.hpp"

#include <bit>
#include <boost/crc.hpp>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace sluice::tfrecord_frames {
namespace {

using ByteSpan = std::span<const std::uint8_t>;

std::uint32_t by_table(ByteSpan bytes) {
    boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> sum;
    sum.process_bytes(bytes.data(), bytes.size());
    return sum.checksum();
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t by_instruction(ByteSpan bytes) {
    std::uint64_t sum = 0xFFFFFFFF;
    while (bytes.size() >= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), sizeof(word));
        sum = _mm_crc32_u64(sum, word);
        bytes = bytes.subspan(8);
    }
    auto last = static_cast<std::uint32_t>(sum);
    for (const std::uint8_t byte : bytes) {
        last = _mm_crc32_u8(last, byte);
    }
    return ~last;
}
#endif

}  // namespace

std::uint32_t crc32c(ByteSpan bytes) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("sse4.2") != 0) {
        return by_instruction(bytes);
    }
#endif
    return by_table(bytes);
}

std::uint32_t masked_crc32c(ByteSpan bytes) { return std::rotr(crc32c(bytes), 15) + 0xA282EAD8U; }

}  // namespace sluice::tfrecord_frames
