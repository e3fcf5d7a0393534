#include "data/chain/cache_key.hpp"

#include <fmt/format.h>

#include "registry/optional/identity.hpp"

namespace sluice::data {

CacheKeyInputs::CacheKeyInputs(const Sources& sources, const config::StreamSpec& spec)
    : stages_(sources.identity(spec)), draw_(sources.depend_on_seed(spec)) {}

void CacheKeyInputs::add(const registry::Component& component, const Table& options, registry::Drawing drawing,
                         std::uint64_t stream) {
    stages_ += registry::code_identity(component, options);
    if (drawing != registry::Drawing::never) {
        stages_ += fmt::format("draws {}\n", stream);
        draw_ = true;
    }
}

std::string CacheKeyInputs::text(std::uint64_t seed) const {
    return draw_ ? fmt::format("seed {}\n{}", seed, stages_) : stages_;
}

}  // namespace sluice::data
