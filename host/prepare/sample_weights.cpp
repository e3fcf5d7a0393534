#include "prepare/sample_weights.hpp"

#include "registry/objects/source.hpp"
#include "registry/optional/sampling.hpp"

namespace sluice::prepare {

std::vector<double> weights_of(const config::StreamSpec& made, const registry::Registry& registry) {
    std::vector<double> weights;
    if (made.sampling.use != config::SamplingKind::weights) {
        return weights;
    }
    for (const config::SourceSpec& one : made.sources) {
        const config::ComponentSpec& wanted = one.component;
        const registry::Component component = registry.find(registry::Kind::source, wanted.use, wanted.origin);
        const registry::Source source(component, registry.options(component, wanted), wanted.origin);
        const std::vector<double> more = registry::sample_weights(source, made.sampling.origin);
        weights.insert(weights.end(), more.begin(), more.end());
    }
    return weights;
}

config::StreamSpec without_weights(config::StreamSpec stream) {
    if (stream.sampling.use == config::SamplingKind::weights) {
        stream.sampling.use = config::SamplingKind::uniform;
    }
    return stream;
}

}  // namespace sluice::prepare
