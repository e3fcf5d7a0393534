// Keys that the host itself reads of a table that chooses a component, whichever that is. No option of a component can
// have the name of one.
#pragma once

#include <string_view>

namespace sluice::config {

struct HostKey {
    std::string_view path;         // of the table: the kind of its component
    std::string_view key;          // beside "use", which is one of all
    bool reaches_options = false;  // the component gets it as well, as an option of its own
};

inline constexpr HostKey kHostKeys[] = {{"layer", "type"},
                                        {"layer", "block"},
                                        {"layer", "name"},
                                        {"layer", "inputs"},
                                        {"layer", "repeat"},
                                        {"layer", "precision"},
                                        {"source", "weight"},
                                        {"optimizer", "rate"},
                                        {"optimizer", "scale_rate"},
                                        {"optimizer", "scale_from"},
                                        {"optimizer", "clip_norm"},
                                        {"schedule", "warmup"},
                                        {"schedule", "epochs"},
                                        {"schedule", "steps"},
                                        {"device", "kernels"},
                                        {"device", "measure"},
                                        {"device", "pin"},
                                        {"device", "record"},
                                        {"precision", "layers"},
                                        {"strategy", "micro_shards"},
                                        {"strategy", "shard_threads"},
                                        {"strategy", "bucket"},
                                        {"strategy", "deadline"},
                                        {"strategy", "wire", true},
                                        {"strategy", "shard_optimizer"}};

}  // namespace sluice::config
