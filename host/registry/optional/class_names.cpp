#include "registry/optional/class_names.hpp"

#include "registry/loading/interfaces.hpp"
#include "registry/loading/reported_values.hpp"
#include "sluice/kind/class_names.h"

namespace sluice::registry {
namespace {

// Limits, because each checkpoint stores the names.
constexpr std::size_t kMostClassNames = 65536;
constexpr std::size_t kMostNameBytes = std::size_t{4} << 20;

}  // namespace

std::vector<std::string> class_names(const Source& source, std::uint32_t field) {
    const Component& component = source.object().component();
    const auto* const table =
        static_cast<const sluice_class_names*>(optional_interface(component, SLUICE_CLASS_NAMES_V1));
    std::vector<std::string> names;
    for (std::size_t bytes = 0; table != nullptr && names.size() < kMostClassNames;) {
        const sluice_text text = enter(component, table->name, source.object().self(), field, names.size());
        std::string name = copy_text(component, text, "name of a class");
        bytes += name.size();
        if (name.empty() || bytes > kMostNameBytes) {
            break;
        }
        names.push_back(std::move(name));
    }
    return names;
}

}  // namespace sluice::registry
