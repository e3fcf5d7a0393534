// Checks of the values that plugins report. A value that breaks the ABI's rules is the plugin's fault, and the message
// says so.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "registry/loading/component.hpp"
#include "sluice/tensor.h"

namespace sluice::registry {

// "source 'photos'"
std::string short_name(const Component& component);

// "deblur.toml:14:3: source 'photos'"; begins messages about the component's create() and describe().
std::string place_of(const Component& component, const Origin& origin);

// Throws Error(Exit::plugin) "plugin com.acme.x 1.0 misbehaves: ...".
[[noreturn]] void misbehaves(const Component& component, const std::string& how);

// Copies a plugin's text and escapes it so that it can be shown on one line. `what` names it in the message.
std::string copy_text(const Component& component, sluice_text text, const std::string& what);
// Copies a name. Refuses it if it is empty, needs escaping or is in `taken`.
template <class Named>
std::string copy_name(const Component& component, sluice_text text, const std::string& what,
                      const std::vector<Named>& taken);

bool is_known(sluice_dtype dtype);

// Checks that a member named reserved, of `what`, is 0.
void check_reserved(const Component& component, std::int64_t value, const std::string& what);

enum class Extents { known, maybe_unknown };  // maybe_unknown: -1 is allowed

// Largest size that a plugin may request or announce. No machine can address more, and sums could overflow.
inline constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 48;
void check_bytes(const Component& component, std::uint64_t bytes, const std::string& what);

// Checks for rank 0 to 8, a known type, extents of at least 1, and a size small enough that sums of sizes fit 63 bits.
void check_spec(const Component& component, const sluice_tensor_spec& spec, Extents extents, const std::string& what);

// ---- implementation

[[noreturn]] void refuse_characters(const Component& component, const std::string& what, const std::string& name);
void refuse_name(const Component& component, const std::string& what, const std::string& name);

inline const std::string& name_of(const std::string& text) { return text; }
template <class Named>
const std::string& name_of(const Named& named) {
    return named.name;
}

template <class Named>
std::string copy_name(const Component& component, sluice_text text, const std::string& what,
                      const std::vector<Named>& taken) {
    std::string name = copy_text(component, text, what);
    if (name != std::string_view(text.ptr, text.len)) {
        refuse_characters(component, what, name);
    }
    bool unfit = name.empty();
    for (const Named& other : taken) {
        unfit = unfit || name_of(other) == name;
    }
    if (unfit) {
        refuse_name(component, what, name);
    }
    return name;
}

}  // namespace sluice::registry
