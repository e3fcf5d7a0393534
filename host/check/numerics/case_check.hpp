// All checks of one layer, or chain of layers, on one case in one mode. First the oracle of a layer in float64 is
// compared with finite differences. Then a provider in float32 and in 16-bit types is compared with the oracle. Without
// an oracle, the provider in float32 is compared with finite differences of itself.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "check/findings/report.hpp"
#include "check/numerics/kernel_run.hpp"
#include "check/numerics/providers.hpp"
#include "registry/objects/kernel.hpp"

namespace sluice::check {

class CaseCheck {
public:
    // All arguments must outlive the check.
    CaseCheck(const NodeCase& node, const Provider& provider, Report& report);
    // oracles: one for each layer, or empty (see Providers::oracles).
    void run(std::span<const Provider* const> oracles);

private:
    // One way to run a kernel.
    struct Variant {
        std::string name;
        sluice_dtype activations;
        Wanted wanted;
    };
    using Problems = std::vector<std::string>;

    [[nodiscard]] registry::Kernel plan(const Provider& provider, const NodeView& view) const;

    bool compute_right(std::span<const Provider* const> oracles);
    void check_oracle(const Provider& oracle, const char* what);
    // Checks a provider without an oracle. Only its gradients can be checked, by finite differences of its outputs.
    void check_alone();
    // Computes the expected results for values that are rounded to a 16-bit type.
    void compute_right_of(sluice_dtype dtype, std::span<const Provider* const> oracles);
    void check_variant(const Variant& variant);
    [[nodiscard]] std::vector<Variant> variants() const;
    [[nodiscard]] std::vector<Variant> short_variants(sluice_dtype dtype) const;
    [[nodiscard]] Problems wrong_numbers(const KernelResults& found, const Variant& variant) const;
    // Runs `check` and reports the problems that it returns. If there are none, it reports `otherwise` with `reason`.
    void report(const std::string& what, const std::function<Problems()>& check, Result otherwise = Result::passed,
                const std::string& reason = "");
    void add(const std::string& what, Result result, std::string reason);

    const NodeCase& node_;
    const Provider& provider_;
    Report& report_;
    NodeValues values_;
    KernelResults right_;  // expected: from the oracle in float64, else from the provider itself in float32
};

}  // namespace sluice::check
