#include "plan/plan_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text/scaled_number.hpp"

namespace sluice::plan {
namespace {

std::string shape_text(const sluice_tensor_spec& spec) {
    std::string text;
    for (const std::int64_t extent : shape_of(spec)) {
        text += (text.empty() ? "" : "x") + std::to_string(extent);
    }
    return text;
}

// layer, type, kernels, output, dtype, params, FLOP, bytes, note
using Row = std::array<std::string, 9>;

Row row_of(const Plan& plan, const Step& step) {
    std::string types;
    double flops = 0.0;
    std::int64_t parameters = 0;
    double bytes = 0.0;  // read and written by forward
    for (const std::vector<TensorId>* ids : {&step.inputs, &step.outputs}) {
        for (const TensorId id : *ids) {
            bytes += static_cast<double>(byte_count(plan.graph.tensors[id].spec));
        }
    }
    for (const std::size_t n : step.nodes) {
        const Node& node = plan.graph.nodes[n];
        types += (types.empty() ? "" : "+") + node.type;
        flops += node.flops;
        for (const std::size_t p : node.parameters) {
            parameters += element_count(plan.graph.parameters[p].spec);
            bytes += static_cast<double>(byte_count(plan.graph.parameters[p].spec));
        }
    }
    const sluice_tensor_spec& out = plan.graph.tensors[step.outputs.front()].spec;
    std::string note = step.kernel.needs().note;
    if (!step.refusals.empty()) {
        note += (note.empty() ? "" : "; ") + step.refusals;
    }
    return {plan.graph.nodes[step.nodes.front()].path,
            types,
            step.kernel.provider(),
            shape_text(out),
            to_string(out.dtype),
            parameters == 0 ? "" : metric_number(static_cast<double>(parameters)),
            flops == 0.0 ? "" : metric_number(flops),
            byte_text(bytes),
            note};
}

// Columns of names are as wide as their longest entry.
std::string table_text(const std::vector<Row>& rows) {
    std::array<std::size_t, 3> widths = {30, 19, 10};
    for (const Row& row : rows) {
        for (std::size_t i = 0; i < widths.size(); ++i) {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    std::string text;
    for (const Row& row : rows) {
        text += fmt::format("  {:<{}} {:<{}} {:<{}} {:>16} {:<8} {:>9} {:>9} {:>9}  {}\n", row[0], widths[0], row[1],
                            widths[1], row[2], widths[2], row[3], row[4], row[5], row[6], row[7], row[8]);
    }
    return text;
}

}  // namespace

std::string list_plan(const Plan& plan) {
    std::vector<Row> rows = {{"layer", "type", "kernels", "output", "dtype", "params", "FLOP", "bytes", "note"}};
    for (const Step& step : plan.steps) {
        rows.push_back(row_of(plan, step));
    }
    std::string text = table_text(rows);
    const double flops = flops_total(plan.graph);
    const double parameters = static_cast<double>(parameter_total(plan.graph));
    text += fmt::format("parameters  {} ({})\n", metric_number(parameters), byte_text(parameters * 4));
    text += fmt::format("forward     {}FLOP per batch of {}, {}FLOP per sample\n", metric_number(flops), plan.batch,
                        metric_number(flops / static_cast<double>(plan.batch)));
    if (plan.micro_batches > 1) {
        text += fmt::format("split       {}\n", micro_batches_text(plan));
    }
    for (const PassRecord& pass : plan.passes) {
        text += fmt::format("{:<11} {}{}\n", pass.name, pass.did,
                            pass.seconds >= 0.1 ? fmt::format(" ({:.1f} s)", pass.seconds) : "");
    }
    return text;
}

std::string micro_batches_text(const Plan& plan) {
    const bool has_statistics = plan.graph.mode == Mode::train && plan.layout.state_count > 0;
    return fmt::format(
        "{} micro-batches of {} samples make a batch{}, because there is {}", plan.micro_batches, plan.batch,
        has_statistics ? ", and statistics such as those of batch_norm cover one micro-batch" : "", plan.split_reason);
}

std::string list_memory(const MemoryNeed& need, const WeightBytes& weights) {
    std::string parts;
    for (const auto& [what, bytes] : {std::pair{"arena", need.arena},
                                      {"parameters", weights.parameters},
                                      {"gradients", weights.gradients},
                                      {"optimizer states", weights.optimizer_states},
                                      {"running statistics", weights.running},
                                      {"averaged weights", weights.average + weights.running_average},
                                      {"16-bit weights", weights.rounded},
                                      {"gradients of micro-batches", need.kept},
                                      {"in-flight batches", need.batches}}) {
        if (bytes > 0) {
            parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", what, byte_text(bytes));
        }
    }
    return fmt::format("memory      {}: {}\n", byte_text(need.total()), parts);
}

}  // namespace sluice::plan
