// Weights from a file: of a training of ours, or of PyTorch's libraries. Reading a file runs no code.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "config/spec.hpp"
#include "run/pretrained/match.hpp"
#include "run/replica/replica.hpp"

namespace sluice::run {

// A file, and what of it a network takes.
struct PretrainedWeights {
    std::filesystem::path path;
    SafetensorsFile file;
    std::vector<OwnTensor> own;
    Matches matches;  // refers to `file` and `own`
};

// Reads the file and compares it with the network. Throws Error(Exit::config) if no tensor fits, or if one has another
// shape that does not belong to the head: the last layer with parameters, whose size depends on the classes.
std::unique_ptr<const PretrainedWeights> read_pretrained(const std::filesystem::path& path,
                                                         const config::ModelSpec& model, const plan::Graph& graph);

// Copies the tensors into the replica. Those that are missing keep their initial values.
void load_pretrained(const PretrainedWeights& weights, Replica& replica);

// "318 of 320 tensors come from resnet50.safetensors (names of torch)", and a line for each tensor that is not found,
// has another shape, or is not used.
std::string pretrained_text(const PretrainedWeights& weights);

}  // namespace sluice::run
