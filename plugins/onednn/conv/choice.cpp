#include "conv/choice.hpp"

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include "math/element.hpp"
#include "sluice/sdk/cpu.hpp"

namespace sluice::onednn {
namespace {

constexpr std::align_val_t kAlignment{64};
constexpr int kRuns = 3;  // timed, after one that is not; the fastest counts

class Values {
public:
    // Neither zeros nor numbers near them, which may take another time than those of a training.
    explicit Values(std::int64_t count, DataType type = DataType::f32)
        : block_(::operator new(static_cast<std::size_t>(count* size_of(type)), kAlignment)) {
        if (type == DataType::bf16) {
            fill(static_cast<Bfloat16*>(get()), count);
        } else {
            fill(static_cast<float*>(get()), count);
        }
    }
    [[nodiscard]] void* get() const { return block_.get(); }

private:
    template <class Element>
    static void fill(Element* values, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) {
            values[i] = static_cast<float>(i % 17 - 8) / 8.0F;
        }
    }

    struct Free {
        void operator()(void* block) const noexcept { ::operator delete(block, kAlignment); }
    };
    std::unique_ptr<void, Free> block_;
};

// The tensors of a convolution outside of a run. Gradients lie where the tensors lie that the same direction does not
// use; the values do not matter.
class Trial {
public:
    Trial(const TrialTensors& tensors, const sluice_threads* threads)
        : threads_(threads),
          input_(tensors.input, tensors.input_type),
          output_(tensors.output, tensors.output_type),
          weights_(tensors.weights),
          weight_gradient_(tensors.weights),
          bias_(tensors.biases) {}

    // Seconds of a run with parameters that are new, as in each step of a training.
    [[nodiscard]] double measure(ConvPass& pass) const {
        const Values workspace(static_cast<std::int64_t>(pass.workspace() / sizeof(float)));
        const void* inputs[] = {input_.get()};
        void* outputs[] = {output_.get()};
        const void* parameters[] = {weights_.get(), bias_.get()};
        const void* output_gradients[] = {output_.get()};
        void* input_gradients[] = {input_.get()};
        void* parameter_gradients[] = {weight_gradient_.get(), bias_.get()};
        sluice_launch launch{};
        launch.struct_size = sizeof(launch);
        launch.inputs = inputs;
        launch.outputs = outputs;
        launch.parameters = parameters;
        launch.output_gradients = output_gradients;
        launch.input_gradients = input_gradients;
        launch.parameter_gradients = parameter_gradients;
        launch.workspace = workspace.get();
        launch.threads = threads_;
        double best = std::numeric_limits<double>::infinity();
        for (int run = 0; run <= kRuns; ++run) {
            launch.parameters_version = static_cast<std::uint32_t>(run);
            const auto start = std::chrono::steady_clock::now();
            pass.run(launch);
            const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
            best = run == 0 ? best : std::min(best, time.count());
        }
        return best;
    }

private:
    const sluice_threads* threads_;
    Values input_;
    Values output_;
    Values weights_;
    Values weight_gradient_;
    Values bias_;
};

std::string describe(const ConvAxis& axis) {
    return std::to_string(axis.in) + "-" + std::to_string(axis.before) + "-" + std::to_string(axis.after) + "-" +
           std::to_string(axis.out);
}

// "bfloat16", or "bfloat16 to float32" where the output is of another type.
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

// The same convolution has other candidates where options rule some out.
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

// Passes that were measured are not kept: they hold packed copies of the trial's parameters.
const ConvCandidate& fastest_of(const ConvChoice& choice, const std::vector<ConvCandidate>& candidates) {
    const Trial trial(choice.tensors, choice.sink.threads());
    const ConvCandidate* fastest = &candidates[0];
    double least = std::numeric_limits<double>::infinity();
    for (const ConvCandidate& candidate : candidates) {
        if (const double time = trial.measure(*candidate.make()); time < least) {
            least = time;
            fastest = &candidate;
        }
    }
    return *fastest;
}

}  // namespace

ConvChoice choice_of(std::string_view direction, const ConvGeometry& geometry, const sdk::KernelSink& sink) {
    return {.computation = "conv2d " + std::string(direction) + " " + describe_types(geometry.input, geometry.output) +
                           list({geometry.batch, geometry.channels, geometry.filters, geometry.kernel, geometry.stride,
                                 geometry.dilation, geometry.groups, geometry.border}) +
                           " " + describe(geometry.height) + " " + describe(geometry.width),
            .tensors = {.input = geometry.input_count(),
                        .output = geometry.output_count(),
                        .weights = geometry.filters * geometry.kernel * geometry.kernel * geometry.channels,
                        .biases = geometry.filters,
                        .input_type = geometry.input,
                        .output_type = geometry.output},
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
            .tensors = {.input = geometry.input_count(),
                        .output = geometry.output_count(),
                        .weights = geometry.filters * geometry.kernel * geometry.kernel * geometry.channels,
                        .biases = geometry.filters,
                        .input_type = geometry.input,
                        .output_type = geometry.output},
            .sink = sink};
}

std::unique_ptr<ConvPass> choose_pass(const ConvChoice& choice, const std::vector<ConvCandidate>& candidates) {
    if (candidates.size() == 1 || choice.sink.threads() == nullptr) {
        return candidates[0].make();
    }
    const std::string key = key_of(choice, candidates);
    const std::string_view known = choice.sink.recall(key);
    for (const ConvCandidate& candidate : candidates) {
        if (candidate.name == known) {
            return candidate.make();
        }
    }
    if (!choice.sink.may_measure()) {
        return candidates[0].make();
    }
    const ConvCandidate& fastest = fastest_of(choice, candidates);
    choice.sink.remember(key, fastest.name);
    return fastest.make();
}

}  // namespace sluice::onednn
