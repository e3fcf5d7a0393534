// Reads [model]: fields, layers and blocks.
#include <fmt/format.h>

#include "config/merge.hpp"
#include "config/read.hpp"

namespace sluice::config {
namespace {

constexpr double kMostRepeats = 1000;

std::vector<std::string> read_inputs(TableReader& table) {
    std::vector<std::string> inputs;
    if (table.maybe("inputs") == nullptr) {
        return inputs;
    }
    const Array& names = table.array("inputs");
    if (names.empty()) {
        fail(table.origin_of("inputs"), table.path_of("inputs") + " is empty; at least one name is needed");
    }
    for (const Value& name : names) {
        inputs.push_back(read_text(join_path(table.path_of("inputs"), std::to_string(inputs.size())), name));
    }
    return inputs;
}

LayerSpec read_layer(TableReader table) {
    table.describe_key("", {.kind = Key::Kind::component});
    if (table.has("type") && table.has("block")) {
        fail(table.origin_of("block"), table.path() + " has both 'type' and 'block'; one of the two is needed");
    }
    LayerSpec layer;
    const bool is_block = table.has("block");
    const std::string key = is_block ? "block" : "type";
    table.need(key, "the type of a layer, or 'block' with the name of one,");
    (is_block ? layer.block : layer.type) = table.text(key);
    layer.origin = table.origin_of(key);
    layer.name = table.maybe_text("name").value_or("");
    layer.inputs = read_inputs(table);
    layer.repeat = table.maybe_integer("repeat", {1, kMostRepeats}).value_or(1);
    layer.precision = table.maybe_text("precision").value_or("");
    layer.precision_origin = table.origin_of("precision");
    if (!is_block) {
        layer.options = table.rest();
    }
    table.finish();
    return layer;
}

std::vector<LayerSpec> read_layers(TableReader& table) {
    std::vector<LayerSpec> layers;
    for (const Value& layer : table.array("layers")) {
        layers.push_back(
            read_layer(table.inner(join_path(table.path_of("layers"), std::to_string(layers.size())), layer)));
    }
    if (layers.empty()) {
        fail(table.origin_of("layers"), table.path_of("layers") + " is empty; at least one layer is needed");
    }
    return layers;
}

void read_range(TableReader& table, ModelSpec& model) {
    const std::string path = table.path_of("range");
    const Value* written = table.maybe("range");
    if (written == nullptr) {
        table.put("range", {Array{{model.low, {}}, {model.high, {}}}, {}});
        return;
    }
    const std::string needed = "[low, high] with low < high";
    if (written->as_array() == nullptr || written->as_array()->size() != 2) {
        fail_needed(path, *written, needed);
    }
    model.low = read_number(path + ".0", (*written->as_array())[0], {});
    model.high = read_number(path + ".1", (*written->as_array())[1], {});
    if (!(model.low < model.high)) {
        fail(written->origin, fmt::format("{} is {}; {} is needed", path, to_toml(*written), needed));
    }
}

void read_blocks(TableReader& table, ModelSpec& model) {
    if (table.maybe("blocks") == nullptr) {
        return;
    }
    TableReader blocks = table.child("blocks");
    for (const std::string& name : blocks.keys()) {
        TableReader block = blocks.child(name);
        model.blocks.push_back({name, block.origin(), read_layers(block)});
        blocks.put(name, block.finish());
    }
    table.put("blocks", blocks.finish());
}

}  // namespace

void read_model(TableReader& pipeline, PipelineSpec& spec) {
    pipeline.need("model", "a table");
    TableReader table = pipeline.child("model");
    spec.model.input = table.text("input");
    spec.model.target = table.text("target");
    read_range(table, spec.model);
    spec.model.layers = read_layers(table);
    read_blocks(table, spec.model);
    pipeline.put("model", table.finish());
    check_model(spec.model);
}

}  // namespace sluice::config
