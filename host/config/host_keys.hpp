// Keys that the host reads itself in tables that choose a component, whichever component that is. An option of a
// component must not have the same name.
#pragma once

#include <string_view>

namespace sluice::config {

struct HostKey {
    std::string_view path;         // of the table, named by the kind of its component
    std::string_view key;          // "use" is a host key in all these tables
    bool reaches_options = false;  // the component receives it too, as an option
};

inline constexpr HostKey kHostKeys[] = {{"layer", "type"},
                                        {"layer", "block"},
                                        {"layer", "name"},
                                        {"layer", "inputs"},
                                        {"layer", "repeat"},
                                        {"layer", "first"},
                                        {"layer", "if"},
                                        {"layer", "precision"},
                                        {"model", "name"},
                                        {"model", "input"},
                                        {"model", "target"},
                                        {"model", "range"},
                                        {"model", "image_mean"},
                                        {"model", "image_std"},
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
                                        {"observer", "hold"},
                                        {"precision", "layers"},
                                        {"strategy", "micro_shards"},
                                        {"strategy", "shard_threads"},
                                        {"strategy", "bucket"},
                                        {"strategy", "deadline"},
                                        {"strategy", "wire", true},
                                        {"strategy", "shard_optimizer"}};

}  // namespace sluice::config
