// A project is built from the files of four template folders: any/, any/LANGUAGE/, KIND/ and KIND/LANGUAGE/. Files of
// the same name are concatenated in that order.
#include "cli/plugin_project.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <string_view>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text/nearest.hpp"
#include "registry/manifest/manifest_text.hpp"

namespace sluice::cli {
namespace {

namespace fs = std::filesystem;

// The name of the component in the templates, and the name of its types.
constexpr std::string_view kName = "example";
constexpr std::string_view kTypeName = "Example";

const std::vector<std::string>& languages() {
    static const std::vector<std::string> all{"c", "cpp", "rust"};
    return all;
}

// A project cannot have the name of a keyword of C, C++ or Rust, of a CMake target, or of a Rust crate.
constexpr std::string_view kReserved =
    " abstract alignas alignof all alloc and and_eq as asm async atomic_cancel atomic_commit atomic_noexcept auto "
    "await "
    "become bitand bitor bool box break build case catch char char16_t char32_t char8_t class clean co_await co_return "
    "co_yield compl concept const const_cast consteval constexpr constinit continue core crate decltype default delete "
    "deps do double dyn dynamic_cast edit_cache else enum example examples experimental explicit export extern false "
    "final float fn for friend goto help if impl import in incremental inline install int let list_install_components "
    "long loop macro main match mod module move mut mutable namespace new noexcept not not_eq nullptr operator or "
    "or_eq "
    "override package package_source priv private proc_macro protected pub public rebuild_cache ref reflexpr register "
    "reinterpret_cast requires restrict return self short signed sizeof static static_assert static_cast std struct "
    "super switch synchronized template test this thread_local throw trait true try type typedef typeid typename "
    "typeof union unsafe unsigned unsized use using virtual void volatile wchar_t where while xor xor_eq yield ";

fs::path templates() { return (executable_folder() / SLUICE_TEMPLATE_DIR).lexically_normal(); }

void expect_one_of(const std::string& what, const std::string& word, const std::vector<std::string>& known) {
    if (std::ranges::find(known, word) == known.end()) {
        throw Error(Exit::config, fmt::format("there is no {} '{}'{}", what, word, suggestion(word, known)));
    }
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

// "hsv_jitter" to "HsvJitter".
std::string type_name(const std::string& name) {
    std::string type;
    bool starts = true;
    for (const char c : name) {
        if (c != '_') {
            type += starts ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
        }
        starts = c == '_';
    }
    return type;
}

using Files = std::map<fs::path, std::string>;

// Appends the files of `folder` to `files`, without its subfolders for one language.
void add_files(const fs::path& folder, Files& files) {
    std::error_code none;
    for (auto entry = fs::recursive_directory_iterator(folder, none); entry != fs::recursive_directory_iterator();
         ++entry) {
        const fs::path name = entry->path().lexically_relative(folder);
        if (entry->is_regular_file()) {
            files[name] += read_file(entry->path());
        } else if (entry.depth() == 0 && std::ranges::find(languages(), name.string()) != languages().end()) {
            entry.disable_recursion_pending();
        }
    }
}

Files make_files(const ProjectRequest& request) {
    const fs::path folder = templates();
    Files given;
    for (const std::string& layer :
         {std::string("any"), "any/" + request.language, request.kind, request.kind + "/" + request.language}) {
        add_files(folder / layer, given);
    }
    if (given.empty()) {
        throw Error(Exit::config, fmt::format("there are no templates in {}; install the package sluice-dev of this "
                                              "version, or `cmake --install` all of the build",
                                              folder.string()));
    }
    const std::string type = type_name(request.name);
    Files files;
    for (const auto& [name, text] : given) {
        files[replaced(name.string(), kName, request.name)] =
            replaced(replaced(text, kName, request.name), kTypeName, type);
    }
    return files;
}

}  // namespace

const std::vector<std::string>& project_kinds() {
    static const std::vector<std::string> all{"source",    "transform", "batch_transform", "layer",   "kernel",
                                              "optimizer", "precision", "strategy",        "observer"};
    return all;
}

void expect_project_name(const std::string& name) {
    if (!registry::is_name(name)) {
        throw Error(Exit::config, fmt::format("'{}' is no name: {}", name, registry::kNameRule));
    }
    if (kReserved.find(" " + name + " ") != std::string_view::npos) {
        throw Error(Exit::config,
                    fmt::format("'{0}' is a word of C, C++, Rust, CMake or cargo; choose another name, such "
                                "as my_{0}",
                                name));
    }
}

Project write_project(const ProjectRequest& request) {
    expect_one_of("kind of plugin", request.kind, project_kinds());
    expect_one_of("language", request.language, languages());
    expect_project_name(request.name);
    const fs::path folder = request.name;
    std::error_code unknown;
    if (fs::exists(fs::symlink_status(folder, unknown))) {
        throw Error(Exit::config, fmt::format("{} exists already; choose another name, or change to another folder",
                                              folder.string()));
    }
    Project project;
    const Files files = make_files(request);
    try {
        for (const auto& [name, text] : files) {
            std::error_code problem;
            const fs::path inner = (folder / name).parent_path();
            if (fs::create_directories(inner, problem); problem) {
                throw Error(Exit::save, fmt::format("{}: cannot make the folder: {}{}", inner.string(),
                                                    problem.message(), removed_folder_text(inner)));
            }
            write_file_atomically(folder / name, text);
            project.files.push_back(name);
            project.lines += static_cast<std::size_t>(std::ranges::count(text, '\n'));
        }
    } catch (const std::exception& error) {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
        throw Error(Exit::save, error.what());
    }
    return project;
}

}  // namespace sluice::cli
