// The key of a disk cache: everything that its samples depend on.
#pragma once

#include <cstdint>
#include <string>

#include "config/spec.hpp"
#include "data/chain/sources.hpp"
#include "registry/loading/registry.hpp"
#include "registry/manifest/manifest.hpp"

namespace sluice::data {

// Collects the inputs of a key, stage by stage.
class CacheKeyInputs {
public:
    CacheKeyInputs(const Sources& sources, const config::StreamSpec& spec);

    // Adds the next transform before the cache. `stream`: its random stream.
    void add(const registry::Component& component, const Table& options, registry::Drawing drawing,
             std::uint64_t stream);
    // The seed is a part of the key only if a stage draws at random.
    [[nodiscard]] std::string text(std::uint64_t seed) const;

private:
    std::string stages_;
    bool draw_;  // true if any of the stages draws or may draw at random
};

}  // namespace sluice::data
