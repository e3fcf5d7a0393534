#include "config/keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "base/text/nearest.hpp"
#include "base/toml/toml.hpp"
#include "config/merge.hpp"
#include "config/override.hpp"
#include "config/read_pipeline.hpp"

namespace sluice::config {
namespace {

// A pipeline with all optional tables, so that all keys are read. Names of components are not looked up.
constexpr const char* kAllTables = R"(
version = 1
[data.train]
source = { use = "a" }
map = [{ use = "b" }]
[data.validation]
source = [{ use = "a", weight = 1 }, { use = "a", weight = 1 }]
[model]
input = "a"
target = "a"
layers = [{ type = "c" }, { block = "*" }]
[model.blocks."*"]
layers = [{ type = "c" }]
[model.names]
"*" = [["a", "b"]]
[loss]
use = "c"
[optimizer]
use = "d"
[precision.layers]
"*" = "float32"
)";
// An option of strategies that users often write into another table.
constexpr const char* kReplicas = "replicas";
constexpr const char* kSeveralSources = R"(data.train.source=[{ use = "a", weight = 1 }])";
constexpr const char* kObserverTable = R"(observe.use=[{ use = "a" }])";

// Replaces indices of arrays by "*".
std::string path_pattern(const std::string& path) {
    std::string any;
    std::istringstream parts(path);
    for (std::string part; std::getline(parts, part, '.');) {
        const bool is_place = std::ranges::all_of(part, [](unsigned char c) { return std::isdigit(c) != 0; });
        any = join_path(any, is_place ? "*" : part);
    }
    return any;
}

class Collector {
public:
    void read(const std::vector<std::string>& sets) {
        try {
            const KeyListener listener = [this](const Key& key) { add(key); };
            Table written = parse_toml(kAllTables, "keys");
            for (const std::string& set : sets) {
                apply_set(written, set);
            }
            (void)read_pipeline(std::move(written), "keys", Training::needed, &listener);
        } catch (const Error&) {  // a choice needs a key that is missing; the listener has seen that key
        }
    }
    [[nodiscard]] const std::vector<Key>& keys() const { return keys_; }

private:
    void add(Key key) {
        key.path = path_pattern(key.path);
        if (key.path == "name") {
            key.fallback.reset();  // the default depends on the file name
        }
        const auto before = std::ranges::find(keys_, key.path, &Key::path);
        if (before == keys_.end()) {
            keys_.push_back(std::move(key));
            return;
        }
        const bool is_needed = key.is_needed || before->is_needed;
        if (before->kind == Key::Kind::any || (before->kind == Key::Kind::table && key.kind == Key::Kind::component)) {
            *before = std::move(key);
        }
        before->is_needed = is_needed;
    }

    std::vector<Key> keys_;
};

// Returns the tables, other than that at `path`, that have a key of that name; empty if none has.
std::string place_of_key(const std::string& name, const std::string& path) {
    std::vector<std::string> places;
    if (name == kReplicas && path != "strategy") {
        places.emplace_back("[strategy]");
    }
    for (const Key& key : list_keys()) {
        const std::size_t dot = key.path.rfind('.');
        if (key.path.substr(dot + 1) != name) {  // npos + 1 is 0
            continue;
        }
        std::string table = key.path.substr(0, dot == std::string::npos ? 0 : dot);
        if (table == path) {
            continue;
        }
        const bool is_entry = table.ends_with(".*");
        table = is_entry        ? "an entry of " + table.substr(0, table.size() - 2)
                : table.empty() ? "the top of the file, above all tables"
                                : "[" + table + "]";
        const bool is_table = key.kind == Key::Kind::table || key.kind == Key::Kind::component;
        if (is_table && dot == std::string::npos) {
            table += fmt::format(", as the table [{}]", key.path);
        }
        if (std::ranges::find(places, table) == places.end() && table.find('*') == std::string::npos) {
            places.push_back(table);
        }
    }
    return places.empty() ? "" : fmt::format("; '{}' belongs to {}", name, fmt::join(places, " or "));
}

}  // namespace

std::vector<Key> list_keys() {
    Collector collector;
    collector.read({});
    collector.read({kSeveralSources});
    collector.read({kObserverTable});
    for (const Key& key : std::vector(collector.keys())) {  // some are read only for certain values of another
        for (const std::string& name : key.names) {
            collector.read({key.path + "=" + name});
        }
    }
    return collector.keys();
}

std::string unknown_key_hint(const std::string& name, std::span<const std::string> known, const std::string& path) {
    const auto near = did_you_mean(name, known);
    return near ? *near : suggestion(name, known) + place_of_key(name, path);
}

}  // namespace sluice::config
