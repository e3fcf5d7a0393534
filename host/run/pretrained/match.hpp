// Finds for each tensor of a network the one in a file that has its values.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "run/checkpoint/safetensors.hpp"
#include "run/pretrained/own_tensor.hpp"

namespace sluice::run {

struct TensorMatch {
    const OwnTensor* own = nullptr;
    std::string wanted;                          // name that it should have in the file
    const NamedBytes* theirs = nullptr;          // null: the file has no tensor of that name
    std::optional<std::vector<float>> values{};  // in our layout; nullopt: missing, or of another shape
};

struct Matches {
    std::string naming;                   // whose names the file has: "sluice", "torch", or those of a set of the model
    std::vector<TensorMatch> tensors;     // one for each of the network's
    std::vector<std::string> unexpected;  // names in the file that belong to none
    [[nodiscard]] std::size_t loaded() const;
};

// Compares with the names of our own checkpoints, of PyTorch, and with the sets of names of the model, and takes those
// of which most are found. All names may have a prefix, such as "module.". `own` and `file` must outlive the result.
Matches match_tensors(std::span<const OwnTensor> own, const SafetensorsFile& file,
                      std::span<const config::NameSet> sets);

}  // namespace sluice::run
