#include "conv/pass.hpp"

#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include "conv/bias.hpp"
#include "conv/geometry.hpp"
#include "images/upsample.hpp"

namespace sluice::cudnn {
namespace {

constexpr std::string_view kApart = "apart, ";

// Prints four significant digits.
std::string short_text(double number) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::general, 4);
    return {digits.data(), end.ptr};
}

// Returns the upsampling from the given image to the one that the convolution reads.
Upsampling upsampling_of(const ConvProblem& problem) {
    return {
        .batch = problem.batch, .height = problem.in[0] / 2, .width = problem.in[1] / 2, .channels = problem.channels};
}

}  // namespace

ConvPass::ConvPass(const ConvProblem& problem, bool apart, std::shared_ptr<const ExecutionPlan> plan)
    : problem_(problem), apart_(apart), plan_(std::move(plan)) {
    layout_.take(plan_->workspace());
    if (problem.upsampled) {
        enlarged_ = layout_.take(static_cast<std::uint64_t>(x_count(problem)) * size_of(problem.image));
    }
}

std::string ConvPass::text() const { return (apart_ ? std::string(kApart) : "") + plan_->choice().text(); }

std::string ConvPass::note() const {
    const char* const epilogue = problem_.sums ? (apart_ ? ", sums apart" : ", with sums")
                                 : apart_      ? ", bias apart"
                                               : "";
    const std::string engine = "engine " + std::to_string(plan_->choice().engine);
    if (!milliseconds_) {
        return engine + epilogue;
    }
    const double rate = flops(problem_) / (1e9 * static_cast<double>(*milliseconds_));
    return engine + " in " + short_text(*milliseconds_) + " ms, " + short_text(rate) + " TFLOP/s" + epilogue;
}

double ConvPass::done_flops() const {
    double done = flops(problem_);
    for (const std::int64_t taps : problem_.taps) {
        const std::int64_t points = plan_->winograd_points();
        if (points >= taps && points > 0) {  // each tile has points - taps + 1 outputs of `taps` products
            done *= static_cast<double>(points) / static_cast<double>((points - taps + 1) * taps);
        }
    }
    return done;
}

void ConvPass::run(const Handle& handle, void* stream, const ConvMemory& memory, void* workspace) const {
    const bool sums_gradient = problem_.upsampled && problem_.direction == Direction::backward_data;
    const void* const x = problem_.upsampled ? at(workspace, enlarged_) : memory.x;
    if (problem_.upsampled && !sums_gradient) {
        upsample(stream, problem_.image, upsampling_of(problem_), memory.x, const_cast<void*>(x));
    }
    std::vector<ExecutionPlan::Binding> bindings = {{Operand::x, x}, {Operand::w, memory.w}, {Operand::y, memory.y}};
    if (reads_bias_in_graph()) {
        bindings.push_back({Operand::bias, memory.bias_in_graph});
    }
    if (writes_sums()) {
        bindings.push_back({Operand::sums, memory.sums});
        bindings.push_back({Operand::squares, memory.sums + problem_.filters});
    }
    handle.use(stream);
    plan_->run(handle, bindings, workspace);
    if (sums_gradient) {
        upsample_gradient(stream, problem_.image, upsampling_of(problem_), x, const_cast<void*>(memory.x),
                          problem_.add);
    }
    if (apart_ && (problem_.bias || problem_.relu)) {
        const bool is_forward = problem_.direction == Direction::forward;
        const std::int64_t channels = is_forward ? problem_.filters : problem_.channels;
        const std::int64_t count = is_forward ? y_count(problem_) : x_count(problem_);
        add_bias(stream, problem_.image, const_cast<void*>(is_forward ? memory.y : memory.x), count / channels,
                 channels, problem_.bias ? memory.bias : nullptr, problem_.relu);
    }
}

bool is_faster(const ConvPass& pass, const ConvPass& other) {
    return pass.milliseconds() && other.milliseconds() && *pass.milliseconds() < *other.milliseconds();
}

ConvProblem graph_problem(ConvProblem problem, bool apart) {
    if (apart) {
        problem.bias = false;
        problem.relu = false;
        problem.sums = false;
    }
    if (problem.upsampled) {
        problem.upsampled = false;
        problem.add = false;
    }
    return problem;
}

std::unique_ptr<ConvPass> make_pass(const ConvProblem& problem, const Target& target, std::string_view text) {
    const bool apart = text.starts_with(kApart);
    const auto choice = EngineChoice::of(apart ? text.substr(kApart.size()) : text);
    if (!choice || (apart && !problem.has_epilogue())) {
        return nullptr;
    }
    const ConvGraph graph(graph_problem(problem, apart), target);
    auto plan = ExecutionPlan::make(graph.graph(), target, *choice);
    return plan == nullptr ? nullptr : std::make_unique<ConvPass>(problem, apart, std::move(plan));
}

}  // namespace sluice::cudnn
