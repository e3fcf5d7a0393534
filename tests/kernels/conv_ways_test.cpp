// Compares each way of the onednn plugin to compute a convolution in bfloat16 with the reference in float64. The test
// selects a way by a tuning cache that names it as the fastest.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "base/toml/toml.hpp"
#include "check/numerics/compare.hpp"
#include "check/numerics/kernel_memory.hpp"
#include "check/numerics/kernel_run.hpp"
#include "check/numerics/node_by_node.hpp"
#include "check/numerics/providers.hpp"
#include "check/numerics/tolerances.hpp"

namespace {

using namespace sluice;
using namespace sluice::check;

struct Convolution {
    std::string name;
    std::string type;
    std::string options;  // TOML, one option a line
    std::vector<std::int64_t> input;
};

// A way, and what the kernel's note says about each direction that uses it.
struct Way {
    std::string name;  // in the tuning cache
    std::string note;
    bool widens;                          // it multiplies in float32
    std::vector<std::string> directions;  // that can use it
};

struct WayCase {
    Convolution convolution;
    Way way;
};
std::ostream& operator<<(std::ostream& out, const WayCase& test) {
    return out << test.convolution.name << " by " << test.way.name;
}

const std::vector<std::string> kAll{"fwd", "bwd_d", "bwd_w"};
const Way kDirect{"direct", "", false, kAll};
const Way kDirectFloat32{"direct float32", "", true, kAll};
const Way kWinograd{"winograd", "winograd", true, kAll};

// In the case of an upsample, a convolution follows.
registry::CheckCase check_of(const registry::Registry& registry, const Convolution& convolution) {
    const auto complete = [&](const std::string& type, const std::string& toml) {
        return registry.options(registry.find(registry::Kind::layer, type, {}),
                                {type, {}, parse_toml(toml, "options")});
    };
    const std::vector<sluice_tensor_spec> inputs{make_spec(kFloat32, convolution.input)};
    if (convolution.type != "upsample") {
        return {.inputs = inputs, .options = complete(convolution.type, convolution.options), .then = {}, .files = {}};
    }
    return {.inputs = inputs,
            .options = complete("upsample", "factor = 2"),
            .then = {{.type = "conv2d", .origin = {}, .options = parse_toml(convolution.options, "options")}},
            .files = {}};
}

// Returns "bwd_d winograd 4x4 in float32" of "fwd ..., bwd_d winograd 4x4 in float32, bwd_w ...".
std::string part_of(const std::string& note, const std::string& direction) {
    const std::size_t begin = note.find(direction + " ");
    return begin == std::string::npos ? "" : note.substr(begin, note.find(", ", begin) - begin);
}

// Returns the entries of a tuning cache with `way` as every choice.
std::string with_choice(const std::string& choices, const std::string& way) {
    std::string changed;
    for (std::size_t at = 0; at < choices.size();) {
        const std::size_t end = choices.find('\n', at);
        changed += choices.substr(at, choices.rfind('\t', end) + 1 - at) + way + "\n";
        at = end + 1;
    }
    return changed;
}

// Returns the floating-point operations of a direction, by definition of the layer. The kernel's first parameter holds
// its taps, which meet each pixel of the output, or of the input if the convolution is transposed.
double flops_of(const Convolution& convolution, const NodeSpecs& specs) {
    const sluice_tensor_spec& image = convolution.type == "conv2d_transpose" ? specs.inputs[0] : specs.outputs[0];
    return 2.0 *
           static_cast<double>(element_count(specs.parameters[0]) * image.shape[0] * image.shape[1] * image.shape[2]);
}

// Checks what the kernel reports of a way that computes all three directions.
void expect_arithmetic(const WayCase& test, const registry::KernelNeeds& needs, double flops) {
    ASSERT_TRUE(needs.forward_flop && needs.backward_flop);
    const bool spares = test.way.name == "winograd" || test.convolution.type == "upsample";
    for (const double share : {*needs.forward_flop / flops, *needs.backward_flop / (2.0 * flops)}) {
        if (test.convolution.name == "unpadded") {
            EXPECT_DOUBLE_EQ(share, 1.0);
        } else if (spares) {
            EXPECT_LT(share, 0.7);
            EXPECT_GT(share, 0.2);
        } else {
            EXPECT_LE(share, 1.0);
            EXPECT_GT(share, 0.75);  // taps outside of the image cost nothing
        }
    }
}

void round_to(const std::vector<sluice_tensor_spec>& specs, std::vector<Numbers>& tensors) {
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        tensors[i] = decode(specs[i], encode(specs[i], tensors[i]));
    }
}

