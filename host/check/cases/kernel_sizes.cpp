// Cases with shapes that no manifest lists and that leave a remainder in vectors and tiles.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/error.hpp"
#include "check/cases/expected_results.hpp"
#include "check/numerics/resized_cases.hpp"

namespace sluice::check {
namespace {

// Tolerance for 16-bit outputs. The expected results are computed from operands that are not rounded.
constexpr double kRoundedOperandTolerance = 0.05;

// Replaces all numbers but NaN by the expected ones. A kink, as of relu, may lie between an operand and its rounded
// value. So 16-bit gradients are only required to be written: unwritten ones are NaN.
void replace_written(std::vector<Numbers>& found, const std::vector<Numbers>& right) {
    for (std::size_t i = 0; i < found.size(); ++i) {
        for (std::size_t k = 0; k < found[i].size(); ++k) {
            found[i][k] = std::isnan(found[i][k]) ? found[i][k] : right[i][k];
        }
    }
}

bool is_empty(const NodeCase& node) {
    return std::ranges::any_of(node.specs(kFloat32).inputs, [](const auto& spec) { return element_count(spec) == 0; });
}

class OddSizes {
public:
    OddSizes(Trial& trial, ClaimedLayers& claimed) : trial_(trial), claimed_(claimed) {}

    void check(const registry::ComponentManifest& layer) {
        const registry::Component type = trial_.registry().find(registry::Kind::layer, layer.provides, {});
        for (std::size_t i = 0; i < type.manifest->checks.size(); ++i) {
            try {
                check_near(type, i);
            } catch (const Broken&) {
                if (is_right_itself(type, i)) {
                    throw;
                }
                // the case of the manifest fails too, which kernel.numbers reports
            }
        }
    }
    [[nodiscard]] std::size_t count() const { return count_; }

private:
    void check_near(const registry::Component& type, std::size_t index) {
        for (const ResizedCase& near : make_resized_cases(type.manifest->checks[index])) {
            if (const auto node = take(trial_, type, near.check, index + 1, true)) {
                check_training(*node, near);
            }
            const auto node = take(trial_, type, near.check, index + 1, false);
            if (node && near.changes_all) {
                check_evaluation(*node);
            }
        }
    }

    bool is_right_itself(const registry::Component& type, std::size_t index) {
        const auto node = take(trial_, type, type.manifest->checks[index], index + 1, true);
        try {
            if (node) {
                check_training(*node, {.check = {}, .changes_all = true, .is_larger = false});
            }
            return true;
        } catch (const Broken&) {
            return false;
        }
    }

    // Finite differences are used only on shapes up to those of the case: in wider windows of a pool, values repeat.
    void check_training(const NodeCase& node, const ResizedCase& near) {
        if (!claimed_.claims(node)) {
            return;
        }
        note_case(node, kFloat32);
        if (is_empty(node)) {
            run_empty(node);
            return;
        }
        std::optional<KernelResults> right;
        if (claimed_.has_other_provider(node) || (near.changes_all && !near.is_larger)) {
            right = expected_results(claimed_, node);
        }
        compare(node, kFloat32, right);
        for (const sluice_dtype dtype : {kBfloat16, kFloat16}) {
            if (near.changes_all && right && node.role() == SLUICE_ROLE_LAYER && claimed_.claims(node, dtype)) {
                note_case(node, dtype);
                compare(node, dtype, right);
            }
        }
    }

    void check_evaluation(const NodeCase& node) {
        if (claimed_.claims(node) && !is_empty(node)) {
            note_case(node, kFloat32);
            compare(node, kFloat32, claimed_.expected_results(node));
        }
    }

    // Without `right`, only the kernel's use of memory is checked.
    void compare(const NodeCase& node, sluice_dtype dtype, const std::optional<KernelResults>& right) {
        KernelResults found = claimed_.run(node, *claimed_.provider().bench, false, dtype);
        ++count_;
        expect_sound(node, dtype, found);
        if (!right) {
            return;
        }
        const bool is_rounded = dtype != kFloat32;
        if (is_rounded) {
            replace_written(found.input_gradients, right->input_gradients);
            replace_written(found.parameter_gradients, right->parameter_gradients);
        }
        const auto apart = first_difference(node.specs(dtype), found, *right,
                                            is_rounded ? kRoundedOperandTolerance : kSumOrderTolerance);
        expect(!apart, fmt::format("{}: {}", place_of(node, dtype), apart.value_or("")));
    }

    // A kernel may decline empty tensors, even if the layer accepts them. There are no numbers to compare.
    void run_empty(const NodeCase& node) {
        if (const auto found = claimed_.try_run(node)) {
            ++count_;
            expect_sound(node, kFloat32, *found);
        }
    }

    static void expect_sound(const NodeCase& node, sluice_dtype dtype, const KernelResults& found) {
        expect(found.broken_rules.empty(),
               fmt::format("{}: {}", place_of(node, dtype), fmt::join(found.broken_rules, "; ")));
    }

    static std::string place_of(const NodeCase& node, sluice_dtype dtype) {
        return fmt::format("{}, resized {}, {}", node.type(), node.name(), to_string(dtype));
    }
    void note_case(const NodeCase& node, sluice_dtype dtype) { trial_.doing(place_of(node, dtype)); }

    Trial& trial_;
    ClaimedLayers& claimed_;
    std::size_t count_ = 0;
};

void computes_odd_sizes(Trial& trial) {
    ClaimedLayers claimed(trial);
    OddSizes sizes(trial, claimed);
    for (const registry::ComponentManifest* layer : trial.registry().list(registry::Kind::layer)) {
        sizes.check(*layer);
    }
    if (sizes.count() == 0) {
        throw CaseSkipped("no claimed layer accepts other sizes than those of its manifest");
    }
    trial.note(fmt::format("{} sizes", sizes.count()));
}

constexpr std::array kKernelSizesCases{
    Case{.name = "kernel.sizes",
         .proves = "Sizes that no manifest lists are computed correctly: odd extents, 1, primes and 0.",
         .run = computes_odd_sizes,
         .limit_factor = 10},
};

}  // namespace

std::span<const Case> kernel_size_cases() { return kKernelSizesCases; }

}  // namespace sluice::check
