#include "prepare/randomness.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "config/cache_entry.hpp"
#include "data/chain/chain.hpp"
#include "data/chain/chain_worker.hpp"
#include "data/chain/sources.hpp"
#include "data/loader/epoch_digest.hpp"

namespace sluice::prepare {
namespace {

std::uint64_t hash_of(const data::Sample& sample) {
    std::vector<std::size_t> fields(sample.fields.size());
    std::iota(fields.begin(), fields.end(), std::size_t{0});
    return data::hash_sample(sample, fields);
}

// Runs all transforms but the last only once, if the last can work on cached samples.
data::Chain open_chain(const config::StreamSpec& made, const RandomKey& key, const registry::Registry& registry) {
    try {
        return {config::with_cache_at(made, made.map.size() - 1), registry, key.seed, key.purpose};
    } catch (const data::SourceError&) {
        throw;
    } catch (const Error& error) {
        if (error.exit() != Exit::config) {
            throw;
        }
    }
    return {made, registry, key.seed, key.purpose};
}

// Makes a few samples for a hundred epochs and many samples for a few epochs, within some seconds. So it also finds
// transforms that draw seldom, or only for some samples.
bool seems_to_draw(const data::Chain& chain) {
    constexpr std::uint64_t kSamples = 256;
    constexpr std::uint64_t kThorough = 4;  // of these: they are made for kEpochs
    constexpr std::uint64_t kEpochs = 129;
    constexpr std::uint64_t kFewEpochs = 9;
    constexpr double kSeconds = 0.5;     // limit for each of the kThorough samples
    constexpr double kAllSeconds = 3.0;  // limit for all samples of the second round
    data::Chain::Worker worker(chain);
    const auto differs = [&](std::uint64_t index, std::uint64_t epochs) {
        const std::uint64_t first = hash_of(worker.make(0, index));
        const double start = now();
        for (std::uint64_t epoch = 1; epoch < epochs && (epoch < kFewEpochs || now() - start < kSeconds); ++epoch) {
            if (hash_of(worker.make(epoch, index)) != first) {
                return true;
            }
        }
        return false;
    };
    const auto any_differs = [&](std::uint64_t samples, std::uint64_t epochs, double seconds) {
        const double start = now();
        for (std::uint64_t i = 0; i < samples && now() - start < seconds; ++i) {
            try {
                if (differs(i * chain.length() / samples, epochs)) {
                    return true;
                }
            } catch (const Error& error) {
                if (error.exit() != Exit::data) {
                    throw;
                }  // a bad sample is reported when it is prepared
            }
        }
        return false;
    };
    return any_differs(std::min(kThorough, chain.length()), kEpochs, kThorough * kSeconds) ||
           any_differs(std::min(kSamples, chain.length()), kFewEpochs, kAllSeconds);
}

}  // namespace

bool is_last_random(const config::StreamSpec& made, const RandomKey& key, const registry::Registry& registry) {
    const config::ComponentSpec& last = made.map.back();
    const registry::Component component = registry.find(registry::Kind::transform, last.use, last.origin);
    const registry::Drawing declared = registry::randomness_of(*component.manifest, last.options);
    return declared == registry::Drawing::unsaid ? seems_to_draw(open_chain(made, key, registry))
                                                 : declared == registry::Drawing::always;
}

}  // namespace sluice::prepare
