// The data of a training, for tests that take batches and train no network.
#pragma once

#include <string>

#include "data/loader/loader.hpp"
#include "run/setup/loader_setup.hpp"
#include "run/train/epoch_data_check.hpp"
#include "run/train/training_batches.hpp"
#include "unit/plan_bench.hpp"

namespace sluice::test {

// The source has only sharp pictures; this makes the blurred ones.
inline const std::string kBlur =
    "data.train.map=[{ use = \"motion_blur\", from = \"sharp\", to = \"blurred\", length = 5, angle = 0 }]";

// An epoch has three batches of two samples.
struct TrainingData {
    explicit TrainingData(const std::string& set = "train.epochs=1")
        : bench({set, "data.train.source.count=6", kBlur}) {}

    // Trains `steps` steps of one batch, without a network.
    void train(int steps) {
        for (int i = 0; i < steps; ++i) {
            batches.next();
            ++progress.step;
            ++progress.batch;
            digests.add_step(progress, 0.0);
            if (timeline.is_epoch_done(progress)) {
                ++progress.epoch;
                progress.batch = 0;
            }
        }
        progress.loader_state = batches.loader_state_at(progress.batch);
    }

    PlanBench bench;
    data::Chain chain{bench.spec.data.train, bench.registry, 7, "data.train"};
    data::Loader loader{chain, run::loader_options(bench.spec, true, 1)};
    registry::Processes processes;
    run::StopRequest stop{processes};
    run::Timeline timeline{bench.spec, loader.batches_per_epoch()};
    run::TrainingBatches batches{bench.spec, loader};
    run::EpochDataCheck digests{bench.spec, processes, loader, timeline, stop};
    run::Progress progress;
};

}  // namespace sluice::test
