// Pass: writes outputs over inputs, and gradients of inputs over those of outputs, if the kernel allows it and the old
// values are no longer read.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/text/counted.hpp"
#include "base/text/scaled_number.hpp"
#include "plan/passes/lifetimes.hpp"
#include "plan/passes/pass.hpp"

namespace sluice::plan {
namespace {

class InPlace {
public:
    explicit InPlace(Plan& plan) : plan_(plan), lives_(find_lives(plan)) {
        for (auto* homes : {&plan.memory.tensor_storage, &plan.memory.gradient_storage}) {
            homes->resize(plan.graph.tensors.size());
            std::iota(homes->begin(), homes->end(), TensorId{0});
        }
    }

    std::string run() {
        for (std::size_t time = 0; time < plan_.launches.size(); ++time) {
            const auto& [direction, s] = plan_.launches[time];
            if (direction == Direction::forward) {
                share_tensors(plan_.steps[s], time);
            } else if (direction == Direction::backward) {
                share_gradients(plan_.steps[s], time);
            }
        }
        return tensors_ + gradients_ == 0
                   ? ""
                   : fmt::format("{} and {} are written over ones that are no longer read, {}",
                                 counted(tensors_, "tensor"), counted(gradients_, "gradient"), byte_text(bytes_));
    }

private:
    // Shares only if this launch is the last to read the input, and the host does not read it after the step.
    void share_tensors(const Step& step, std::size_t time) {
        std::vector<TensorId> taken;
        for (const auto& [input, output] : step.kernel.needs().in_place) {
            const TensorId from = step.inputs[input];
            const TensorId to = step.outputs[output];
            if (lives_.tensors[from].last == time && is_single(step, from, taken)) {
                join(plan_.memory.tensor_storage, to, from, tensors_);
                taken.push_back(from);
            }
        }
    }

    // Shares only if this launch is the first to write the input's gradient. No later one reads the output's gradient.
    void share_gradients(const Step& step, std::size_t time) {
        std::vector<TensorId> taken;
        for (const auto& [input, output] : step.kernel.needs().in_place_gradients) {
            const TensorId from = step.outputs[output];
            const TensorId to = step.inputs[input];
            const bool is_first = step.input_gradients[input] && lives_.gradients[to].first == time;
            if (is_first && lives_.gradients[from].exists() && is_single(step, to, {}) &&
                std::ranges::find(taken, from) == taken.end()) {
                join(plan_.memory.gradient_storage, to, from, gradients_);
                taken.push_back(from);
            }
        }
    }

    static bool is_single(const Step& step, TensorId input, const std::vector<TensorId>& taken) {
        return std::ranges::count(step.inputs, input) == 1 && std::ranges::find(taken, input) == taken.end();
    }

    void join(std::vector<TensorId>& homes, TensorId to, TensorId from, std::size_t& count) {
        if (homes[to] == to) {
            homes[to] = homes[from];
            bytes_ += byte_count(plan_.graph.tensors[to].spec);
            ++count;
        }
    }

    Plan& plan_;
    Lives lives_;
    std::size_t tensors_ = 0;
    std::size_t gradients_ = 0;
    std::uint64_t bytes_ = 0;
};

}  // namespace

std::string share_in_place(Plan& plan, const PassContext& /*context*/) { return InPlace(plan).run(); }

}  // namespace sluice::plan
