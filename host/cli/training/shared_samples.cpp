#include "cli/training/shared_samples.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "run/collective/sharing.hpp"
#include "run/setup/batch_fields.hpp"

namespace sluice::cli {
namespace {

// True if the fields that the model uses have the same shape in all samples.
bool are_alike(const data::Chain& chain, const config::ModelSpec& model) {
    const std::vector<std::string> used = run::model_fields(model);
    return std::ranges::all_of(chain.fields(), [&](const registry::Field& field) {
        return std::ranges::find(used, field.name) == used.end() ||
               std::ranges::all_of(shape_of(field.spec), [](std::int64_t extent) { return extent >= 0; });
    });
}

}  // namespace

void share_samples(TrainingData& data, const run::TrainingReplicas& replicas, const config::PipelineSpec& spec) {
    if (replicas.processes().count() == 1) {
        return;
    }
    const auto own = [&spec, topology = replicas.topology()](std::int64_t samples) {
        return run::own_samples(spec, topology, samples);
    };
    if (spec.data.skip_bad == 0 && data.train().batch_entries().empty() && are_alike(data.train(), spec.model)) {
        data.train_loader().make_only(own);
    }
    if (data.validation() != nullptr) {
        data.validation_loader()->make_only(own);
    }
}

}  // namespace sluice::cli
