#include "registry/loading/load.hpp"

#define BOOST_DLL_USE_STD_FS
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <boost/dll/shared_library.hpp>
#include <cerrno>
#include <cstring>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "base/machine.hpp"
#include "base/text/byte_size.hpp"
#include "registry/loading/abi_conversion.hpp"
#include "registry/loading/crash_report.hpp"
#include "registry/loading/interfaces.hpp"
#include "registry/loading/load_watch.hpp"
#include "registry/loading/plugin_call.hpp"
#include "registry/loading/plugin_code.hpp"

namespace sluice::registry {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& file, const std::string& why) {
    throw Error(Exit::plugin, file.string() + ": " + why);
}

// Every handle ever opened. It is never destroyed, because destroying a handle would unload the library.
std::vector<boost::dll::shared_library>& open_libraries() {
    static auto* const libraries = new std::vector<boost::dll::shared_library>();
    return *libraries;
}

// The dynamic linker reports its failures as text alone, so this function and the next one search the text.
bool is_lack_of_memory(const std::string& text) {
    const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
    if (has("failed to map segment")) {
        // Without a limit the cause is more likely another one, such as a file system that is mounted noexec.
        return !memory_limits_text().empty();
    }
    return has("cannot map zero-fill pages") || has(std::strerror(ENOMEM)) || has("out of memory");
}

bool lacks_library(const std::string& text) { return text.find("cannot open shared object file") != std::string::npos; }

boost::dll::shared_library& open_library(const fs::path& file) {
    boost::dll::shared_library library;
    boost::dll::fs::error_code problem;
    library.load(fs::absolute(file), boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local, problem);
    if (problem) {
        const char* reason = ::dlerror();  // more exact than `problem`
        const std::string text = reason != nullptr ? reason : problem.message();
        if (is_lack_of_memory(text)) {
            throw OutOfResources(fmt::format("{}: cannot be loaded for lack of memory: {}; {} are free{}",
                                             file.string(), text, format_size(available_memory()),
                                             memory_limits_text()));
        }
        fail(file, fmt::format("cannot be loaded: {}{}", text,
                               lacks_library(text) ? "; install the package of that library, or name its folder in "
                                                     "LD_LIBRARY_PATH"
                                                   : ""));
    }
    return open_libraries().emplace_back(std::move(library));
}

// A symbol lookup also searches the libraries that a plugin depends on; only the plugin's own symbol counts.
bool is_from(const void* symbol, const fs::path& file) {
    Dl_info info{};
    std::error_code unreadable;
    return ::dladdr(symbol, &info) != 0 && info.dli_fname != nullptr &&
           fs::equivalent(info.dli_fname, file, unreadable);
}

// The plugin with a call that does not return. There is at most one, because all observers share one thread.
std::atomic<const PluginManifest*> never_closed = nullptr;

// Marks the plugin call of this thread while code runs that may throw.
class CallScope {
public:
    explicit CallScope(const PluginCall& call) : outer_(begin_call(&call)) {}
    ~CallScope() { plugin_call = outer_; }
    CallScope(const CallScope&) = delete;
    CallScope& operator=(const CallScope&) = delete;

private:
    const PluginCall* outer_;
};

}  // namespace

const sluice_plugin& load_table(const fs::path& file, const PluginManifest& manifest) {
    boost::dll::shared_library& library = open_library(file);
    if (!library.has(SLUICE_PLUGIN_SYMBOL)) {
        fail(file, "does not define the symbol " SLUICE_PLUGIN_SYMBOL);
    }
    const auto& table = library.get<const sluice_plugin>(SLUICE_PLUGIN_SYMBOL);
    if (!is_from(&table, file)) {
        fail(file, "its symbol " SLUICE_PLUGIN_SYMBOL " comes from another library");
    }
    note_code(&table, manifest);
    if (const std::string wrong = inspect_table(table, manifest); !wrong.empty()) {
        fail(file, wrong);
    }
    return table;
}

void never_close(const PluginManifest& manifest) { never_closed = &manifest; }

LoadedPlugin::LoadedPlugin(const fs::path& file, const PluginManifest& manifest, const CallChecks* checks)
    : manifest_(manifest), host_(manifest.id, checks == nullptr ? get_service : checks->get_service) {
    register_exit_handler();
    const PluginCall loading{&manifest, nullptr, nullptr, "dlopen"};  // which runs constructors of static objects
    const CallScope scope(loading);
    {
        const LoadWatch watch(file, manifest, "dlopen() or get()");
        table_ = &load_table(file, manifest);
    }
    if (table_->open == nullptr) {
        return;
    }
    const LoadWatch watch(file, manifest, "open()");
    sluice_error error{};
    const sluice_status status = enter_call({&manifest, nullptr, nullptr, "open"}, table_->open, host_.abi(), &error);
    const std::string why = status == SLUICE_OK ? "" : fmt::format("its open() failed: {}", reason_of(error));
    if (status == SLUICE_NO_MEMORY) {
        throw OutOfMemory(fmt::format("{}: {}{}", file.string(), why, memory_limits_text()));
    }
    if (status != SLUICE_OK) {
        fail(file, why);
    }
}

LoadedPlugin::~LoadedPlugin() {
    if (table_->close != nullptr && never_closed != &manifest_) {
        enter_call({&manifest_, nullptr, nullptr, "close"}, table_->close);
    }
}

const sluice_component& LoadedPlugin::component(const ComponentManifest& component) const {
    // The entry exists, because load_table() has compared the table with the manifest.
    return *std::ranges::find_if(std::span(table_->components, table_->component_count), [&](const auto& entry) {
        return component.id == std::string_view(entry.id.ptr, entry.id.len);
    });
}

}  // namespace sluice::registry
