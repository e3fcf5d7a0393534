#include "conv/choice.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>

#include "conv/trial.hpp"
#include "sluice/sdk/cpu.hpp"
#include "sluice/sdk/tuning.hpp"

namespace sluice::onednn {
namespace {

constexpr std::uint32_t kRounds = 5;    // timed rounds; one warm-up round precedes them
constexpr double kDropOutFactor = 1.5;  // a candidate slower than this multiple of the fastest drops out

std::string describe(const ConvAxis& axis) {
    return std::to_string(axis.in) + "-" + std::to_string(axis.before) + "-" + std::to_string(axis.after) + "-" +
           std::to_string(axis.out);
}

// Returns "bfloat16", or "bfloat16 to float32" if the output has another type.
std::string describe_types(DataType input, DataType output) {
    const auto name = [](DataType type) { return std::string(type == DataType::bf16 ? "bfloat16" : "float32"); };
    return name(input) + (output == input ? "" : " to " + name(output));
}

std::string list(std::initializer_list<std::int64_t> numbers) {
    std::string text;
    for (const std::int64_t number : numbers) {
        text += " " + std::to_string(number);
    }
    return text;
}

// The key names the candidates, because options may rule some of them out for the same convolution.
std::string key_of(const ConvChoice& choice, const std::vector<ConvCandidate>& candidates) {
    static const std::string kCpu = sdk::cpu_name();
    const dnnl_version_t& version = *dnnl_version();
    std::string key = "onednn " + choice.computation + " oneDNN " + std::to_string(version.major) + "." +
                      std::to_string(version.minor) + "." + std::to_string(version.patch) + " isa " +
                      std::to_string(static_cast<int>(dnnl::get_effective_cpu_isa())) + " threads " +
                      std::to_string(choice.sink.threads()->count) + " of";
    for (const ConvCandidate& candidate : candidates) {
        key += " " + std::string(candidate.name);
    }
    return key + " " + kCpu;
}

class TimedCandidate {
public:
    explicit TimedCandidate(const ConvCandidate& of)
        : candidate(&of), pass_(of.make()), workspace_(static_cast<std::int64_t>(pass_->workspace() / sizeof(float))) {}

    void run(const Trial& trial, std::uint32_t round) {
        const double seconds = trial.run(*pass_, workspace_, round);
        least = round == 0 ? least : std::min(least, seconds);
    }

    const ConvCandidate* candidate;
    double least = std::numeric_limits<double>::infinity();  // seconds

private:
    std::unique_ptr<ConvPass> pass_;
    TrialValues workspace_;
};

// Candidates take turns, so that a disturbance affects all of them, and the least time of each counts. Measured passes
// are discarded, because they hold packed copies of the trial's parameters.
const ConvCandidate& fastest_of(const ConvChoice& choice, const std::vector<ConvCandidate>& candidates) {
    const Trial trial(choice.tensors, choice.sink.threads());
    std::vector<TimedCandidate> contenders(candidates.begin(), candidates.end());
    for (std::uint32_t round = 0; round <= kRounds; ++round) {
        for (TimedCandidate& contender : contenders) {
            contender.run(trial, round);
        }
        const double least = std::ranges::min_element(contenders, {}, &TimedCandidate::least)->least;
        std::erase_if(contenders, [&](const TimedCandidate& other) { return other.least > kDropOutFactor * least; });
    }
    return *std::ranges::min_element(contenders, {}, &TimedCandidate::least)->candidate;
}

// Geometry: ConvGeometry or TransposeGeometry.
template <class Geometry>
TrialTensors tensors_of(const Geometry& geometry) {
    return {.input = geometry.input_count(),
            .output = geometry.output_count(),
            .weights = geometry.filters * geometry.kernel * geometry.kernel * geometry.channels,
            .biases = geometry.filters,
            .input_type = geometry.input,
            .output_type = geometry.output};
}

}  // namespace

ConvChoice choice_of(std::string_view direction, const ConvGeometry& geometry, const sdk::KernelSink& sink) {
    return {.computation = "conv2d " + std::string(direction) + " " + describe_types(geometry.input, geometry.output) +
                           list({geometry.batch, geometry.channels, geometry.filters, geometry.kernel, geometry.stride,
                                 geometry.dilation, geometry.groups, geometry.border}) +
                           " " + describe(geometry.height) + " " + describe(geometry.width),
            .tensors = tensors_of(geometry),
            .sink = sink};
}

ConvChoice choice_of(std::string_view direction, const TransposeGeometry& geometry, const sdk::KernelSink& sink) {
    const auto axis = [&](std::size_t i) {
        return list({geometry.in[i], geometry.before[i], geometry.after[i], geometry.out[i]});
    };
    return {.computation =
                "conv2d_transpose " + std::string(direction) + " " + describe_types(geometry.input, geometry.output) +
                list({geometry.batch, geometry.channels, geometry.filters, geometry.kernel, geometry.stride}) +
                axis(0) + axis(1),
            .tensors = tensors_of(geometry),
            .sink = sink};
}

std::unique_ptr<ConvPass> choose_pass(const ConvChoice& choice, const std::vector<ConvCandidate>& candidates) {
    if (candidates.size() == 1 || choice.sink.threads() == nullptr) {
        return candidates[0].make();
    }
    const auto measure = [&]() -> const ConvCandidate& { return fastest_of(choice, candidates); };
    return sdk::choose_candidate(choice.sink, key_of(choice, candidates), candidates, &ConvCandidate::name, measure)
        .make();
}

}  // namespace sluice::onednn
