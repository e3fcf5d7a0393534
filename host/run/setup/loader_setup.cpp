#include "run/setup/loader_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/signals/stop_handler.hpp"
#include "base/text/byte_size.hpp"
#include "base/text/counted.hpp"
#include "run/setup/batch_fields.hpp"

namespace sluice::run {
namespace {

constexpr std::int64_t kPrefetch = 4;  // batches

const config::StreamSpec& stream_of(const config::PipelineSpec& spec, bool training) {
    return training || !spec.data.validation ? spec.data.train : *spec.data.validation;
}

}  // namespace

ThreadPlan thread_plan(const config::PipelineSpec& spec, const plan::Toolbox& tools,
                       std::span<const registry::Field> fields, plan::Mode mode, int cores) {
    ThreadNeeds needs{.cores = cores, .workers = spec.data.workers};
    needs.prefetched_samples = spec.data.prefetch ? spec.data.batch * *spec.data.prefetch : cores;
    estimate_step(plan::build_graph(spec, tools, fields, mode), needs);
    return plan_threads(needs);
}

data::LoaderOptions loader_options(const config::PipelineSpec& spec, bool training, int cores) {
    data::LoaderOptions options;
    options.batch = spec.data.batch;
    options.prefetch = spec.data.prefetch.value_or(kPrefetch);
    // If prefetch is tuned, any number of threads may find work.
    const std::int64_t prefetched = spec.data.prefetch ? options.batch * options.prefetch : cores;
    options.most_workers =
        plan_threads({.cores = cores, .prefetched_samples = prefetched, .workers = spec.data.workers}).workers;
    options.workers = training && !spec.data.workers ? 1 : options.most_workers;
    const std::uint64_t free = available_memory() / (spec.data.prefetch ? 2 : 8);
    options.prefetch_bytes = stream_of(spec, training).batch_bytes.value_or(training ? free : free / 2) / 2;
    options.allows_one_prefetched =
        !stream_of(spec, training).batch_bytes;  // without data.memory, prefetch_bytes is only an estimate
    if (!spec.data.prefetch) {
        options.most_prefetch = training ? std::numeric_limits<std::int64_t>::max() : options.prefetch;
    }
    options.seed = static_cast<std::uint64_t>(spec.seed);
    options.skip_bad = training ? spec.data.skip_bad : 0;
    options.leave_out_bad = !training && spec.data.skip_bad > 0;  // evaluation counts them itself
    options.stall_seconds = spec.data.stall_seconds;
    options.stop = [] { return stop_signal() != 0; };
    options.shuffle = training;
    options.repeat_samples = training ? static_cast<std::uint64_t>(spec.what_if.repeat_samples) : 0;
    options.one_pass = !training;
    options.fields = model_fields(spec.model);
    return options;
}

void check_batches_fit(const config::PipelineSpec& spec, const data::Chain& chain, std::int64_t batch) {
    const std::optional<std::uint64_t> room = stream_of(spec, chain.purpose() != "data.validation").batch_bytes;
    if (!room) {
        return;
    }
    std::uint64_t sample = 0;
    for (const registry::Field& field : batch_fields(chain, fields_in_batches(spec, chain), 1)) {
        sample += byte_count(field.spec);
    }
    const std::uint64_t fit = *room / 2 / std::max<std::uint64_t>(sample, 1);
    if (std::cmp_greater(batch, fit)) {
        throw Error(Exit::config,
                    fmt::format("{}: a batch of {} takes {}, but data.memory = {} leaves {} for two batches, the one "
                                "in use and a prefetched one; use {}more memory",
                                chain.purpose(), counted(batch, "sample"),
                                format_size(sample * static_cast<std::uint64_t>(batch)), format_size(*spec.data.memory),
                                format_size(*room), fit > 0 ? fmt::format("data.batch = {}, or ", fit) : ""));
    }
}

std::int64_t validation_batch(const config::PipelineSpec& spec, const data::Chain& chain) {
    const bool differ = std::ranges::any_of(chain.fields(), [](const registry::Field& field) {
        return std::ranges::any_of(shape_of(field.spec), [](std::int64_t extent) { return extent < 0; });
    });
    return differ ? 1 : spec.data.batch;
}

}  // namespace sluice::run
