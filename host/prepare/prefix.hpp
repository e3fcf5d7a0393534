// Chooses the part of a data chain that is prepared.
#pragma once

#include <optional>
#include <string>

#include "prepare/randomness.hpp"

namespace sluice::prepare {

struct PrefixChoice {
    std::optional<std::int64_t> count;  // prepare this many transforms
    std::string until;                  // or all up to and including the first of this name
    bool restart_jpeg = false;          // add restart markers to JPEG files after that
};

struct Prefix {
    config::StreamSpec made;                  // the source and the transforms that are run now
    std::vector<config::ComponentSpec> left;  // the transforms that the pipeline has to run after it
    std::string reason;                       // "up to 'random_crop', which draws at random"
    bool is_random = false;                   // the user chose a part in which samples differ between epochs
};

// Without a choice, the part ends before the first transform that draws at random, the cache, or the first transform of
// whole batches. It ends earlier if the transforms after it cannot work on stored samples. With restart_jpeg it has no
// transforms. Throws Error(Exit::config).
Prefix choose_prefix(const config::StreamSpec& stream, const PrefixChoice& choice, const RandomKey& draws,
                     const registry::Registry& registry);

// "{ use = \"random_crop\", size = [128, 128] }"
std::string to_toml(const config::ComponentSpec& spec);

}  // namespace sluice::prepare
