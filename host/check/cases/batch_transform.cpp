// Cases for batch transforms only.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "check/cases/child_process.hpp"
#include "check/cases/transform_samples.hpp"
#include "registry/loading/interfaces.hpp"

namespace sluice::check {
namespace {

void expect_batches(Trial& trial) {
    if (!registry::works_on_batches(trial.component())) {
        throw CaseSkipped("the transform works on samples, not on batches");
    }
}

void leaves_single_samples(Trial& trial) {
    expect_batches(trial);
    const Sample sample = FittedTransform(trial, {24, 32, 3, true}).sample(0, {24, 32, 0, true});
    const registry::Transform transform(trial.component(), trial.options(), {}, sample.fields);
    const registry::WorkerContext context = transform.make_context();
    const Sample::View view = sample.view();
    SampleBuffer buffer;
    const RawSampleSink sink(buffer, false);
    const Answer answer =
        ask(transform.object().table()->apply, transform.object().self(), context.get(), view.tensors.data(),
            static_cast<std::uint32_t>(view.tensors.size()), &kSampleKey, sink.abi());
    expect(answer.status == SLUICE_UNSUPPORTED,
           fmt::format("apply() of sluice.transform/1 returns status {}; a batch transform must refuse single samples "
                       "with SLUICE_UNSUPPORTED",
                       answer.status));
}

SampleShape batch_of(std::int64_t samples) { return {24, 32, samples, true}; }

// An object gets batches of any size: the last batch of an epoch is smaller. The expected result of each size comes
// from a fresh process. This finds state that an object or the plugin keeps from its first batch.
void takes_any_batch(Trial& trial) {
    expect_batches(trial);
    constexpr std::int64_t kAnnounced = 6;
    std::map<std::int64_t, std::string> alone;
    for (const std::int64_t batch : {6, 1, 2, 7}) {
        alone[batch] = expect_passed(in_child_process(trial, [&](const auto&) {
            const FittedTransform transform(trial, batch_of(kAnnounced));
            return transform.apply(transform.make_context(), transform.sample(0, batch_of(batch)), kSampleKey);
        }));
    }
    const FittedTransform transform(trial, batch_of(kAnnounced));
    const registry::WorkerContext context = transform.make_context();
    for (const std::int64_t batch : {6, 1, 2, 7, 1, 6}) {
        trial.doing(fmt::format("a batch of {}", batch));
        const Sample sample = transform.sample(0, batch_of(batch));
        const std::string message = fmt::format("a batch of {} has other bytes after batches of other sizes", batch);
        expect(transform.apply(context, sample, kSampleKey) == alone.at(batch), message);
        expect(transform.apply(transform.make_context(), sample, kSampleKey) == alone.at(batch), message);
    }
}

constexpr std::array kBatchTransformCases{
    Case{"batch_transform.samples", "apply() of sluice.transform/1 returns SLUICE_UNSUPPORTED.", leaves_single_samples},
    Case{"batch_transform.sizes", "Batches of any size give what a fresh object makes of them.", takes_any_batch},
};

}  // namespace

std::span<const Case> batch_transform_cases() { return kBatchTransformCases; }

}  // namespace sluice::check
