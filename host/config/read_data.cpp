// Reads [data] and its streams.
#include <fmt/format.h>

#include <algorithm>

#include "base/text/byte_size.hpp"
#include "config/cache_entry.hpp"
#include "config/limits.hpp"
#include "config/read.hpp"

namespace sluice::config {
namespace {

// Reads one source or several. Of several sources, all have a weight or none has.
std::vector<SourceSpec> read_sources(TableReader& stream) {
    stream.describe_key("source", {.kind = Key::Kind::sources, .is_needed = true});
    const Value& written = stream.need("source", "a table with 'use'");
    if (written.as_array() == nullptr) {
        TableReader table = stream.child("source");
        ComponentSpec source = read_component(table);
        stream.put("source", table.finish());
        return {{std::move(source), {}}};
    }
    std::vector<SourceSpec> sources;
    for (const Value& one : *written.as_array()) {
        const std::string path = stream.path_of("source") + "." + std::to_string(sources.size());
        if (one.as_table() == nullptr) {
            fail_needed(path, one, "a table with 'use'");
        }
        TableReader table = stream.inner(path, one);
        SourceSpec source;
        if (table.has("weight")) {
            source.weight = table.number("weight", {.min = 0.0, .above_min = true}, 1.0);
        }
        source.component = read_component(table);
        if (!sources.empty() && source.weight.has_value() != sources.front().weight.has_value()) {
            fail(one.origin, path + (source.weight ? " has a weight, but" : " has no weight, but") +
                                 " the sources before it have " + (source.weight ? "none" : "one") +
                                 "; give all sources a weight, or none");
        }
        sources.push_back(std::move(source));
    }
    if (sources.empty()) {
        fail(written.origin, stream.path_of("source") + " is empty; at least one source is needed");
    }
    return sources;
}

OrderSpec read_order(TableReader& stream) {
    TableReader table = stream.child("order");
    OrderSpec order;
    static const std::vector<std::string> names = {"random", "blocks"};
    if (names[table.choice("use", names)] == "blocks") {
        order.block = table.integer("block", {.min = 1}, 256);
        order.together = table.integer("together", {.min = 1}, 16);
    }
    stream.put("order", table.finish());
    return order;
}

SamplingSpec read_sampling(TableReader& stream) {
    TableReader table = stream.child("sampling");
    SamplingSpec sampling;
    sampling.use = static_cast<SamplingKind>(table.choice("use", sampling_names()));
    sampling.origin = table.origin_of("use");
    if (sampling.use == SamplingKind::classes) {
        for (const Value& weight : table.array("weights")) {
            sampling.weights.push_back(read_number(table.path_of("weights"), weight, {.min = 0.0}));
        }
    }
    stream.put("sampling", table.finish());
    return sampling;
}

StreamSpec read_stream(TableReader& data, const std::string& purpose) {
    data.need(purpose, "a table");
    TableReader table = data.child(purpose);
    StreamSpec stream;
    stream.sources = read_sources(table);
    if (purpose == "train") {
        stream.order = read_order(table);
        stream.sampling = read_sampling(table);
    }
    stream.map = read_components(table, "map", {});
    data.put(purpose, table.finish());
    return stream;
}

// Fills `others` of each source with the other sources of its name.
void fill_others(DataSpec& data) {
    std::vector<SourceSpec*> all;
    for (SourceSpec& source : data.train.sources) {
        all.push_back(&source);
    }
    if (data.validation) {
        for (SourceSpec& source : data.validation->sources) {
            all.push_back(&source);
        }
    }
    for (SourceSpec* const source : all) {
        for (const SourceSpec* const other : all) {
            if (other != source && other->component.use == source->component.use) {
                source->others.push_back(other->component);
            }
        }
    }
}

// Divides data.memory. Memory caches without a `budget` share half of it. Validation gets a third of the rest, and
// train the remainder. Each stream uses half of its share for batches and half for samples in preparation.
void share_memory(DataSpec& data, const Origin& origin) {
    if (!data.memory) {
        return;
    }
    std::vector<StreamSpec*> open;
    std::uint64_t total = 0;
    const auto add_cache_of = [&](StreamSpec& stream) {
        const auto cache = std::ranges::find_if(
            stream.map, [](const ComponentSpec& entry) { return is_cache(entry) && !is_on_disk(entry); });
        if (cache == stream.map.end()) {
            return;
        }
        stream.cache_bytes = budget_of(*cache);  // the chain reports a wrong budget
        total += stream.cache_bytes.value_or(0);
        if (!stream.cache_bytes) {
            open.push_back(&stream);
        }
    };
    add_cache_of(data.train);
    if (data.validation) {
        add_cache_of(*data.validation);
    }
    for (StreamSpec* const stream : open) {
        stream->cache_bytes = *data.memory / 2 / open.size();
        total += *stream->cache_bytes;
    }
    if (total > *data.memory / 4 * 3) {
        fail(origin, fmt::format("data.memory is {}, but the caches in memory take up to {}{}; limit them to three "
                                 "quarters of data.memory, so that batches have room",
                                 format_size(*data.memory), format_size(total),
                                 open.empty() ? "" : " (caches without a 'budget' take half of data.memory)"));
    }
    const std::uint64_t rest = *data.memory - total;
    const auto share = [](StreamSpec& stream, std::uint64_t bytes) {
        stream.batch_bytes = bytes / 2;
        stream.sample_bytes = bytes / 2;
    };
    share(data.train, data.validation ? rest / 3 * 2 : rest);
    if (data.validation) {
        share(*data.validation, rest / 3);
    }
}

}  // namespace

void read_data(TableReader& pipeline, PipelineSpec& spec) {
    pipeline.need("data", "a table");
    TableReader data = pipeline.child("data");
    spec.data.batch = data.integer("batch", {.min = 1}, spec.data.batch);
    spec.data.workers = data.integer_or_auto("workers", {.min = 0, .max = kMostWorkers});
    spec.data.prefetch = data.integer_or_auto("prefetch", {.min = 1});
    spec.data.memory = data.maybe_size("memory");
    spec.data.skip_bad = data.integer("skip_bad", {.min = 0}, spec.data.skip_bad);
    spec.data.stall_seconds = data.number("stall_seconds", {.min = 0.0}, spec.data.stall_seconds);
    spec.data.train = read_stream(data, "train");
    if (data.maybe("validation") != nullptr) {
        spec.data.validation = read_stream(data, "validation");
    }
    fill_others(spec.data);
    share_memory(spec.data, data.origin_of("memory"));
    pipeline.put("data", data.finish());
}

}  // namespace sluice::config
