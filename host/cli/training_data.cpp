#include "cli/training_data.hpp"

#include "run/session.hpp"

namespace sluice::cli {

TrainingData::TrainingData(const config::PipelineSpec& spec, const registry::Registry& registry)
    : train_(spec.data.train, registry, static_cast<std::uint64_t>(spec.seed), "data.train") {
    if (spec.data.validation) {
        validation_.emplace(*spec.data.validation, registry, static_cast<std::uint64_t>(spec.seed), "data.validation");
    }
}

void TrainingData::start(const config::PipelineSpec& spec, int cores) {
    const data::LoaderOptions train = run::loader_options(spec, true, cores);
    most_workers_ = train.most_workers;
    train_loader_.emplace(train_, train);
    if (validation_) {
        data::LoaderOptions options = run::loader_options(spec, false, cores);
        options.batch = run::validation_batch(spec, *validation_);
        validation_loader_.emplace(*validation_, options);
    }
}

}  // namespace sluice::cli
