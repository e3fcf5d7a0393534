// Runs the check cases of layer types with one kernel provider, and prints a JSON object with inputs and outputs for
// each case. Scripts compute the same in another way and compare.
//
//   case_values PLUGIN_FOLDER PROVIDER SCALE TYPE...
//
// Inputs are those of `host check`. The first one is multiplied by SCALE if it has floats.
#include <fmt/format.h>

#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "check/numerics/kernel_memory.hpp"
#include "check/numerics/kernel_run.hpp"
#include "check/numerics/providers.hpp"

namespace {

using namespace sluice;
using nlohmann::json;

json to_json(const std::vector<sluice_tensor_spec>& specs, const std::vector<check::Numbers>& tensors) {
    json out = json::array();
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        out.push_back({{"shape", std::vector<std::int64_t>(specs[i].shape, specs[i].shape + specs[i].rank)},
                       {"dtype", to_string(specs[i].dtype)},
                       {"values", tensors[i]}});
    }
    return out;
}

std::string options_text(const Table& options) {
    std::string text;
    for (const auto& [key, value] : options.entries()) {
        text += fmt::format("{} = {}\n", key, to_toml(value));
    }
    return text;
}

void scale_first(check::NodeValues& values, const check::NodeSpecs& specs, double factor) {
    for (double& value : values.inputs[0]) {
        value = is_float(specs.inputs[0].dtype) ? static_cast<double>(static_cast<float>(factor * value)) : value;
    }
}

json run_case(const check::NodeCase& node, const check::Provider& provider, double factor) {
    json out{{"type", node.type()}, {"case", node.name()}, {"options", options_text(node.links().front().options)}};
    const check::Wanted wanted{.inputs = node.has_backward() ? node.differentiable_inputs() : 0};
    const check::NodeView view(node, kFloat32, wanted);
    std::string refusal;
    registry::TuningCache choices;
    auto kernel = provider.kernels->plan(view.chain(), node.name(), {provider.bench->threads(), &choices}, refusal);
    if (!kernel) {
        out["refused"] = refusal;
        return out;
    }
    check::KernelRun run(*provider.bench, *kernel, node, kFloat32, wanted);
    check::NodeValues values = check::make_values(node);
    scale_first(values, node.specs(kFloat32), factor);
    const check::KernelResults results = run.step(values, {});
    const check::NodeSpecs& specs = node.specs(kFloat32);
    out["seed"] = check::kLossSeed;
    out["inputs"] = to_json(specs.inputs, values.inputs);
    out["parameters"] = to_json(specs.parameters, values.parameters);
    out["output_gradients"] = to_json(specs.outputs, values.output_gradients);
    out["outputs"] = to_json(specs.outputs, results.outputs);
    out["input_gradients"] = to_json(specs.inputs, results.input_gradients);
    out["parameter_gradients"] = to_json(specs.parameters, results.parameter_gradients);
    return out;
}

void run_type(const registry::Registry& registry, const check::Provider& provider, const std::string& type,
              double factor) {
    const registry::Component layer = registry.find(registry::Kind::layer, type, {});
    for (std::size_t i = 0; i < layer.manifest->checks.size(); ++i) {
        if (!layer.manifest->checks[i].then.empty()) {
            continue;  // a chain; its layers have cases of their own
        }
        const check::NodeCase node(registry, layer, layer.manifest->checks[i], i + 1, true);
        std::cout << run_case(node, provider, factor).dump() << "\n";
    }
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 5) {
        std::cerr << "usage: case_values PLUGIN_FOLDER PROVIDER SCALE TYPE...\n";
        return 2;
    }
    try {
        const registry::Registry registry(arguments[1], {});
        check::Providers providers(registry);
        const check::Provider& provider =
            providers.get(*registry.find(registry::Kind::kernel, arguments[2], {}, "cpu").manifest);
        if (!provider.kernels) {
            throw Error(Exit::plugin, provider.reason);
        }
        for (int i = 4; i < count; ++i) {
            run_type(registry, provider, arguments[i], std::strtod(arguments[3], nullptr));
        }
        return 0;
    } catch (const Error& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
