#include "config/read_pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <variant>

#include "config/environment_variables.hpp"
#include "config/read.hpp"
#include "config/table_reader.hpp"

namespace sluice::config {
namespace {

constexpr std::int64_t kVersion = 1;

void read_version(TableReader& pipeline) {
    pipeline.describe_key("version", {.kind = Key::Kind::integer, .range = {.min = kVersion, .max = kVersion}});
    const std::int64_t version = pipeline.integer("version", {});
    if (version != kVersion) {
        fail(pipeline.origin_of("version"),
             fmt::format("version is {}; this host reads version {}", version, kVersion));
    }
}

// The name must be a valid folder name, because the run names its folder after it.
std::string read_name(TableReader& pipeline, const std::filesystem::path& file) {
    std::string name = pipeline.text("name", file.stem().string());
    const bool is_plain = name.front() != '.' && std::all_of(name.begin(), name.end(), [](unsigned char c) {
                              return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-' || c >= 0x80;
                          });
    if (!is_plain) {
        fail(pipeline.origin_of("name"),
             fmt::format("name is \"{}\"; use only letters, digits, '.', '_' and '-', and no '.' in front", name));
    }
    return name;
}

}  // namespace

PipelineSpec read_pipeline(Table written, const std::filesystem::path& file, Training training,
                           const KeyListener* listener) {
    expand_environment(written);
    TableReader pipeline(written, "", {Origin::Kind::file, file.string(), 1, 1}, listener);
    PipelineSpec spec;
    read_version(pipeline);
    spec.name = read_name(pipeline, file);
    spec.seed = pipeline.integer("seed", {}, spec.seed);
    spec.deterministic = pipeline.boolean("deterministic", spec.deterministic);
    read_data(pipeline, spec);
    const bool trains = training == Training::needed || pipeline.maybe("model") != nullptr;
    if (trains) {
        read_model(pipeline, spec);
    }
    read_learning(pipeline, spec, trains);
    read_run(pipeline, spec);
    spec.resolved = std::get<Table>(pipeline.finish().data);
    return spec;
}

}  // namespace sluice::config
