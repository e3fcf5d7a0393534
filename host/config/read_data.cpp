// [data] and its streams.
#include <algorithm>

#include "config/merge.hpp"
#include "config/read.hpp"

namespace sluice::config {
namespace {

// One source, or several; of several all or none have a weight.
std::vector<SourceSpec> read_sources(TableReader& stream) {
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
        TableReader table(*one.as_table(), path, one.origin);
        SourceSpec source;
        if (table.has("weight")) {
            source.weight = table.number("weight", {.min = 0.0, .above_min = true}, 1.0);
        }
        source.component = read_component(table);
        if (!sources.empty() && source.weight.has_value() != sources.front().weight.has_value()) {
            fail(one.origin, path + (source.weight ? " has a weight, and" : " has no weight;") +
                                 " those before it have " + (source.weight ? "none" : "one") +
                                 "; all sources have one, or none");
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
    static const std::vector<std::string> names = {"uniform", "balanced", "classes", "weights"};
    sampling.use = names[table.choice("use", names)];
    sampling.origin = table.origin_of("use");
    if (sampling.use == "classes") {
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

// The cache in memory without a budget of its own, if there is one.
bool has_open_cache(const StreamSpec& stream) {
    return std::ranges::any_of(stream.map, [](const ComponentSpec& entry) {
        const Value* const in = entry.options.find("in");
        const bool is_on_disk = in != nullptr && in->as_string() != nullptr && *in->as_string() == "disk";
        return entry.use == "cache" && !is_on_disk && entry.options.find("budget") == nullptr;
    });
}

// Such caches get the half of it; batches made ahead an eighth (see run/session.cpp), and the rest is for what makes
// them.
void share_memory(DataSpec& data) {
    if (!data.memory) {
        return;
    }
    const bool both = data.validation && has_open_cache(*data.validation) && has_open_cache(data.train);
    data.train.cache_bytes = *data.memory / (both ? 4 : 2);
    if (data.validation) {
        data.validation->cache_bytes = data.train.cache_bytes;
    }
}

}  // namespace

void read_data(TableReader& pipeline, PipelineSpec& spec) {
    pipeline.need("data", "a table");
    TableReader data = pipeline.child("data");
    spec.data.batch = data.integer("batch", {.min = 1}, spec.data.batch);
    spec.data.workers = data.integer_or_auto("workers", {.min = 0});
    spec.data.prefetch = data.integer_or_auto("prefetch", {.min = 1});
    spec.data.memory = data.maybe_size("memory");
    spec.data.skip_bad = data.integer("skip_bad", {.min = 0}, spec.data.skip_bad);
    spec.data.stall_seconds = data.number("stall_seconds", {.min = 0.0}, spec.data.stall_seconds);
    spec.data.train = read_stream(data, "train");
    if (data.maybe("validation") != nullptr) {
        spec.data.validation = read_stream(data, "validation");
    }
    share_memory(spec.data);
    pipeline.put("data", data.finish());
}

}  // namespace sluice::config