void expect_near(const char* what, const sluice_tensor_spec& spec, const Numbers& found, const Numbers& right,
                 Quantity quantity) {
    const auto wrong = difference(what, spec, found, right, tolerance(kBfloat16, quantity));
    EXPECT_FALSE(wrong) << *wrong;
}

class ConvWays : public testing::TestWithParam<std::tuple<WayCase, bool>> {
protected:
    ConvWays() : registry_(SLUICE_PLUGINS, {}), providers_(registry_) {}

    void SetUp() override {
        for (const registry::ComponentManifest* manifest : registry_.list(registry::Kind::kernel)) {
            provider_ = manifest->provides == "onednn" ? &providers_.get(*manifest) : provider_;
        }
        if (provider_ == nullptr) {
            GTEST_SKIP() << "no provider onednn";
        }
    }

    [[nodiscard]] registry::Kernel plan(const NodeView& view, registry::TuningCache& choices) const {
        std::string refusal;
        auto kernel =
            provider_->kernels->plan(view.chain(), "convolution", {provider_->bench->threads(), &choices}, refusal);
        EXPECT_TRUE(kernel) << refusal;
        return std::move(kernel).value();
    }

    // Returns the entries of the tuning cache: the ways of each direction, and the choice.
    [[nodiscard]] std::string measure(const NodeView& view) const {
        registry::TuningCache choices;
        const registry::Kernel kernel = plan(view, choices);
        return choices.used();
    }

    registry::Registry registry_;
    Providers providers_;
    const Provider* provider_ = nullptr;
};

TEST_P(ConvWays, ComputeWhatTheReferenceComputes) {
    const auto& [test, wide] = GetParam();
    const NodeCase narrow(registry_, registry_.find(registry::Kind::layer, test.convolution.type, {}),
                          check_of(registry_, test.convolution), 1, true);
    const NodeCase node = wide ? narrow.with_float32_output() : narrow;
    const NodeSpecs& specs = node.specs(kBfloat16);
    NodeValues values = make_values(node);
    round_to(specs.inputs, values.inputs);
    round_to(specs.outputs, values.output_gradients);
    const KernelResults right = run_node_by_node(node, values, providers_.oracles(node));

    for (const bool accumulate : {false, true}) {
        const Wanted wanted{.inputs = 1, .accumulate = accumulate};
        const NodeView view(node, kBfloat16, wanted);
        if (const auto refusal = provider_->kernels->refuses(view.chain())) {
            GTEST_SKIP() << *refusal;
        }
        const std::string ways = measure(view);
        if (test.way.name == "direct" && ways.find(" direct direct float32") == std::string::npos) {
            GTEST_SKIP() << "no units for bfloat16";
        }
        registry::TuningCache choices;
        choices.restore(with_choice(ways, test.way.name));
        const registry::Kernel kernel = plan(view, choices);
        if (kernel.needs().note.ends_with("rounded")) {
            GTEST_SKIP() << "no vectors that bfloat16 is stored from";
        }
        for (const std::string& direction : test.way.directions) {
            const std::string part = part_of(kernel.needs().note, direction);
            EXPECT_EQ(part.find("in float32") != std::string::npos, test.way.widens) << kernel.needs().note;
            EXPECT_NE(part.find(test.way.note), std::string::npos) << kernel.needs().note;
            if (test.way.note.empty()) {
                EXPECT_EQ(part.find("winograd"), std::string::npos) << kernel.needs().note;
                EXPECT_EQ(part.find("narrow"), std::string::npos) << kernel.needs().note;
            }
        }
        EXPECT_EQ(kernel.needs().computes_in.has_value(), kernel.needs().note.find("in float32") != std::string::npos);

        if (test.way.directions == kAll) {
            expect_arithmetic(test, kernel.needs(), flops_of(test.convolution, specs));
        }

        const KernelResults found = KernelRun(*provider_->bench, kernel, node, kBfloat16, wanted).step(values, {});
        EXPECT_TRUE(found.broken_rules.empty()) << found.broken_rules.front();
        const auto with_before = [&](Numbers numbers) {
            for (std::size_t i = 0; i < numbers.size() && accumulate; ++i) {
                numbers[i] += gradient_before(i);
            }
            return numbers;
        };
        expect_near("output", specs.outputs[0], found.outputs[0], right.outputs[0], Quantity::output);
        expect_near("gradient of input", specs.inputs[0], found.input_gradients[0],
                    with_before(right.input_gradients[0]), Quantity::input_gradient);
        for (std::size_t i = 0; i < specs.parameters.size(); ++i) {
            expect_near("gradient of parameter", specs.parameters[i], found.parameter_gradients[i],
                        with_before(right.parameter_gradients[i]), Quantity::parameter_gradient);
        }
    }
}

