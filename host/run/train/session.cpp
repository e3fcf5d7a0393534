#include "run/train/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "base/byte_size.hpp"
#include "base/counted.hpp"
#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/nearest.hpp"
#include "config/keys.hpp"
#include "run/train/signals.hpp"

namespace sluice::run {
namespace {

constexpr std::uint64_t kMostBatchBytes = std::uint64_t{1} << 48;
constexpr std::int64_t kPrefetch = 4;  // batches

// [optimizer] also has keys of the host. The optimizer's own schema could not suggest those for a misspelt key.
void check_keys(const config::ComponentSpec& optimizer, const registry::Component& component) {
    std::vector<std::string> known{"rate", "scale_rate", "scale_from", "clip_norm"};
    for (const registry::OptionSchema& option : component.manifest->options) {
        known.push_back(option.name);
    }
    for (const auto& [key, value] : optimizer.options.entries()) {
        if (std::ranges::find(known, key) == known.end()) {
            std::string hint = suggestion(key, known);
            hint += hint.starts_with("; did") ? "" : config::place_of_key(key, "optimizer");
            throw Error(Exit::config, fmt::format("{}: unknown option '{}' of optimizer '{}'{}",
                                                  to_string(value.origin), key, optimizer.use, hint));
        }
    }
}

const config::StreamSpec& stream_of(const config::PipelineSpec& spec, bool training) {
    return training || !spec.data.validation ? spec.data.train : *spec.data.validation;
}

// Returns a sample for its shapes: the first that is not bad.
const data::Sample& any_sample(data::Chain::Worker& worker, std::uint64_t length) {
    constexpr std::uint64_t kTries = 16;
    const std::uint64_t last = std::min(length, kTries) - 1;
    for (std::uint64_t index = 0;; ++index) {
        try {
            return worker.make(0, index);
        } catch (const Error& error) {
            if (error.exit() != Exit::data || index == last) {
                throw;
            }
        }
    }
}

}  // namespace

std::vector<registry::Field> batch_fields(const data::Chain& chain, std::span<const std::string> names,
                                          std::int64_t batch) {
    std::vector<registry::Field> fields;
    std::unique_ptr<data::Chain::Worker> worker;
    const data::Sample* first = nullptr;
    for (const std::string& name : names) {
        const auto known = std::ranges::find(chain.fields(), name, &registry::Field::name);
        if (known == chain.fields().end()) {
            continue;  // the loader reports the missing field later, with the nearest name
        }
        registry::Field field = *known;
        if (std::ranges::any_of(shape_of(field.spec), [](std::int64_t extent) { return extent < 0; })) {
            if (first == nullptr) {
                worker = std::make_unique<data::Chain::Worker>(chain);
                first = &any_sample(*worker, chain.length());
            }
            field.spec = std::ranges::find(first->fields, name, &data::SampleField::name)->tensor.spec;
        }
        // Layers make larger tensors from this field, and their sizes must not overflow.
        if (const auto bytes = byte_count(field.spec); bytes > kMostBatchBytes / static_cast<std::uint64_t>(batch)) {
            throw Error(Exit::config, fmt::format("a batch of {} with the field '{}' of {} has more than {}; "
                                                  "use a smaller data.batch or smaller samples",
                                                  counted(batch, "sample"), name, to_string(field.spec), "256 TiB"));
        }
        std::vector<std::int64_t> shape{batch};
        shape.insert(shape.end(), field.spec.shape, field.spec.shape + field.spec.rank);
        field.spec = make_spec(field.spec.dtype, shape);
        fields.push_back(std::move(field));
    }
    return fields;
}

std::vector<std::string> model_fields(const config::ModelSpec& model) {
    std::vector<std::string> names{model.input};
    if (model.target != model.input) {
        names.push_back(model.target);
    }
    return names;
}

std::vector<std::string> fields_in_batches(const config::PipelineSpec& spec, const data::Chain& chain) {
    if (!spec.model.input.empty()) {
        return model_fields(spec.model);
    }
    std::vector<std::string> names;
    std::ranges::transform(chain.fields(), std::back_inserter(names), &registry::Field::name);
    return names;
}

registry::Optimizer open_optimizer(const config::PipelineSpec& spec, const registry::Registry& registry,
                                   const std::string& device_kind) {
    const registry::Component component =
        registry.find(registry::Kind::optimizer, spec.optimizer.use, spec.optimizer.origin, device_kind);
    check_keys(spec.optimizer, component);
    return {component, registry.options(component, spec.optimizer), spec.optimizer.origin};
}

ThreadPlan thread_plan(const config::PipelineSpec& spec, const plan::Toolbox& tools,
                       std::span<const registry::Field> fields, plan::Mode mode, int cores) {
    ThreadNeeds needs{.cores = cores, .workers = spec.data.workers};
    needs.samples_ahead = spec.data.prefetch ? spec.data.batch * *spec.data.prefetch : cores;
    estimate_step(plan::build_graph(spec, tools, fields, mode), needs);
    return plan_threads(needs);
}

data::LoaderOptions loader_options(const config::PipelineSpec& spec, bool training, int cores) {
    data::LoaderOptions options;
    options.batch = spec.data.batch;
    options.prefetch = spec.data.prefetch.value_or(kPrefetch);
    // If prefetch is tuned, any number of threads may find work.
    const std::int64_t ahead = spec.data.prefetch ? options.batch * options.prefetch : cores;
    options.most_workers = plan_threads({.cores = cores, .samples_ahead = ahead, .workers = spec.data.workers}).workers;
    options.workers = training && !spec.data.workers ? 1 : options.most_workers;
    const std::uint64_t free = available_memory() / (spec.data.prefetch ? 2 : 8);
    options.ahead_bytes = stream_of(spec, training).batch_bytes.value_or(training ? free : free / 2) / 2;
    options.one_ahead = !stream_of(spec, training).batch_bytes;  // without data.memory, ahead_bytes is only an estimate
    if (!spec.data.prefetch) {
        options.most_prefetch = training ? std::numeric_limits<std::int64_t>::max() : options.prefetch;
    }
    options.seed = static_cast<std::uint64_t>(spec.seed);
    options.skip_bad = training ? spec.data.skip_bad : 0;
    options.leave_out_bad = !training && spec.data.skip_bad > 0;  // evaluation counts them itself
    options.stall_seconds = spec.data.stall_seconds;
    options.stop = [] { return stop_signal() != 0; };
    options.shuffle = training;
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
