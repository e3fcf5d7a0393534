#include "registry/optional/libraries.hpp"

#include <fmt/format.h>

#include "registry/loading/interfaces.hpp"
#include "registry/loading/reported_values.hpp"
#include "registry/objects/exception_fence.hpp"
#include "sluice/kind/libraries.h"

namespace sluice::registry {
namespace {

// Collects what list() reports.
class LibraryCollector {
public:
    explicit LibraryCollector(const Component& component) : component_(component) {}
    [[nodiscard]] const sluice_library_sink* abi() const { return &abi_; }

    ExceptionFence fence;
    std::vector<Library> libraries;

private:
    static void on_library(const sluice_library_sink* sink, sluice_text name, sluice_text version) noexcept {
        auto& self = *static_cast<LibraryCollector*>(sink->impl);
        self.fence.run([&] { self.add(name, version); });
    }
    void add(sluice_text name, sluice_text version) {
        constexpr std::size_t kMost = 64;
        if (libraries.size() == kMost) {
            misbehaves(component_, fmt::format("it names more than {} libraries", kMost));
        }
        std::string known = copy_name(component_, name, "library", libraries);
        libraries.push_back({std::move(known), copy_text(component_, version, "version of a library")});
    }

    const Component& component_;
    const sluice_library_sink abi_{sizeof(sluice_library_sink), this, on_library};
};

}  // namespace

std::vector<Library> libraries_of(const Component& component) {
    const auto* const table = static_cast<const sluice_libraries*>(optional_interface(component, SLUICE_LIBRARIES_V1));
    if (table == nullptr) {
        return {};
    }
    LibraryCollector collector(component);
    call_fenced(collector.fence, component, "its libraries cannot be listed", table->list, collector.abi());
    return std::move(collector.libraries);
}

}  // namespace sluice::registry
