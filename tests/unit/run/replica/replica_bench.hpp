// A replica on the CPU that trains on one fixed batch.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "data/loader/loader.hpp"
#include "run/replica/replica.hpp"
#include "run/setup/open_optimizer.hpp"
#include "unit/plan_bench.hpp"

namespace sluice::test {

inline data::Batch fixed_batch(const PlanBench& bench) {
    data::Batch batch;
    batch.count = bench.spec.data.batch;
    for (const registry::Field& field : bench.fields) {
        data::NamedTensor tensor{field.name, field.role, {field.spec, {}}};
        for (std::uint64_t i = 0; i < byte_count(field.spec); ++i) {
            tensor.tensor.bytes.push_back(static_cast<std::uint8_t>((i * 37 + field.name.size() * 11) % 251));
        }
        batch.fields.push_back(std::move(tensor));
    }
    return batch;
}

// The kernels compute single layers, so that each layer has an output of its own.
struct ReplicaBench : PlanBench {
    explicit ReplicaBench(const std::string& set = "train.epochs=1") : PlanBench({"device.kernels=reference", set}) {}

    run::StepResult train(std::uint64_t step) {
        replica.training().compute_gradients(batch, {.step = step, .rates = run::constant_rate(1e-3)});
        replica.training().update();
        return replica.training().finish_step();
    }

    registry::Optimizer optimizer = run::open_optimizer(spec, registry, "cpu");
    run::Replica replica{spec, tools, &optimizer, fields, 2};
    data::Batch batch = fixed_batch(*this);
};

// Its gradients are not finite in float16, but its loss is.
inline const std::string kTooLargeScale =
    "precision={ use = \"mixed_float16\", loss_scale = \"static\", scale = 1e12, most_skips = 1 }";

}  // namespace sluice::test
