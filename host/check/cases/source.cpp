// Cases for sources: every caller gets the same bytes, and errors name what is wrong.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

#include "base/error.hpp"
#include "base/text/counted.hpp"
#include "check/cases/concurrent_threads.hpp"
#include "check/cases/source_samples.hpp"
#include "check/cases/windows.hpp"
#include "check/contract/cases.hpp"
#include "check/isolation/isolated.hpp"
#include "registry/loading/interfaces.hpp"
#include "registry/objects/data_sinks.hpp"
#include "sluice/kind/sampling.h"

namespace sluice::check {
namespace {

class SourceTestObject final : public TestObject {
public:
    explicit SourceTestObject(Trial& trial) : source_(open_source(trial)) {}
    std::string use() override {
        const registry::WorkerContext context = source_.make_context();
        std::string all;
        for (std::uint64_t index = 0; index < std::min<std::uint64_t>(source_.length(), 3); ++index) {
            all += read_sample(source_, context, index, 1) + "\n";
        }
        return all;
    }

private:
    registry::Source source_;
};

void expect_same(const Samples& first, const Samples& second, const std::string& when) {
    for (const auto& [index, sample] : first) {
        expect(second.at(index) == sample, fmt::format("sample {} has other bytes {}", index, when));
    }
}

void describes_itself_alike(Trial& trial) {
    const registry::Source source = open_source(trial);
    registry::FieldCollector again(trial.component());
    const Answer answer = ask(source.object().table()->describe, source.object().self(), again.abi());
    expect(answer.status == SLUICE_OK, fmt::format("the second describe() fails: {}", answer.message));
    expect(again.length == source.length(),
           fmt::format("describe() first reports {}, then {}", counted(source.length(), "sample"), again.length));
    const auto is_same = [](const registry::Field& a, const registry::Field& b) {
        return a.name == b.name && a.role == b.role && a.spec == b.spec;
    };
    expect(std::ranges::equal(again.fields, source.fields(), is_same),
           "describe() reports other fields the second time");
    read_in_order(source, some_samples(trial, source));  // reading compares each sample with the fields
}

void writes_all_and_no_more(Trial& trial) {
    const registry::Source source = open_source(trial);
    const registry::WorkerContext context = source.make_context();
    for (const std::uint64_t index : some_samples(trial, source)) {
        SampleBuffer one(0x00);
        SampleBuffer other(0xFF);
        try {
            source.read(context, index, 1, one);
            source.read(context, index, 1, other);
        } catch (const Error& error) {
            if (error.exit() != Exit::data) {
                throw;
            }
            continue;  // a bad sample has no bytes
        }
        expect(one.damage().empty(), fmt::format("read() of sample {} writes {}", index, one.damage()));
        expect(one.digest() == other.digest(),
               fmt::format("read() of sample {} leaves bytes of a field unwritten", index));
    }
}

// Reads samples in the order of `indices` until `time` is over.
Samples read_for(Trial& trial, const registry::Source& source, const std::vector<std::uint64_t>& indices,
                 std::chrono::duration<double> time) {
    const registry::WorkerContext context = source.make_context();
    const auto begin = std::chrono::steady_clock::now();
    Samples samples;
    for (const std::uint64_t index : indices) {
        if (std::chrono::steady_clock::now() - begin > time) {
            break;
        }
        trial.doing(fmt::format("read() of sample {}", index));
        samples[index] = read_sample(source, context, index, 1);
    }
    return samples;
}

constexpr std::uint64_t kFewSamples = 300;  // samples; a source with no more is read completely

// All samples of a small source. Of a larger one, the last, the first 16, and random ones.
std::vector<std::uint64_t> spread_samples(Trial& trial, const registry::Source& source) {
    std::vector<std::uint64_t> indices;
    if (source.length() <= kFewSamples) {
        indices.resize(source.length());
        std::iota(indices.begin(), indices.end(), 0);
        return indices;
    }
    constexpr std::uint64_t kFirst = 16;
    indices.push_back(source.length() - 1);
    for (std::uint64_t index = 0; index < kFirst; ++index) {
        indices.push_back(index);
    }
    while (indices.size() < kFewSamples) {
        indices.push_back(trial.draw(source.length()));
    }
    return indices;
}

std::vector<std::uint64_t> indices_of(const Samples& samples) {
    std::vector<std::uint64_t> indices;
    std::ranges::transform(samples, std::back_inserter(indices), &Samples::value_type::first);
    return indices;
}

void shuffle(Trial& trial, std::vector<std::uint64_t>& indices) {
    for (std::size_t left = indices.size(); left > 1; --left) {
        std::swap(indices[left - 1], indices[trial.draw(left)]);
    }
}

// Reads all samples of a small source if a twentieth of the time limit suffices. Of a larger one it reads what 0.3 s
// allow.
void any_order(Trial& trial) {
    const registry::Source source = open_source(trial);
    constexpr std::chrono::duration<double> kOfMany(0.3);
    const std::chrono::duration<double> for_ever = trial.limit();
    const auto first = read_for(trial, source, spread_samples(trial, source),
                                source.length() <= kFewSamples ? trial.limit() / 20 : kOfMany);
    std::vector<std::uint64_t> indices = indices_of(first);
    trial.note(fmt::format("{} of {}", indices.size(), counted(source.length(), "sample")));
    const auto expect_now = [&](const registry::Source& from, const std::string& when) {
        expect_same(first, read_for(trial, from, indices, for_ever), when);
    };
    if (source.length() > kFewSamples) {
        expect_now(source, "when samples are read from the first to the last");
    }
    std::ranges::reverse(indices);
    expect_now(source, "when samples are read in another order");
    shuffle(trial, indices);
    expect_now(source, "when samples are read in another order");
    for (const std::uint64_t index : some_samples(trial, source)) {
        if (first.contains(index)) {
            expect_same({{index, first.at(index)}}, read_in_order(source, {index}), "with a context of its own");
        }
    }
    expect_now(open_source(trial), "when another object reads it");
}

// The host uses class numbers as indices of per-class counts and weights.
void reports_classes_from_zero(Trial& trial) {
    const registry::Source source = open_source(trial);
    std::vector<std::uint32_t> fields;
    for (std::size_t i = 0; i < source.fields().size(); ++i) {
        if (source.fields()[i].role == SLUICE_FIELD_CLASS) {
            fields.push_back(static_cast<std::uint32_t>(i));
        }
    }
    if (fields.empty()) {
        throw CaseSkipped("no field of the source has the role SLUICE_FIELD_CLASS");
    }
    const registry::WorkerContext context = source.make_context();
    const auto begin = std::chrono::steady_clock::now();
    std::size_t count = 0;
    for (const std::uint64_t index : spread_samples(trial, source)) {
        SampleBuffer buffer;
        trial.doing(fmt::format("read() of sample {}", index));
        const bool is_bad = refusal(source, context, index, 1, buffer).has_value();
        for (const std::uint32_t field : is_bad ? std::span<const std::uint32_t>() : fields) {
            const std::int64_t label = buffer.tensor(field).as<std::int64_t>()[0];
            expect(label >= 0, fmt::format("field '{}' of sample {} is {}; class numbers are 0 or more",
                                           source.fields()[field].name, index, label));
        }
        ++count;
        if (std::chrono::steady_clock::now() - begin > trial.limit() / 20) {
            break;
        }
    }
    trial.note(fmt::format("{} of {}", count, counted(source.length(), "sample")));
}

// All bytes of the sample, or why it is bad.
std::string content(const registry::Source& source, const registry::WorkerContext& context, std::uint64_t index,
                    bool waits = false) {
    YieldingBuffer buffer(waits);
    const auto why = refusal(source, context, index, 1, buffer);
    return why ? *why : buffer.content();
}

// Each thread begins with another sample, so that data which they share by mistake usually differs.
void reads_on_any_thread(Trial& trial) {
    const registry::Source source = open_source(trial);
    const std::vector<std::uint64_t> indices = some_samples(trial, source);
    const registry::WorkerContext first = source.make_context();
    std::vector<std::string> alone;
    for (const std::uint64_t index : indices) {
        alone.push_back(content(source, first, index));
    }
    run_concurrently(thread_group_size(), 0.5 * trial.thread_share(), kYieldingTurns, [&](std::size_t thread) {
        return [&, thread, context = std::unique_ptr<registry::WorkerContext>()](std::size_t turn) mutable {
            const std::size_t place = (thread + turn) % indices.size();
            if (turn == 0 || place == 0) {  // indices ascend within a context; source.any_order covers other orders
                context = std::make_unique<registry::WorkerContext>(source.make_context());
            }
            expect(content(source, *context, indices[place], turn < kYieldingTurns) == alone[place],
                   fmt::format("sample {} has other bytes when several threads read at once", indices[place]));
        };
    });
}

void follows_the_seed_as_declared(Trial& trial) {
    if (registry::randomness_of(trial.manifest(), trial.options()) != registry::Drawing::never) {
        throw CaseSkipped("the manifest does not say draws = false");
    }
    const registry::Source source = open_source(trial);
    const std::vector<std::uint64_t> indices = some_samples(trial, source);
    expect_same(read_in_order(source, indices), read_in_order(source, indices, 2),
                "with another seed, though the manifest says draws = false");
}

void source_survives_refused_memory(Trial& trial) {
    const registry::Source source = open_source(trial);
    const registry::WorkerContext context = source.make_context();
    const auto read_with = [&](bool has_memory) {
        SampleBuffer buffer;
        const RawSampleSink sink(buffer, false, has_memory);
        return ask(source.object().table()->read, source.object().self(), context.get(), std::uint64_t{0},
                   std::uint64_t{1}, sink.abi());
    };
    const Answer usual = read_with(true);
    const Answer refused = read_with(false);
    trial.expect_reason(refused, "read() without memory");
    expect(
        refused.status == SLUICE_NO_MEMORY || (usual.status != SLUICE_OK && refused.status == usual.status),
        fmt::format("read() returns status {} if allocate() has no memory; expected SLUICE_NO_MEMORY", refused.status));
    expect(read_with(true).status == usual.status, "read() fails after a call that had no memory");
}

void source_takes_structs_of_any_size(Trial& trial) {
    const registry::Source source = open_source(trial);
    const registry::WorkerContext context = source.make_context();
    std::string digests[2];
    for (const bool is_larger : {false, true}) {
        SampleBuffer buffer;
        const RawSampleSink sink(buffer, is_larger);
        const Answer answer = ask(source.object().table()->read, source.object().self(), context.get(),
                                  std::uint64_t{0}, std::uint64_t{1}, sink.abi());
        digests[is_larger ? 1 : 0] = answer.status == SLUICE_OK ? buffer.digest() : answer.message;
    }
    expect(digests[0] == digests[1], "read() gives another result with a larger sluice_sample_sink");
}

void reports_classes_and_weights(Trial& trial) {
    const auto* const table =
        static_cast<const sluice_sampling*>(registry::optional_interface(trial.component(), SLUICE_SAMPLING_V1));
    if (table == nullptr) {
        throw CaseSkipped("the source does not serve " SLUICE_SAMPLING_V1);
    }
    const registry::Source source = open_source(trial);
    std::vector<std::int64_t> classes(source.length(), -1);
    const Answer of_classes = ask(table->classes, source.object().self(), classes.data(), source.length());
    trial.expect_reason(of_classes, "classes()");
    expect(of_classes.status != SLUICE_OK || std::ranges::min(classes) >= 0, "classes() gives a class number below 0");
    std::vector<double> weights(source.length(), -1.0);
    const Answer of_weights = ask(table->weights, source.object().self(), weights.data(), source.length());
    trial.expect_reason(of_weights, "weights()");
    expect(
        of_weights.status != SLUICE_OK || std::ranges::all_of(weights, [](double w) { return w >= 0.0 && w < 1e300; }),
        "weights() gives a weight that is negative or not finite");
}

// Reads a sample that does not exist, in a process of its own because read() may crash. The finding is `passed` if
// read() refuses it with a reason.
Finding read_beyond(Trial& trial, std::uint64_t length, std::uint64_t index) {
    constexpr std::chrono::duration<double> kLimit(5);
    Finding found;
    found.result = Result::crashed;
    const auto read_there = [&](Report& report) {
        const registry::Source source = open_source(trial);
        SampleBuffer buffer;
        const RawSampleSink sink(buffer, false);
        const Answer answer = ask(source.object().table()->read, source.object().self(), source.make_context().get(),
                                  index, std::uint64_t{1}, sink.abi());
        const bool is_refused = answer.status != SLUICE_OK && !answer.message.empty();
        found.result = is_refused ? Result::passed : Result::warned;
        found.reason = answer.status == SLUICE_OK ? "returns a sample" : "fails without a reason";
        report.add(found);
    };
    run_isolated(found, {.limit = std::min(kLimit, trial.limit() / 3), .hint = ""}, read_there,
                 [&](const Finding& finding) { found = finding; });
    found.place = fmt::format("read() of sample {}, past the end of {} samples,", index, length);
    return found;
}

// This breaks no rule, because the host asks only for samples below the length. It warns because a refusal would expose
// a caller's error.
void refuses_what_is_not_there(Trial& trial) {
    const std::uint64_t length = open_source(trial).length();
    for (const std::uint64_t index : {length, std::numeric_limits<std::uint64_t>::max()}) {
        if (const Finding found = read_beyond(trial, length, index); found.result != Result::passed) {
            trial.warn(
                fmt::format("{} {}; the host never asks for it, but SLUICE_INVALID with a reason would expose errors",
                            found.place, found.reason));
            return;
        }
    }
}

std::unique_ptr<TestObject> make_source_test_object(Trial& trial) { return std::make_unique<SourceTestObject>(trial); }

constexpr Case kSourceCases[] = {
    {"source.fields", "describe() reports the same each time, and every sample has these fields.",
     describes_itself_alike},
    {"source.bounds",
     "read() writes all bytes of a field and none beside it, and needs no more than the alignment of its elements.",
     writes_all_and_no_more},
    {"source.any_order", "A sample does not depend on earlier reads, or on the object. Large sources are read in part.",
     any_order},
    {"source.classes", "Class numbers are 0 or more. Large sources are read in part.", reports_classes_from_zero},
    {"source.any_thread", "A sample does not depend on the thread, and threads read at once.", reads_on_any_thread},
    {"source.range",
     "A sample that does not exist is refused with a reason. This only warns, because the host never asks for one.",
     refuses_what_is_not_there},
    {"source.seed", "Samples follow the seed only if the manifest allows it.", follows_the_seed_as_declared},
    {"source.no_memory", "read() returns SLUICE_NO_MEMORY if it gets no memory, and reads again later.",
     source_survives_refused_memory},
    {"source.struct_sizes", "A larger struct of a newer host changes nothing.", source_takes_structs_of_any_size},
    {"source.sampling", "Classes and weights are given for every sample, not negative and finite.",
     reports_classes_and_weights},
};

}  // namespace

const KindCases& source_cases() {
    static const std::vector<Case> kAll =
        joined({kSourceCases, source_name_cases(), source_file_cases(), window_source_cases()});
    static const KindCases kSource{{make_source_test_object, create_plain<sluice_source>, destroy_plain<sluice_source>},
                                   kAll};
    return kSource;
}

}  // namespace sluice::check
