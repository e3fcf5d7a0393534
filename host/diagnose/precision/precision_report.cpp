#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text/counted.hpp"
#include "diagnose/precision/precision_trial.hpp"
#include "run/tuning/policy_rounds.hpp"

namespace sluice::diagnose {
namespace {

using Json = nlohmann::ordered_json;

std::string range_of(const Magnitudes& numbers) {
    if (numbers.not_finite > 0) {
        return fmt::format("{} not finite", numbers.not_finite);
    }
    return numbers.largest == 0.0 ? "-" : fmt::format("{:.1e} {:.1e}", numbers.smallest, numbers.largest);
}

std::string lost(const std::optional<Underflow>& underflow) {
    return underflow ? fmt::format("{:.2f} %", 100.0 * underflow->share()) : "-";
}

bool is_seen(const TrialLayer& layer) {
    return layer.outputs.policy.largest + layer.gradients.policy.largest > 0.0 || layer.gradients.policy.not_finite > 0;
}

std::string list_layers(const PrecisionTrial& trial) {
    std::size_t width = 5;
    for (const TrialLayer& layer : trial.layers) {
        width = std::max(width, layer.path.size());
    }
    std::string text = fmt::format("{:<{}}  {:<9} {:>15} {:>9} {:>15} {:>9} {:>9}\n", "layer", width, "stored",
                                   "outputs", "underflow", "gradients", "underflow", "weights");
    for (const TrialLayer& layer : trial.layers) {
        if (is_seen(layer)) {
            text += fmt::format("{:<{}}  {:<9} {:>15} {:>9} {:>15} {:>9} {:>9}\n", layer.path, width, layer.stored,
                                range_of(layer.outputs.policy), lost(layer.outputs.underflow),
                                range_of(layer.gradients.policy), lost(layer.gradients.underflow),
                                lost(layer.parameters.underflow));
        }
    }
    return text +
           "outputs, gradients: smallest nonzero and largest magnitude in the first and the last step, as stored; "
           "gradients\ninclude the loss scale. underflow: share of the values nonzero in float32 that are 0 under the "
           "policy; after a\nrelu it includes values that rounding made negative. weights: underflow of the gradients "
           "of the layer's\nparameters. Layers that one kernel fuses with the next layer store nothing and are not "
           "listed.\n";
}

std::string list_steps(const PrecisionTrial& trial) {
    std::string text = fmt::format("{:>5} {:>12} {:>12} {:>11} {:>12} {:>12}\n", "step", "float32 loss", "policy loss",
                                   "difference", "float32 norm", "policy norm");
    for (std::size_t i = 0; i < trial.mixed.size(); ++i) {
        const TrialStep& plain = trial.float32[i];
        const TrialStep& mixed = trial.mixed[i];
        text += fmt::format("{:>5} {:>12.6g} {:>12.6g} {:>9.3f} % {:>12.4g} {:>12.4g}{}\n", i + 1, plain.loss,
                            mixed.loss, 100.0 * (mixed.loss / plain.loss - 1.0), plain.gradient_norm,
                            mixed.gradient_norm, mixed.skipped ? "  skipped" : "");
    }
    return text;
}

std::string verdict(const std::string& policy, const TrialSpeed& speed) {
    const std::optional<bool> faster = speed.is_faster();
    if (!faster) {
        return fmt::format(
            "{} too few to say which is faster; at least {} are needed (the first two, the last and skipped steps are "
            "not timed)",
            counted(speed.steps, "step") + (speed.steps == 1 ? " is" : " are"), run::kFewestRounds);
    }
    return *faster ? fmt::format("{:.2f} times as fast", speed.ratio)
                   : fmt::format("{} is not clearly faster in three of four steps ({:.2f} times the speed of float32)",
                                 policy, speed.ratio);
}

std::string speed_text(const PrecisionTrial& trial) {
    const TrialSpeed& speed = trial.speed;
    if (speed.steps == 0) {
        return "speed       not measured\n";
    }
    return fmt::format("speed       {:.4g} ms a step, float32 {:.4g} ms: {}\n", 1e3 * speed.policy_seconds.median,
                       1e3 * speed.float32_seconds.median, verdict(trial.policy, speed));
}

std::size_t skips_of(const PrecisionTrial& trial) {
    return static_cast<std::size_t>(std::ranges::count(trial.mixed, true, &TrialStep::skipped));
}

Json json_of(const Magnitudes& numbers) {
    return {{"smallest", numbers.smallest}, {"largest", numbers.largest}, {"not_finite", numbers.not_finite}};
}

Json json_of(const TensorNumbers& numbers) {
    Json json{{"float32", json_of(numbers.float32)}, {"policy", json_of(numbers.policy)}};
    if (numbers.underflow) {
        json["underflow"] = {{"share", numbers.underflow->share()},
                             {"lost", numbers.underflow->lost},
                             {"counted", numbers.underflow->counted}};
    }
    return json;
}

Json json_of(const std::vector<TrialStep>& steps) {
    Json all = Json::array();
    for (const TrialStep& step : steps) {
        all.push_back({{"loss", step.loss}, {"gradient_norm", step.gradient_norm}, {"skipped", step.skipped}});
    }
    return all;
}

}  // namespace

std::string to_text(const PrecisionTrial& trial) {
    const auto [share, step] = trial.largest_difference();
    std::string text = fmt::format("pipeline    {}\ndevice      {}\npolicy      {}, against float32\n\n",
                                   trial.pipeline, trial.device, trial.policy);
    text += list_steps(trial) + "\n" + list_layers(trial) + "\n";
    text += fmt::format("loss        differs by at most {:.3f} % (step {})\n", 100.0 * share, step);
    if (trial.loss_scale > 0.0) {
        text += fmt::format("loss scale  {:g} at the end, {} skipped\n", trial.loss_scale,
                            counted(skips_of(trial), "step"));
    }
    text += speed_text(trial);
    return trial.diverged.empty() ? text : text + fmt::format("diverged    {}\n", trial.diverged);
}

std::string to_json(const PrecisionTrial& trial) {
    Json layers = Json::array();
    for (const TrialLayer& layer : trial.layers) {
        layers.push_back({{"path", layer.path},
                          {"stored", layer.stored},
                          {"outputs", json_of(layer.outputs)},
                          {"gradients", json_of(layer.gradients)},
                          {"parameter_gradients", json_of(layer.parameters)}});
    }
    const auto [share, step] = trial.largest_difference();
    Json json{{"pipeline", trial.pipeline},
              {"device", trial.device},
              {"policy", trial.policy},
              {"diverged", trial.diverged},
              {"loss_scale", trial.loss_scale},
              {"largest_loss_difference", {{"share", share}, {"step", step}}},
              {"timed_steps", trial.speed.steps},
              {"float32_step_seconds", trial.speed.float32_seconds.median},
              {"policy_step_seconds", trial.speed.policy_seconds.median},
              {"speed_ratio", nullptr},
              {"is_faster", nullptr},
              {"float32", json_of(trial.float32)},
              {"mixed", json_of(trial.mixed)},
              {"layers", std::move(layers)}};
    if (const std::optional<bool> faster = trial.speed.is_faster()) {
        json["speed_ratio"] = trial.speed.ratio;
        json["is_faster"] = *faster;
    }
    return json.dump(2) + "\n";
}

}  // namespace sluice::diagnose
