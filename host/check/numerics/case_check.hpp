// All checks of one layer, or chain of layers, on one case in one mode: the oracle of a layer in float64 against finite
// differences, then a provider in float32 and in the types of 16 bits against the oracle. Without an oracle the
// provider in float32 against finite differences of itself.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "check/findings/report.hpp"
#include "check/numerics/kernel_run.hpp"
#include "check/numerics/providers.hpp"

namespace sluice::check {

class CaseCheck {
public:
    // All outlive it.
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
    // Where there is no oracle: what is right but its slopes nobody tells.
    void check_alone();
    // What is right of the numbers as a type of 16 bits stores them.
    void compute_right_of(sluice_dtype dtype, std::span<const Provider* const> oracles);
    void check_variant(const Variant& variant);
    [[nodiscard]] std::vector<Variant> variants() const;
    [[nodiscard]] std::vector<Variant> short_variants(sluice_dtype dtype) const;
    [[nodiscard]] Problems wrong_numbers(const KernelResults& found, const Variant& variant) const;
    // Runs `check`, which returns what is wrong, and reports it. otherwise: what it is worth where nothing is.
    void report(const std::string& what, const std::function<Problems()>& check, Result otherwise = Result::passed,
                const std::string& reason = "");
    void add(const std::string& what, Result result, std::string reason);

    const NodeCase& node_;
    const Provider& provider_;
    Report& report_;
    NodeValues values_;
    KernelResults right_;  // by the oracle in float64; without one by the provider itself in float32
};

}  // namespace sluice::check
