// Cases for every kind: loading the library, and what get() of its components returns.
#include <fmt/format.h>

#include <algorithm>

#include "base/files.hpp"
#include "check/contract/cases.hpp"
#include "check/isolation/process_settings.hpp"
#include "registry/loading/interfaces.hpp"
#include "registry/loading/load.hpp"
#include "registry/manifest/manifest_text.hpp"

namespace sluice::check {
namespace {

const registry::PluginFile& plugin_of(Trial& trial) {
    return *std::ranges::find_if(trial.registry().seen(), [&](const registry::PluginFile& seen) {
        return seen.manifest && std::ranges::any_of(seen.manifest->components,
                                                    [&](const auto& one) { return &one == &trial.manifest(); });
    });
}

void has_a_plain_manifest(Trial& trial) {
    const registry::PluginFile& seen = plugin_of(trial);
    const std::filesystem::path own = executable_folder() / "plugins";
    std::error_code apart;
    for (const std::string& id : {seen.manifest->id, trial.manifest().id}) {
        expect(!registry::is_own_id(id) || std::filesystem::equivalent(seen.file.parent_path(), own, apart),
               fmt::format("the id '{}' begins like those of Sluice itself; begin it with a domain of your own, such "
                           "as com.acme.{}",
                           id, trial.manifest().provides));
    }
    for (const auto& unread : {seen.manifest->unread, trial.manifest().unread}) {
        std::ranges::for_each(unread, [&](const std::string& what) { trial.warn(what); });
    }
}

// load_table() compares the table with the manifest and looks for functions that are NULL.
void loads(Trial& trial) { trial.component(); }

void answers_unknown_ids_with_null(Trial& trial) {
    const sluice_component& entry = *trial.component().entry;
    const std::string own = registry::interface_id(trial.manifest().kind);
    const std::string name = own.substr(0, own.size() - 1);
    // Ids that no plugin can serve, not even one for a newer ABI.
    for (const std::string& id : {std::string(), std::string("com.example.nobody/1"), own + "x", "x" + own, name,
                                  name + "0", name + "-1", name.substr(0, name.size() - 1)}) {
        expect(entry.get(&entry, id.c_str()) == nullptr,
               fmt::format("get() returns a table for the unknown interface '{}'; expected NULL, because the component "
                           "serves '{}'",
                           id, own));
    }
}

void gives_the_same_table(Trial& trial) {
    const sluice_component& entry = *trial.component().entry;
    const std::string id = registry::interface_id(trial.manifest().kind);
    expect(entry.get(&entry, id.c_str()) == entry.get(&entry, id.c_str()),
           fmt::format("get() returns two different tables for '{}'; a table must be static data", id));
}

// Calls close() directly after open(), without making an object.
void closes(Trial& trial) {
    const registry::PluginFile& seen = plugin_of(trial);
    registry::load_table(seen.file, *seen.manifest);  // libraries that the plugin uses may keep threads of their own
    const std::size_t before = thread_count();
    { const registry::LoadedPlugin plugin(seen.file, *seen.manifest); }
    const std::size_t after = thread_count();
    expect(after <= before, after == before + 1 ? "1 thread still runs after close()"
                                                : fmt::format("{} threads still run after close()", after - before));
}

// Destructors of static objects and atexit() handlers run after this.
void exits(Trial& trial) {
    trial.component();
    try {
        trial.make()->use();
    } catch (const std::exception&) {  // other cases report objects that cannot be made or used
    }
    trial.doing("at exit(), after an object was used");
}

constexpr Case kLoadingCases[] = {
    {"manifest", "Ids do not begin like those of Sluice itself, and the ABI knows every key of the manifest.",
     has_a_plain_manifest},
    {"loads",
     "The library loads, open() succeeds, and the table has the components of the manifest with all functions.", loads,
     true},
    {"closes", "close() joins every thread that the plugin started.", closes},
    {.name = "exits",
     .proves = "The process exits cleanly by exit() after an object was used.",
     .run = exits,
     .exits = true},
    {"get.unknown", "get() returns NULL for an unknown interface.", answers_unknown_ids_with_null},
    {"get.same", "get() always returns the same table for the same id.", gives_the_same_table},
};

}  // namespace

std::span<const Case> loading_cases() { return kLoadingCases; }

}  // namespace sluice::check
