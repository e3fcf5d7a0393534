// Reads [model]: fields, layers and blocks. Blocks are read again for each use, with the arguments of that use.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <utility>

#include "base/text/nearest.hpp"
#include "base/toml/formula.hpp"
#include "config/merge.hpp"
#include "config/parameters.hpp"
#include "config/read.hpp"

namespace sluice::config {
namespace {

constexpr double kMostRepeats = 1000;
// A whole model has no more layers. Blocks within blocks multiply them.
constexpr std::size_t kMostLayers = 100'000;
// Formulas use this name for the number of a copy by `repeat`, from 0.
constexpr const char* kIndex = "index";

// Keys of [model] and of the entries of `layers`, which parameters cannot be named after.
const std::array<std::string, 13> kModelKeys = {"image_mean", "image_std",  "weights", "names", "use",
                                                "name",       "input",      "target",  "range", "layers",
                                                "blocks",     "parameters", kIndex};
const std::array<std::string, 9> kEntryKeys = {"type",  "block",     "name", "inputs", "repeat",
                                               "first", "precision", "if",   kIndex};

std::vector<std::string> read_inputs(TableReader& table) {
    const Value* const written = table.maybe("inputs");
    if (written == nullptr) {
        return {};
    }
    const std::string path = table.path_of("inputs");
    if (written->as_string() != nullptr) {
        return {read_text(path, *written)};
    }
    if (written->as_array() == nullptr) {
        fail_needed(path, *written, "a name, or an array of names,");
    }
    std::vector<std::string> inputs;
    for (const Value& name : *written->as_array()) {
        inputs.push_back(read_text(join_path(path, std::to_string(inputs.size())), name));
    }
    if (inputs.empty()) {
        fail(written->origin, path + " is empty; at least one name is needed");
    }
    return inputs;
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

std::vector<double> read_numbers(TableReader& table, const std::string& key) {
    std::vector<double> numbers;
    table.describe_key(key, {.kind = Key::Kind::array});
    const Value* const written = table.maybe(key);
    if (written == nullptr) {
        return numbers;
    }
    if (written->as_array() == nullptr || written->as_array()->empty()) {
        fail_needed(table.path_of(key), *written, "an array with a number for each channel");
    }
    for (const Value& number : *written->as_array()) {
        numbers.push_back(read_number(table.path_of(key), number, {}));
    }
    return numbers;
}

void read_normalisation(TableReader& table, ModelSpec& model) {
    model.image_mean = read_numbers(table, "image_mean");
    model.image_std = read_numbers(table, "image_std");
    if (model.image_mean.size() != model.image_std.size()) {
        fail(table.origin_of(model.image_mean.empty() ? "image_std" : "image_mean"),
             fmt::format("image_mean has {} numbers and image_std {}; both have one for each channel",
                         model.image_mean.size(), model.image_std.size()));
    }
    for (const double one : model.image_std) {
        if (!(one > 0.0)) {
            fail(table.origin_of("image_std"), fmt::format("image_std has {}; numbers above 0 are needed", one));
        }
    }
}

const Array& layers_of(TableReader& table) {
    const Array& layers = table.array("layers");
    if (layers.empty()) {
        fail(table.origin_of("layers"), table.path_of("layers") + " is empty; at least one layer is needed");
    }
    return layers;
}

// Gives each layer of a list a path: its name, type or block, with a number if it is not the first of these.
class PathMaker {
public:
    // A name that ends with '/' numbers its entries and their copies from 0: "layer1/" gives "layer1/0", and "/" gives
    // "0".
    std::string next(const std::string& base) {
        const int times = ++used_[base];
        return base == "/"           ? std::to_string(times - 1)
               : base.ends_with('/') ? fmt::format("{}{}", base, times - 1)
               : times == 1          ? base
                                     : fmt::format("{}_{}", base, times);
    }

private:
    std::map<std::string, int> used_;  // how often each name was used
};

// Reads [model.names]: NAME = [["ours", "theirs"], ...].
void read_names(TableReader& table, ModelSpec& model) {
    if (table.maybe("names") == nullptr) {
        return;
    }
    TableReader names = table.child("names");
    for (const std::string& name : names.keys()) {
        NameSet& set = model.names.emplace_back(NameSet{.name = name, .rules = {}});
        for (const Value& rule : names.array(name)) {
            const Array* const pair = rule.as_array();
            if (pair == nullptr || pair->size() != 2) {
                fail_needed(names.path_of(name), rule, "a pair of paths [ours, theirs]");
            }
            set.rules.push_back(
                {read_text(names.path_of(name), (*pair)[0]), read_text(names.path_of(name), (*pair)[1])});
        }
    }
    table.put("names", names.finish());
}

// A path in a file is relative to that file. The resolved pipeline has the whole path.
void read_weights(TableReader& table, ModelSpec& model) {
    const std::optional<std::string> written = table.maybe_text("weights");
    if (written) {
        const Origin origin = table.origin_of("weights");
        const std::filesystem::path folder = origin.kind == Origin::Kind::file
                                                 ? std::filesystem::path(origin.file).parent_path()
                                                 : std::filesystem::path();
        model.weights = std::filesystem::absolute(folder / *written).lexically_normal().string();
        table.put("weights", {model.weights, origin});
    }
}

// The layers of a list, as far as they are read.
struct LayerList {
    std::string path;  // leads to the table that has the list: "model.blocks.residual"
    std::vector<LayerSpec> layers;
    PathMaker paths;
};

// An entry of a list of layers: it becomes one layer, or several by `repeat`.
struct Entry {
    std::string key;  // "model.layers.3"
    const Value& written;
    std::int64_t copy = 0;
    std::int64_t copies = 1;
};

class ModelReader {
public:
    explicit ModelReader(TableReader& table) : table_(table) {}

    std::vector<LayerSpec> read() {
        const Parameters parameters = Parameters::read(table_, kModelKeys);
        const Array& layers = layers_of(table_);
        read_blocks();
        const Table arguments = parameters.arguments(table_, "the model");
        std::vector<LayerSpec> read = read_list("model", layers, arguments);
        read_unused_blocks();
        return read;
    }

private:
    struct Block {
        std::string name;
        Array layers;
        Parameters parameters;
        bool is_used = false;
    };

    void read_blocks() {
        if (table_.maybe("blocks") == nullptr) {
            return;
        }
        TableReader blocks = table_.child("blocks");
        for (const std::string& name : blocks.keys()) {
            TableReader block = blocks.child(name);
            Parameters parameters = Parameters::read(block, kEntryKeys);
            blocks_.push_back({.name = name, .layers = layers_of(block), .parameters = std::move(parameters)});
            blocks.put(name, block.finish());
        }
        table_.put("blocks", blocks.finish());
    }

    // Blocks without a use are read with their defaults, so that their mistakes are seen, too.
    void read_unused_blocks() {
        for (Block& block : blocks_) {
            const std::optional<Table> defaults = block.parameters.defaults();
            if (!block.is_used && defaults) {
                (void)read_block(block, *defaults, {});
            }
        }
    }

    std::vector<LayerSpec> read_list(const std::string& path, const Array& entries, const Table& arguments) {
        LayerList list{.path = path, .layers = {}, .paths = {}};
        for (std::size_t number = 0; number < entries.size(); ++number) {
            read_entry(fmt::format("{}.layers.{}", path, number), entries[number], arguments, list);
        }
        check_references(list.layers);
        return std::move(list.layers);
    }

    void read_entry(const std::string& key, const Value& written, const Table& arguments, LayerList& list) {
        Entry entry{.key = key, .written = written};
        for (; entry.copy < entry.copies; ++entry.copy) {
            Table names = arguments;
            names.set(kIndex, {entry.copy, {}});
            list.layers.push_back(read_layer(entry, names, list.paths));
            if (++layers_ > kMostLayers) {
                fail(written.origin, fmt::format("the model has more than {} layers", kMostLayers));
            }
        }
    }

    // Returns the table of one copy of an entry, with formulas replaced.
    static Value table_of(const Entry& entry, const Table& names) {
        Table table = read_table(entry.key, entry.written);
        const Value* const first = table.find("first");
        if (entry.copy == 0 && first != nullptr) {
            const Table changes = read_table(entry.key + ".first", *first);
            for (const auto& [key, value] : changes.entries()) {
                table.set(key, value);
            }
        }
        for (const char* const key : {"if", "repeat"}) {
            if (Value* const value = table.find(key)) {
                *value = substitute(*value, names);
            }
        }
        const Value* const condition = table.find("if");
        if (condition != nullptr && condition->as_bool() != nullptr && !*condition->as_bool()) {
            return {std::move(table), entry.written.origin};  // the other formulas may hold only if it is true
        }
        return substitute({std::move(table), entry.written.origin}, names);
    }

    LayerSpec read_layer(Entry& entry, const Table& names, PathMaker& paths) {
        const Value written = table_of(entry, names);
        TableReader table = table_.inner(entry.key, written);
        table.describe_key("", {.kind = Key::Kind::component});
        if (table.has("type") && table.has("block")) {
            fail(table.origin_of("block"), table.path() + " has both 'type' and 'block'; one of the two is needed");
        }
        LayerSpec layer;
        const bool is_block = table.has("block");
        const std::string kind = is_block ? "block" : "type";
        table.need(kind, "the type of a layer, or 'block' with the name of one,");
        (is_block ? layer.block : layer.type) = table.text(kind);
        layer.key = entry.key;
        layer.origin = table.origin_of(kind);
        layer.name = table.maybe_text("name").value_or("");
        layer.inputs = read_inputs(table);
        layer.is_left_out = !table.boolean("if", true);
        layer.is_copy = entry.copy > 0;
        entry.copies = table.maybe_integer("repeat", {1, kMostRepeats}).value_or(1);
        if (!layer.is_left_out) {
            const std::string base = !layer.name.empty() ? layer.name : is_block ? layer.block : layer.type;
            layer.path = paths.next(base);
            (void)table.maybe("first");
            layer.precision = table.maybe_text("precision").value_or("");
            layer.precision_origin = table.origin_of("precision");
            if (is_block) {
                layer.layers = read_use(layer, table);
            } else {
                layer.options = table.rest();
            }
            table.finish();
        }
        if (layer.name.ends_with('/')) {
            layer.name.pop_back();
            layer.is_numbered = true;
        }
        return layer;
    }

    std::vector<LayerSpec> read_use(const LayerSpec& use, TableReader& table) {
        Block& block = find_block(use);
        block.is_used = true;
        const Table arguments = block.parameters.arguments(table, fmt::format("the block '{}'", block.name));
        return read_block(block, arguments, use.origin);
    }

    Block& find_block(const LayerSpec& use) {
        const auto found = std::ranges::find(blocks_, use.block, &Block::name);
        if (found != blocks_.end()) {
            return *found;
        }
        std::vector<std::string> names;
        for (const Block& block : blocks_) {
            names.push_back(block.name);
        }
        fail(use.origin, fmt::format("there is no block '{}'{}", use.block,
                                     names.empty() ? fmt::format("; write [model.blocks.{}]", use.block)
                                                   : suggestion(use.block, names)));
    }

    // Mistakes that depend on the arguments name the use, too.
    std::vector<LayerSpec> read_block(const Block& block, const Table& arguments, const Origin& use) {
        expect_not_open(block, use);
        open_.push_back(block.name);
        try {
            std::vector<LayerSpec> layers = read_list("model.blocks." + block.name, block.layers, arguments);
            open_.pop_back();
            return layers;
        } catch (const UnknownKey&) {
            throw;
        } catch (const Error& error) {
            if (block.parameters.empty()) {
                throw;
            }
            throw Error(error.exit(),
                        fmt::format("{}\n  in the block '{}', used at {}", error.what(), block.name, to_string(use)));
        }
    }

    void expect_not_open(const Block& block, const Origin& use) const {
        const auto again = std::ranges::find(open_, block.name);
        if (again == open_.end()) {
            return;
        }
        std::string way;
        for (auto name = again; name != open_.end(); ++name) {
            way += *name + " -> ";
        }
        fail(use, fmt::format("the block '{}' contains itself: {}{}", block.name, way, block.name));
    }

    TableReader& table_;
    std::vector<Block> blocks_;
    std::vector<std::string> open_;  // the blocks that are being read, the outermost first
    std::size_t layers_ = 0;
};

}  // namespace

void read_model(TableReader& pipeline, PipelineSpec& spec) {
    pipeline.need("model", "a table");
    TableReader table = pipeline.child("model");
    (void)table.maybe_text("use");  // expand_model() has replaced it
    spec.model.name = table.maybe_text("name").value_or("");
    spec.model.input = table.text("input");
    spec.model.target = table.text("target");
    read_range(table, spec.model);
    read_normalisation(table, spec.model);
    read_weights(table, spec.model);
    read_names(table, spec.model);
    spec.model.layers = ModelReader(table).read();
    pipeline.put("model", table.finish());
}

}  // namespace sluice::config