const Convolution kPlain{"plain", "conv2d", "filters = 17\nkernel = 3", {2, 9, 11, 16}};
const Convolution kUnpadded{"unpadded", "conv2d", "filters = 17\nkernel = 3\npadding = 'valid'", {2, 9, 11, 16}};
const Convolution kMirrored{"mirrored", "conv2d", "filters = 24\nkernel = 3\npadding = 'reflect'", {2, 9, 11, 16}};
const Convolution kStrided{"strided", "conv2d", "filters = 24\nkernel = 3\nstride = 2", {2, 9, 11, 16}};
const Convolution kToFew{"to_few", "conv2d", "filters = 3\nkernel = 5\npadding = 'reflect'", {2, 9, 11, 20}};
const Convolution kFromFew{"from_few", "conv2d", "filters = 20\nkernel = 3", {2, 9, 11, 3}};
const Convolution kUpsampled{"upsampled", "upsample", "filters = 17\nkernel = 3", {2, 6, 11, 18}};
const Convolution kTransposed{"transposed", "conv2d_transpose", "filters = 13\nkernel = 4\nstride = 2", {2, 5, 7, 16}};

INSTANTIATE_TEST_SUITE_P(
    Bfloat16, ConvWays,
    testing::Combine(
        testing::Values(WayCase{kPlain, kDirect}, WayCase{kPlain, kDirectFloat32}, WayCase{kPlain, kWinograd},
                        WayCase{kUnpadded, kDirect}, WayCase{kUnpadded, kDirectFloat32}, WayCase{kMirrored, kDirect},
                        WayCase{kMirrored, kDirectFloat32}, WayCase{kMirrored, kWinograd}, WayCase{kStrided, kDirect},
                        WayCase{kStrided, kDirectFloat32}, WayCase{kToFew, kDirect}, WayCase{kToFew, kDirectFloat32},
                        WayCase{kToFew, {"narrow", "narrow", true, {"fwd"}}}, WayCase{kFromFew, kDirect},
                        WayCase{kFromFew, kDirectFloat32}, WayCase{kFromFew, {"narrow", "narrow", true, {"bwd_d"}}},
                        WayCase{kUpsampled, {"direct", "of 4 phases", false, kAll}},
                        WayCase{kUpsampled, {"direct float32", "of 4 phases", true, kAll}},
                        WayCase{kUpsampled, {"winograd", "winograd 5x5 of 4 phases", true, kAll}},
                        WayCase{kTransposed, kDirect}, WayCase{kTransposed, kDirectFloat32}),
        testing::Bool()),
    [](const auto& test) {
        std::string name = std::get<0>(test.param).convolution.name + "_" + std::get<0>(test.param).way.name +
                           (std::get<1>(test.param) ? "_to_float32" : "");
        std::ranges::replace(name, ' ', '_');
        return name;
    });

}  // namespace
