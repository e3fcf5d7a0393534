#include "check/cases/source_samples.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace sluice::check {

registry::Source open_source(Trial& trial) { return {trial.component(), trial.options(), {}}; }

std::optional<std::string> refusal(const registry::Source& source, const registry::WorkerContext& context,
                                   std::uint64_t index, std::uint64_t seed, SampleBuffer& buffer) {
    try {
        source.read(context, index, seed, buffer);
        return std::nullopt;
    } catch (const Error& error) {
        if (error.exit() != Exit::data) {
            throw;
        }
        return error.what();
    }
}

std::string read_sample(const registry::Source& source, const registry::WorkerContext& context, std::uint64_t index,
                        std::uint64_t seed) {
    SampleBuffer buffer;
    const auto why = refusal(source, context, index, seed, buffer);
    return why ? *why : buffer.digest();
}

std::vector<std::uint64_t> some_samples(Trial& trial, const registry::Source& source) {
    std::vector<std::uint64_t> indices{0, source.length() - 1};
    constexpr std::size_t kSome = 10;
    while (indices.size() < std::min<std::uint64_t>(kSome, source.length() + 1)) {
        indices.push_back(trial.draw(source.length()));
    }
    std::ranges::sort(indices);
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    return indices;
}

Samples read_in_order(const registry::Source& source, const std::vector<std::uint64_t>& indices, std::uint64_t seed) {
    const registry::WorkerContext context = source.make_context();
    Samples samples;
    for (const std::uint64_t index : indices) {
        samples[index] = read_sample(source, context, index, seed);
    }
    return samples;
}

}  // namespace sluice::check
