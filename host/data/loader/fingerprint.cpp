#include "data/loader/fingerprint.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "data/chain/chain_worker.hpp"
#include "data/chain/sampling.hpp"
#include "data/loader/epoch_digest.hpp"

namespace sluice::data {
namespace {

constexpr std::uint64_t kPlaces = 16;  // positions in an order's fingerprint

// A bad sample has a fixed text instead of a hash, so that it differs from a good one.
std::string hash_of(const Chain& chain, Chain::Worker& worker, std::uint64_t index) {
    std::vector<std::size_t> fields(chain.fields().size());
    std::iota(fields.begin(), fields.end(), 0U);
    try {
        const Chain::Worker::Use use(worker);
        return fmt::format("{:016x}", hash_sample(worker.make(0, index), fields));
    } catch (const Error&) {
        return "a bad one";
    }
}

// Indices of `count` samples, or of all if there are fewer, spread over the first epoch from its begin to its end.
std::vector<std::uint64_t> spread(const Chain& chain, bool shuffled, std::uint64_t count) {
    const Sampling sampling(chain.draws(), chain.seed(), shuffled);
    std::vector<std::uint64_t> indices(std::min(count, chain.length()));
    for (std::uint64_t i = 0; i < indices.size(); ++i) {
        const std::uint64_t place = indices.size() == 1 ? 0 : (chain.length() - 1) * i / (indices.size() - 1);
        indices[i] = sampling.index(0, place);
    }
    return indices;
}

}  // namespace

std::vector<SampleFingerprint> fingerprint_samples(const Chain& chain, bool shuffled, std::uint64_t count) {
    Chain::Worker worker(chain);
    std::vector<SampleFingerprint> looks;
    for (const std::uint64_t index : spread(chain, shuffled, count)) {
        looks.push_back({index, hash_of(chain, worker, index)});
    }
    return looks;
}

std::string order_fingerprint(const Chain& chain, bool shuffled) {
    return fmt::format("{}: {}", chain.length(), fmt::join(spread(chain, shuffled, kPlaces), " "));
}

}  // namespace sluice::data
