// Which part of a data chain is made once.
#pragma once

#include <optional>
#include <string>

#include "prepare/drawing.hpp"

namespace sluice::prepare {

struct PrefixChoice {
    std::optional<std::int64_t> count;  // that many transforms
    std::string until;                  // or all up to and with the first of that name
    bool restart_jpeg = false;          // JPEG files get restart markers behind it
};

struct Prefix {
    config::StreamSpec made;                  // the source and the transforms that are run now
    std::vector<config::ComponentSpec> left;  // what the pipeline has to do behind it
    std::string reason;                       // "up to 'random_crop', which draws at random"
    bool is_random = false;                   // as was chosen, though samples of different epochs differ
};

// Without a choice: all transforms up to the first that draws at random, or to the cache, or to the first of whole
// batches, and fewer where what stands behind cannot work on samples that were kept there; with restart_jpeg none.
// Throws Error(Exit::config).
Prefix choose_prefix(const config::StreamSpec& stream, const PrefixChoice& choice, const RandomKey& draws,
                     const registry::Registry& registry);

// "{ use = \"random_crop\", size = [128, 128] }"
std::string to_toml(const config::ComponentSpec& spec);

// The same samples, each as often: for chains that are asked for one after the other. To read weights may take as long
// as to read all samples.
config::StreamSpec without_weights(config::StreamSpec stream);

}  // namespace sluice::prepare
