// Cases for transforms of samples and of batches: the same key gives the same bytes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "base/error.hpp"
#include "base/random.hpp"
#include "check/cases/concurrent_threads.hpp"
#include "check/cases/transform_samples.hpp"
#include "check/cases/windows.hpp"

namespace sluice::check {
namespace {

constexpr std::uint64_t kSamples = 5;
constexpr SampleShape kShape{24, 32, 5, false};

SampleShape of_samples(SampleShape shape) {
    shape.batch = 0;
    return shape;
}

// A transform of samples gets samples without a batch axis.
FittedTransform fit(Trial& trial, const SampleShape& shape = kShape) {
    return {trial, registry::works_on_batches(trial.component()) ? shape : of_samples(shape)};
}

sluice_random_key key_of(std::uint64_t number) { return {kSampleKey.seed, kSampleKey.stream, number}; }

class TransformTestObject final : public TestObject {
public:
    explicit TransformTestObject(Trial& trial) : transform_(fit(trial)), sample_(transform_.sample(0)) {}
    std::string use() override { return transform_.apply(transform_.make_context(), sample_, kSampleKey); }

private:
    FittedTransform transform_;
    Sample sample_;
};

std::vector<Sample> some_samples(const FittedTransform& transform) {
    std::vector<Sample> samples;
    for (std::uint64_t number = 0; number < kSamples; ++number) {
        samples.push_back(transform.sample(number));
    }
    return samples;
}

// Applies the transform to each sample, with a key of its own.
std::vector<std::string> apply_all(const FittedTransform& transform, const std::vector<Sample>& samples,
                                   bool is_backwards = false) {
    const registry::WorkerContext context = transform.make_context();
    std::vector<std::string> results(samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const std::size_t number = is_backwards ? samples.size() - 1 - i : i;
        results[number] = transform.apply(context, samples[number], key_of(number));
    }
    return results;
}

void keeps_the_input(Trial& trial) {
    const FittedTransform transform = fit(trial);
    const registry::WorkerContext context = transform.make_context();
    constexpr std::size_t kDigest = 64;
    bool has_passed = false;
    std::string result;
    for (const Sample& sample : some_samples(transform)) {
        const FittedTransform::Outcome outcome = transform.outcome(context, sample, kSampleKey);
        expect(outcome.wrong_writes.empty(), outcome.wrong_writes);
        result = outcome.result;
        has_passed = has_passed || result.size() == kDigest;
    }
    if (!has_passed) {
        trial.warn("the transform refuses every sample: " + result);
    }
}

void same_key_same_bytes(Trial& trial) {
    const FittedTransform transform = fit(trial);
    const std::vector<Sample> samples = some_samples(transform);
    const auto first = apply_all(transform, samples);
    expect(apply_all(transform, samples) == first, "the same keys and samples give other bytes the second time");
    expect(apply_all(transform, samples, true) == first, "samples have other bytes when they come in another order");
    expect(apply_all(fit(trial), samples) == first, "another object gives other bytes for the same keys and samples");
}

// Each thread has its own sample and key, so that data which threads share by mistake always differs. Samples are
// large, so that each call takes a while.
void transforms_on_any_thread(Trial& trial) {
    const FittedTransform transform = fit(trial, {96, 128, 2, false});
    std::vector<Sample> samples;
    std::vector<std::string> alone;
    const registry::WorkerContext first = transform.make_context();
    for (std::uint64_t number = 0; number < thread_group_size(); ++number) {
        samples.push_back(transform.sample(number));
        alone.push_back(transform.content(first, samples.back(), key_of(number)));
    }
    run_concurrently(thread_group_size(), 0.25 * trial.thread_share(), kYieldingTurns, [&](std::size_t thread) {
        return [&, thread, context = transform.make_context()](std::size_t turn) {
            expect(transform.content(context, samples[thread], key_of(thread), turn < kYieldingTurns) == alone[thread],
                   "samples have other bytes when several threads make them at once");
        };
    });
}

void draws_as_declared(Trial& trial) {
    if (registry::randomness_of(trial.manifest(), trial.options()) != registry::Drawing::never) {
        throw CaseSkipped("the manifest does not say draws = false");
    }
    const FittedTransform transform = fit(trial);
    const registry::WorkerContext context = transform.make_context();
    const Sample sample = transform.sample(0);
    const std::string first = transform.apply(context, sample, kSampleKey);
    for (std::uint64_t number = 100; number < 110; ++number) {
        expect(transform.apply(context, sample, key_of(number)) == first,
               "another key gives other bytes, though the manifest says draws = false");
    }
}

void fills_its_fields(Trial& trial) {
    const FittedTransform transform = fit(trial);
    if (transform.is_of_batches()) {
        throw CaseSkipped("the transform changes batches in place");
    }
    const registry::WorkerContext context = transform.make_context();
    for (const Sample& sample : some_samples(transform)) {
        expect(!transform.leaves_bytes(context, sample), "apply() leaves bytes of a field unwritten");
    }
}

// The first element of a tensor is at byte_offset after its address.
void reads_at_byte_offset(Trial& trial) {
    const FittedTransform transform = fit(trial);
    const registry::WorkerContext context = transform.make_context();
    for (Sample& sample : some_samples(transform)) {
        const std::string with_offset = transform.apply(context, sample, kSampleKey);
        sample.before = 0;
        expect(transform.apply(context, sample, kSampleKey) == with_offset,
               "a sample has other bytes if the byte_offset of its tensors is not 0");
    }
}

// A transform may refuse samples that are too small, with a reason.
void takes_small_samples(Trial& trial) {
    const FittedTransform any = fit(trial);
    for (const auto& [height, width] : {std::pair{1, 1}, {1, 9}, {7, 1}, {2, 3}, {5, 7}, {3, 11}, {13, 17}, {25, 33}}) {
        const SampleShape shape{height, width, any.is_of_batches() ? 3 : 0, false};
        const std::string what = fmt::format("a sample of {} x {}", height, width);
        trial.doing(what);
        if (any.is_of_batches()) {
            const FittedTransform own = fit(trial, shape);
            own.expect_sound(own.sample(0), what);
        } else {
            any.expect_sound(any.sample(0, shape), what);
        }
    }
}

Answer apply_raw(const FittedTransform& transform, const registry::WorkerContext& context, const Sample& sample,
                 SampleBuffer& buffer, bool is_larger, bool has_memory) {
    const Sample::View view = sample.view();
    const RawSampleSink sink(buffer, is_larger, has_memory);
    const auto& object = transform.of_samples().object();
    return ask(object.table()->apply, object.self(), context.get(), view.tensors.data(),
               static_cast<std::uint32_t>(view.tensors.size()), &kSampleKey, sink.abi());
}

void transform_survives_refused_memory(Trial& trial) {
    const FittedTransform transform = fit(trial);
    if (transform.is_of_batches() || transform.of_samples().written().empty()) {
        throw CaseSkipped("the transform asks for no memory");
    }
    const registry::WorkerContext context = transform.make_context();
    const Sample sample = transform.sample(0);
    const auto apply_with = [&](bool has_memory) {
        SampleBuffer buffer;
        return apply_raw(transform, context, sample, buffer, false, has_memory);
    };
    const Answer usual = apply_with(true);
    const Answer refused = apply_with(false);
    trial.expect_reason(refused, "apply() without memory");
    expect(refused.status == SLUICE_NO_MEMORY || (usual.status != SLUICE_OK && refused.status == usual.status),
           fmt::format("apply() returns status {} if allocate() has no memory; expected SLUICE_NO_MEMORY",
                       refused.status));
    expect(apply_with(true).status == usual.status, "apply() fails after a call that had no memory");
}

void transform_takes_structs_of_any_size(Trial& trial) {
    const FittedTransform transform = fit(trial);
    if (transform.is_of_batches()) {
        throw CaseSkipped("the transform gets no struct with a size");
    }
    const registry::WorkerContext context = transform.make_context();
    const Sample sample = transform.sample(0);
    std::array<std::string, 2> results;
    for (const bool is_larger : {false, true}) {
        SampleBuffer buffer;
        const Answer answer = apply_raw(transform, context, sample, buffer, is_larger, true);
        results[is_larger ? 1 : 0] = answer.status == SLUICE_OK ? buffer.digest() : answer.message;
    }
    expect(results[0] == results[1], "apply() gives another result with a larger sluice_sample_sink");
}

// Applies the transform to encoded files with random wrong bytes, some of them cut.
void survives_damaged_files(Trial& trial) {
    const FittedTransform transform = fit(trial);
    Sample sample = transform.sample(0);
    const auto encoded = std::ranges::find(sample.fields, std::int32_t{SLUICE_FIELD_ENCODED}, &registry::Field::role);
    if (transform.is_of_batches() || encoded == sample.fields.end()) {
        throw CaseSkipped("the transform gets no encoded file");
    }
    HostTensor& file = sample.tensors[static_cast<std::size_t>(encoded - sample.fields.begin())];
    const std::vector<std::uint8_t> whole = file.bytes;
    const registry::WorkerContext context = transform.make_context();
    constexpr int kTurns = 60;
    for (int turn = 0; turn < kTurns; ++turn) {
        file.bytes = whole;
        file.bytes.resize(turn % 3 == 0 ? 1 + trial.draw(whole.size()) : whole.size());
        for (int i = 0; i < 1 + turn % 4; ++i) {
            file.bytes[trial.draw(file.bytes.size())] = static_cast<std::uint8_t>(trial.draw(256));
        }
        file.spec.shape[0] = static_cast<std::int64_t>(file.bytes.size());
        trial.doing(fmt::format("damaged file number {}", turn));
        expect(transform.outcome(context, sample, kSampleKey).has_reason, "a damaged file is refused without a reason");
    }
    file.bytes = whole;
    file.spec.shape[0] = static_cast<std::int64_t>(whole.size());
    expect(
        transform.apply(context, sample, kSampleKey) == transform.apply(transform.make_context(), sample, kSampleKey),
        "an intact file gives other bytes after a damaged one");
}

std::unique_ptr<TestObject> make_transform_test_object(Trial& trial) {
    return std::make_unique<TransformTestObject>(trial);
}

constexpr std::array kSampleCases{
    Case{"transform.input", "Input fields are only read, and writes stay within their memory.", keeps_the_input},
    Case{"transform.same_key", "The same key and fields give the same bytes, in any order and by any object.",
         same_key_same_bytes},
    Case{"transform.any_thread", "Several threads transform samples at once, to the same bytes.",
         transforms_on_any_thread},
    Case{"transform.draws", "Another key gives other bytes only if the manifest allows it.", draws_as_declared},
    Case{"transform.fills", "apply() writes all bytes of the fields that describe() reported.", fills_its_fields},
    Case{"transform.offset", "The first element of a field is read at byte_offset after its address.",
         reads_at_byte_offset},
    Case{"transform.small",
         "Samples of one pixel and of odd sizes are written completely and no further, or refused with a reason.",
         takes_small_samples},
    Case{"transform.no_memory", "apply() returns SLUICE_NO_MEMORY if it gets no memory, and works again later.",
         transform_survives_refused_memory},
    Case{"transform.struct_sizes", "A larger struct of a newer host changes nothing.",
         transform_takes_structs_of_any_size},
    Case{"transform.damaged", "Damaged encoded files are decoded, or refused with a reason.", survives_damaged_files},
};

}  // namespace

const KindCases& transform_cases() {
    static const std::vector<Case> kAll = joined(
        {kSampleCases, transform_field_cases(), window_maker_cases(), window_choice_cases(), batch_transform_cases()});
    static const KindCases kTransform{
        {make_transform_test_object, create_plain<sluice_transform>, destroy_plain<sluice_transform>}, kAll};
    return kTransform;
}

}  // namespace sluice::check
