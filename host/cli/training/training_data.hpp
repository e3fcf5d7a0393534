// What a training reads: its data and, where it has them, those that it is validated on.
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
    // Null where there are none.
    [[nodiscard]] const data::Chain* validation() const { return validation_ ? &*validation_ : nullptr; }

    // Starts the threads of the loaders, which are there from then on.
    void start(const config::PipelineSpec& spec, int cores);
    [[nodiscard]] data::Loader& train_loader() { return *train_loader_; }
    [[nodiscard]] data::Loader* validation_loader() { return validation_loader_ ? &*validation_loader_ : nullptr; }
    // Whether a thread that makes samples may never come back.
    [[nodiscard]] bool has_given_up() const;
    // That read training data at once.
    [[nodiscard]] std::int64_t most_workers() const { return most_workers_; }

private:
    data::Chain train_;
    std::optional<data::Chain> validation_;
    std::optional<data::Loader> train_loader_;
    std::optional<data::Loader> validation_loader_;
    std::int64_t most_workers_ = 0;
};

}  // namespace sluice::cli
