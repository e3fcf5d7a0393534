// All checks of one layer on one case in one mode: the oracle in float64 against finite differences, then every
// provider in float32 against the oracle.
#pragma once

#include <string>
#include <vector>

#include "check/finding.hpp"
#include "check/kernel_run.hpp"
#include "check/providers.hpp"

namespace sluice::check {

class CaseCheck {
public:
    // Both outlive it. Only providers of that name or id; "" for all.
    CaseCheck(const NodeCase& node, const Providers& providers, std::string only_provider);
    std::vector<Finding> run();

private:
    // One way to run a kernel.
    struct Variant {
        const char* name;
        sluice_dtype activations;
        Wanted wanted;
    };
    using Problems = std::vector<std::string>;

    [[nodiscard]] bool is_chosen(const Provider& provider) const;
    bool check_oracle(const Provider& provider);
    void check_provider(const Provider& provider);
    void check_variant(const Provider& provider, const Variant& variant);
    [[nodiscard]] std::vector<Variant> variants() const;
    [[nodiscard]] Problems wrong_numbers(const KernelResults& found, const Variant& variant) const;
    void add(const Provider& provider, const std::string& what, Result result, std::string reason);
    void add(const Provider& provider, const std::string& what, const Problems& problems);

    const NodeCase& node_;
    const Providers& providers_;
    std::string only_;
    NodeValues values_;
    KernelResults right_;  // by the oracle in float64
    std::vector<Finding> findings_;
};

}  // namespace sluice::check
