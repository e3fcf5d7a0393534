// Only the OpenSSL 1.1 API lets an unfinished SHA-256 be stored.
#define OPENSSL_API_COMPAT 0x10100000L
#include "data/loader/epoch_digest.hpp"

#include <openssl/sha.h>

#include SLUICE_XXHASH

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string_view>

#include "base/text/hexadecimal.hpp"

namespace sluice::data {
namespace {

std::array<unsigned char, 8> little_endian(std::uint64_t value) {
    std::array<unsigned char, 8> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<unsigned char>(value >> (8 * i));
    }
    return bytes;
}

bool read_hexadecimal(std::string_view text, std::span<unsigned char> bytes) {
    if (text.size() != 2 * bytes.size()) {
        return false;
    }
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const char* const digits = text.data() + 2 * i;
        const auto [end, error] = std::from_chars(digits, digits + 2, bytes[i], 16);
        if (error != std::errc() || end != digits + 2) {
            return false;
        }
    }
    return true;
}

}  // namespace

std::uint64_t hash_sample(const Sample& sample, std::span<const std::size_t> fields) {
    XXH64_hash_t hash = 0;
    for (const std::size_t field : fields) {
        const TensorView& tensor = sample.fields[field].tensor;
        hash = XXH3_64bits_withSeed(&tensor.spec.dtype, sizeof(tensor.spec.dtype), hash);
        hash = XXH3_64bits_withSeed(tensor.spec.shape,
                                    static_cast<std::size_t>(tensor.spec.rank) * sizeof(tensor.spec.shape[0]), hash);
        hash = XXH3_64bits_withSeed(tensor.bytes.data(), tensor.bytes.size(), hash);
    }
    return hash;
}

EpochDigest::EpochDigest() {
    static_assert(sizeof(SHA256_CTX) == sizeof(sum_));
    SHA256_CTX sum;
    SHA256_Init(&sum);
    std::memcpy(sum_.data(), &sum, sizeof(sum));
}

void EpochDigest::add(std::uint64_t index, std::uint64_t hash) {
    SHA256_CTX sum;
    std::memcpy(&sum, sum_.data(), sizeof(sum));
    for (const std::uint64_t value : {index, hash}) {
        const auto bytes = little_endian(value);
        SHA256_Update(&sum, bytes.data(), bytes.size());
    }
    std::memcpy(sum_.data(), &sum, sizeof(sum));
}

std::string EpochDigest::text() const {
    SHA256_CTX sum;
    std::memcpy(&sum, sum_.data(), sizeof(sum));
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    SHA256_Final(digest.data(), &sum);
    return hexadecimal(digest);
}

std::string EpochDigest::state() const { return hexadecimal(sum_); }

std::optional<EpochDigest> EpochDigest::of_state(const std::string& state) {
    EpochDigest digest;
    if (!read_hexadecimal(state, digest.sum_)) {
        return std::nullopt;
    }
    SHA256_CTX sum;
    std::memcpy(&sum, digest.sum_.data(), sizeof(sum));
    const bool is_one = sum.md_len == SHA256_DIGEST_LENGTH && sum.num < SHA256_CBLOCK;
    return is_one ? std::optional(digest) : std::nullopt;
}

std::string to_bytes(std::span<const SampleHash> samples) {
    const std::span<const std::byte> bytes = std::as_bytes(samples);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<SampleHash> in_order(std::span<const std::string> of_processes) {
    std::vector<SampleHash> samples;
    for (const std::string& bytes : of_processes) {
        const std::size_t before = samples.size();
        samples.resize(before + bytes.size() / sizeof(SampleHash));
        std::memcpy(samples.data() + before, bytes.data(), (samples.size() - before) * sizeof(SampleHash));
    }
    std::ranges::sort(samples, {}, &SampleHash::position);
    const auto is_again = [](const SampleHash& a, const SampleHash& b) { return a.position == b.position; };
    samples.erase(std::unique(samples.begin(), samples.end(), is_again), samples.end());
    return samples;
}

}  // namespace sluice::data
