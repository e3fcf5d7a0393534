#include "cli/training/training_data.hpp"

#include "base/process_place.hpp"
#include "run/collective/timeouts.hpp"
#include "run/network/replica_lost.hpp"
#include "run/setup/loader_setup.hpp"

namespace sluice::cli {

TrainingData::TrainingData(const config::PipelineSpec& spec, const registry::Registry& registry)
    : train_(spec.data.train, registry, static_cast<std::uint64_t>(spec.seed), "data.train") {
    if (spec.data.validation) {
        validation_.emplace(*spec.data.validation, registry, static_cast<std::uint64_t>(spec.seed), "data.validation");
    }
}

void TrainingData::start(const config::PipelineSpec& spec, int cores) {
    data::LoaderOptions train = run::loader_options(spec, true, cores);
    if (process_place().count > 1) {  // all processes stop together, after a step
        train.stop = [] {
            run::throw_if_replica_lost();
            return false;
        };
        train.most_stalls = run::kMostStalls;
    }
    most_workers_ = train.most_workers;
    run::check_batches_fit(spec, train_, train.batch);
    train_loader_.emplace(train_, train);
    if (validation_) {
        data::LoaderOptions options = run::loader_options(spec, false, cores);
        options.stop = train.stop;
        options.most_stalls = train.most_stalls;
        options.batch = run::validation_batch(spec, *validation_);
        run::check_batches_fit(spec, *validation_, options.batch);
        validation_loader_.emplace(*validation_, options);
    }
}

bool TrainingData::has_given_up() const {
    return train_loader_->has_given_up() || (validation_loader_ && validation_loader_->has_given_up());
}

}  // namespace sluice::cli
