#include "registry/optional/identity.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/sha256.hpp"
#include "base/toml/toml.hpp"
#include "registry/loading/interfaces.hpp"
#include "registry/loading/reported_values.hpp"
#include "sluice/kind/identity.h"

namespace sluice::registry {
namespace {

// Path of the library that holds the component.
std::string file_of(const Component& component) {
    Dl_info info{};
    if (::dladdr(component.entry, &info) == 0) {
        misbehaves(component, "its table lies in no library");
    }
    return info.dli_fname;
}

}  // namespace

bool has_data_identity(const Source& source) {
    return optional_interface(source.object().component(), SLUICE_IDENTITY_V1) != nullptr;
}

std::string data_identity(const Source& source, const Origin& origin) {
    const Component& component = source.object().component();
    const auto* const table = static_cast<const sluice_identity*>(optional_interface(component, SLUICE_IDENTITY_V1));
    if (table == nullptr) {
        throw Error(Exit::config, fmt::format("{}: source '{}' has no fingerprint of its data, so changed data could "
                                              "not be detected; use in = \"memory\"",
                                              to_string(origin), source.name()));
    }
    std::array<std::uint64_t, 2> identity{};
    sluice_error error{};
    const sluice_status status = enter(component, table->identity, source.object().self(), identity.data(), &error);
    if (status != SLUICE_OK) {
        throw_status(component, fmt::format("{}: source '{}'", to_string(origin), source.name()), status, error);
    }
    return fmt::format("{:016x}{:016x}", identity[0], identity[1]);
}

std::string code_identity(const Component& component, const Table& options) {
    const std::string library = read_file(file_of(component));
    const std::array<std::string_view, 1> parts{library};
    return fmt::format("{} {} {}\n{}", component.manifest->id, component.plugin->version, sha256(parts),
                       to_toml(Value{options, {}}));
}

}  // namespace sluice::registry
