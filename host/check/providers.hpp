// All kernel providers of the registry, opened on their devices with default options.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "check/finding.hpp"
#include "check/node_case.hpp"
#include "check/workbench.hpp"

namespace sluice::check {

struct Provider {
    std::string name;
    std::string id;
    const Workbench* bench = nullptr;
    std::optional<registry::KernelProvider> kernels;  // nothing: `reason` says why not
    Result without = Result::skipped;                 // what that is worth: no device is no failure
    std::string reason;
};

class Providers {
public:
    explicit Providers(const registry::Registry& registry);
    [[nodiscard]] const std::vector<Provider>& all() const { return providers_; }
    // Who tells what is right: "reference" where it claims the case in float64, else the first provider that does.
    [[nodiscard]] const Provider* oracle(const NodeCase& node) const;

private:
    // Throws Error where there is no such device.
    const Workbench& bench(const registry::Registry& registry, const std::string& device);
    [[nodiscard]] Provider open(const registry::Registry& registry, const registry::ComponentManifest& manifest);

    std::map<std::string, std::unique_ptr<Workbench>> benches_;
    std::vector<Provider> providers_;
};

}  // namespace sluice::check
