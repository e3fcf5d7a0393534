#include "prepare/preparation_identity.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "base/sha256.hpp"
#include "base/value.hpp"
#include "prepare/prefix.hpp"
#include "registry/objects/source.hpp"
#include "registry/optional/identity.hpp"

namespace sluice::prepare {
namespace {

using nlohmann::ordered_json;

std::string source_of(const config::StreamSpec& made) {
    std::string all;
    for (const config::SourceSpec& source : made.sources) {
        all += (all.empty() ? "" : ", ") + to_toml(source.component);
    }
    return made.sources.size() == 1 ? all : "[" + all + "]";
}

}  // namespace

ordered_json preparation_inputs(const Request& request, const ShardLayout& layout, const std::string& probe_sha256,
                                std::span<const double> weights) {
    const config::StreamSpec& made = request.prefix.made;
    std::vector<std::string> map;
    std::ranges::transform(made.map, std::back_inserter(map),
                           [](const config::ComponentSpec& entry) { return to_toml(entry); });
    ordered_json inputs{{"data", request.purpose}, {"source", source_of(made)}, {"map", map}, {"seed", request.seed}};
    if (!weights.empty()) {
        const std::string_view bytes[] = {{reinterpret_cast<const char*>(weights.data()), weights.size_bytes()}};
        inputs["weights_sha256"] = sha256(bytes);
    }
    inputs.update({{"format", request.format + (request.gzip ? ".gz" : "")},
                   {"samples", layout.samples()},
                   {"samples_in_a_file", layout.samples_per_shard()},
                   {"shards", layout.shards()},
                   {"probe_sha256", probe_sha256}});
    return inputs;
}

ordered_json preparation_identity(const config::StreamSpec& made, const registry::Registry& registry) {
    using registry::Kind;
    std::string code;
    std::string data;  // identity of the sources that report one
    for (const config::SourceSpec& one : made.sources) {
        const config::ComponentSpec& wanted = one.component;
        const registry::Component component = registry.find(Kind::source, wanted.use, wanted.origin);
        const Table options = registry.options(component, wanted);
        const registry::Source source(component, options, wanted.origin);
        code += registry::code_identity(component, options);
        data += data.empty() ? "" : " ";
        data += registry::has_data_identity(source) ? registry::data_identity(source, wanted.origin) : "";
    }
    for (const config::ComponentSpec& entry : made.map) {
        const registry::Component transform = registry.find(Kind::transform, entry.use, entry.origin);
        code += registry::code_identity(transform, registry.options(transform, entry));
    }
    const std::string_view all[] = {code};
    return {{"source_data", data}, {"code_sha256", sha256(all)}};
}

}  // namespace sluice::prepare
