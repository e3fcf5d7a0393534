#include "prepare/probe_samples.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "data/chain/chain_worker.hpp"
#include "record_formats/bytes.hpp"
#include "record_formats/packed_sample.hpp"

namespace sluice::prepare {
namespace {

constexpr std::uint64_t kProbedSamples = 16;

std::string_view text_of(const records::Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

SampleProbe probe_samples(const data::Chain& chain, const ShardFormat& format) {
    data::Chain::Worker worker(chain);
    const std::uint64_t count = std::min(kProbedSamples, chain.length());
    SampleProbe probe;
    std::string sums;
    std::uint64_t good = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t index = i * chain.length() / count;
        try {
            const records::PackedSample sample = format.pack(worker.make(0, index), index);
            const std::string_view parts[] = {sample.name, "\n", text_of(sample.bytes)};
            sums += sha256(parts);
            probe.mean_bytes += static_cast<double>(sample.bytes.size());
            ++good;
        } catch (const Error& error) {
            if (error.exit() != Exit::data || (good == 0 && i + 1 == count)) {
                throw;
            }
            sums += "bad";
        }
    }
    probe.mean_bytes /= static_cast<double>(good);
    const std::string_view all[] = {sums};
    probe.sha256 = sha256(all);
    return probe;
}

}  // namespace sluice::prepare
