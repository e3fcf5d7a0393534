// [data] and its streams.
#include "config/merge.hpp"
#include "config/read.hpp"

namespace sluice::config {
namespace {

StreamSpec read_stream(TableReader& data, const std::string& purpose) {
    data.need(purpose, "a table");
    TableReader table = data.child(purpose);
    StreamSpec stream;
    table.need("source", "a table with 'use'");
    TableReader source = table.child("source");
    stream.source = read_component(source);
    table.put("source", source.finish());
    stream.map = read_components(table, "map", {});
    data.put(purpose, table.finish());
    return stream;
}

}  // namespace

void read_data(TableReader& pipeline, PipelineSpec& spec) {
    pipeline.need("data", "a table");
    TableReader data = pipeline.child("data");
    spec.data.batch = data.integer("batch", {.min = 1}, spec.data.batch);
    spec.data.workers = data.integer_or_auto("workers", {.min = 0});
    spec.data.prefetch = data.integer_or_auto("prefetch", {.min = 1});
    spec.data.skip_bad = data.integer("skip_bad", {.min = 0}, spec.data.skip_bad);
    spec.data.stall_seconds = data.number("stall_seconds", {.min = 0.0}, spec.data.stall_seconds);
    spec.data.train = read_stream(data, "train");
    if (data.maybe("validation") != nullptr) {
        spec.data.validation = read_stream(data, "validation");
    }
    pipeline.put("data", data.finish());
}

}  // namespace sluice::config
