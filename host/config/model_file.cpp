#include "config/model_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>
#include <variant>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text/nearest.hpp"
#include "base/toml/toml.hpp"
#include "config/environment_variables.hpp"
#include "config/installed_files.hpp"
#include "config/merge.hpp"

namespace sluice::config {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const Origin& origin, const std::string& why) {
    throw Error(Exit::config, fmt::format("{}: {}", to_string(origin), why));
}

fs::path find_model(const Value& use) {
    const std::string& name = *use.as_string();
    if (const auto installed = installed_model(name)) {
        return *installed;
    }
    const bool is_file = name.ends_with(".toml") || !fs::path(name).parent_path().empty();
    if (!is_file) {
        refuse(use.origin, fmt::format("no model '{}' is installed{}", name, suggestion(name, installed_models())));
    }
    const fs::path folder =
        use.origin.kind == Origin::Kind::file ? fs::path(use.origin.file).parent_path() : fs::path();
    fs::path file = (folder / name).lexically_normal();
    std::error_code none;
    if (!fs::is_regular_file(file, none)) {
        refuse(use.origin, fmt::format("model.use is \"{}\": there is no file {}", name, file.string()));
    }
    return file;
}

}  // namespace

void expand_model(Table& pipeline) {
    Value* const written = pipeline.find("model");
    if (written == nullptr || written->as_table() == nullptr || written->as_table()->find("use") == nullptr) {
        return;
    }
    Table own = std::get<Table>(written->data);
    Value use = *own.find("use");
    own.erase("use");
    expand_environment(use);
    if (use.as_string() == nullptr) {
        refuse(use.origin, fmt::format("model.use is {} ({}); the name of a model, or of its file, is needed",
                                       kind_name(use), to_toml(use)));
    }
    const fs::path file = find_model(use);
    Table model = parse_toml(read_file(file), file.string());
    if (const Value* const again = model.find("use")) {
        refuse(again->origin, "a model cannot use another one");
    }
    model.set("name", {file.stem().string(), use.origin});
    merge_over(model, std::move(own), "model");
    written->data = std::move(model);
}

}  // namespace sluice::config
