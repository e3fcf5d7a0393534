// What only transforms of batches have to keep.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "check/cases/transform_samples.hpp"
#include "registry/interfaces.hpp"

namespace sluice::check {
namespace {

void expect_batches(Trial& trial) {
    if (!registry::works_on_batches(trial.component())) {
        throw NotShown("it works on samples");
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
    expect(
        answer.status == SLUICE_UNSUPPORTED,
        fmt::format("apply() of sluice.transform/1 ends with status {}; a transform of batches leaves single samples: "
                    "SLUICE_UNSUPPORTED",
                    answer.status));
}

// A batch is smaller where an epoch ends; one of the same object may be of any size.
void takes_any_batch(Trial& trial) {
    expect_batches(trial);
    const FittedTransform transform(trial, {24, 32, 6, true});
    const registry::WorkerContext context = transform.make_context();
    for (const std::int64_t batch : {6, 1, 2, 7, 6}) {
        trial.doing(fmt::format("a batch of {}", batch));
        const Sample sample = transform.sample(0, {24, 32, batch, true});
        const std::string first = transform.apply(context, sample, kSampleKey);
        expect(transform.apply(transform.make_context(), sample, kSampleKey) == first,
               fmt::format("a batch of {} has other bytes after batches of other sizes", batch));
    }
}

constexpr std::array kCases{
    Case{"batch_transform.samples", "apply() of sluice.transform/1 is left to hosts that do not know batches.",
         leaves_single_samples},
    Case{"batch_transform.sizes", "Batches are of any size, one sample among them.", takes_any_batch},
};

}  // namespace

std::span<const Case> batch_transform_cases() { return kCases; }

}  // namespace sluice::check
