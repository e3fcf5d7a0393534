// The training data of a run and, if the pipeline has any, its validation data, with their loaders.
#pragma once

#include <optional>

#include "config/spec.hpp"
#include "data/chain/chain.hpp"
#include "data/loader/loader.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::cli {

class TrainingData {
public:
    TrainingData(const config::PipelineSpec& spec, const registry::Registry& registry);

    [[nodiscard]] const data::Chain& train() const { return train_; }
    // Null: the pipeline has no validation data.
    [[nodiscard]] const data::Chain* validation() const { return validation_ ? &*validation_ : nullptr; }

    // Makes the loaders and starts their threads. Call it before the functions below.
    void start(const config::PipelineSpec& spec, int cores);
    [[nodiscard]] data::Loader& train_loader() { return *train_loader_; }
    [[nodiscard]] data::Loader* validation_loader() { return validation_loader_ ? &*validation_loader_ : nullptr; }
    // True if a loader thread may never return.
    [[nodiscard]] bool has_given_up() const;
    // The most threads that read training data at once.
    [[nodiscard]] std::int64_t most_workers() const { return most_workers_; }

private:
    data::Chain train_;
    std::optional<data::Chain> validation_;
    std::optional<data::Loader> train_loader_;
    std::optional<data::Loader> validation_loader_;
    std::int64_t most_workers_ = 0;
};

}  // namespace sluice::cli
