#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/program_name.hpp"
#include "base/text/counted.hpp"
#include "base/text/shell_quoted.hpp"
#include "cli/plugin_project.hpp"
#include "cli/terminal/command.hpp"
#include "cli/terminal/open_registry.hpp"
#include "cli/terminal/options.hpp"
#include "cli/terminal/shell_words.hpp"

namespace sluice::cli {
namespace {

// If two components shared a name, the pipeline might use the other one.
void expect_free(const registry::Registry& registry, const ProjectRequest& request) {
    const std::string kind = request.kind == "batch_transform" ? "transform" : request.kind;
    for (const registry::PluginFile& seen : registry.seen()) {
        if (!seen.manifest) {
            continue;
        }
        for (const registry::ComponentManifest& component : seen.manifest->components) {
            const std::string_view its_kind = registry::to_string(component.kind);
            if (component.provides == request.name && (its_kind == kind || (its_kind == "kernel" && kind == "layer"))) {
                throw Error(Exit::config, fmt::format("there is a {} '{}' already, {} in {}; choose another name",
                                                      its_kind, request.name, component.id, seen.file.string()));
            }
        }
    }
}

// CMake does not search a build tree or a custom prefix by itself, so the option names it.
std::string prefix_option() {
    namespace fs = std::filesystem;
    const fs::path prefix = fs::weakly_canonical(executable_folder() / SLUICE_PREFIX);
    const bool has_package = fs::exists(executable_folder() / SLUICE_PACKAGE_DIR / "SluiceConfig.cmake");
    if (!has_package || prefix == "/usr" || prefix == "/usr/local") {
        return "";
    }
    return " -D CMAKE_PREFIX_PATH=" + shell_quoted(prefix.string());
}

// Returns the commands that build the plugin, check it, and train with it.
std::string next_commands(const ProjectRequest& request) {
    const std::string& name = request.name;
    const bool is_rust = request.language == "rust";
    const std::string plugin =
        is_rust ? fmt::format("{0}/target/release/lib{0}.so", name) : fmt::format("{0}/build/{0}.so", name);
    const std::string build =
        is_rust ? fmt::format("cargo build --release --manifest-path {}/Cargo.toml", name)
                : fmt::format("cmake -S {0} -B {0}/build -D CMAKE_BUILD_TYPE=Release{1} && cmake --build {0}/build",
                              name, prefix_option());
    return fmt::format("  {0}\n  {1} check {2}\n  {1} train {3}/pipeline.toml --plugin {2}\n", build, program(), plugin,
                       name);
}

}  // namespace

int new_project(const Arguments& arguments) {
    namespace po = boost::program_options;
    Common common;
    ProjectRequest request;
    std::vector<std::string> words;
    po::options_description options("options");
    options.add_options()("words", po::value(&words)->value_name("KIND NAME"),
                          fmt::format("the kind is one of {}", fmt::join(project_kinds(), ", ")).c_str());
    options.add_options()("lang", po::value(&request.language)->default_value("cpp")->value_name("LANGUAGE"),
                          "c, cpp or rust");
    add_common(options, common);
    po::variables_map values;
    if (!parse(arguments, "new", options, values, "words", 2)) {
        return 0;
    }
    if (words.size() != 2) {
        throw Error(Exit::config, fmt::format("{} needs both; the kind is one of {}", typed("new KIND NAME"),
                                              fmt::join(project_kinds(), ", ")));
    }
    request.kind = words.front();
    request.name = words.back();
    if (request.kind == "device") {
        throw Error(Exit::config,
                    "there is no template of a device: to train, a device needs the calls of a step (kind/step.h), "
                    "kernels for every layer and an optimizer; start with kind/device.h");
    }
    expect_project_name(request.name);
    expect_free(list_plugins(common), request);
    const Project project = write_project(request);
    std::cout << fmt::format("wrote {}, {} with {}:\n", request.name, counted(project.files.size(), "file"),
                             counted(project.lines, "line"));
    for (const std::filesystem::path& file : project.files) {
        std::cout << fmt::format("  {}/{}\n", request.name, file.string());
    }
    std::cout << "next:\n" << next_commands(request);
    return 0;
}

}  // namespace sluice::cli
