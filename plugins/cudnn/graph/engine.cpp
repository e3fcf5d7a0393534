#include "graph/engine.hpp"

#include <algorithm>
#include <charconv>

namespace sluice::cudnn {
namespace {

// Takes a number from the front of the text.
std::optional<std::int64_t> take_number(std::string_view& text) {
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc()) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

bool take(std::string_view& text, std::string_view expected) {
    if (!text.starts_with(expected)) {
        return false;
    }
    text.remove_prefix(expected.size());
    return true;
}

// The notes of an engine.
class Notes {
public:
    explicit Notes(const Descriptor& engine)
        : notes_(
              engine.list<cudnnBackendNumericalNote_t>(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE)) {}
    [[nodiscard]] bool operator()(cudnnBackendNumericalNote_t note) const {
        return std::find(notes_.begin(), notes_.end(), note) != notes_.end();
    }

private:
    std::vector<cudnnBackendNumericalNote_t> notes_;
};

bool admits(const EngineLimits& limits, const Descriptor& engine) {
    const Notes has(engine);
    const bool rounds = has(CUDNN_NUMERICAL_NOTE_TENSOR_CORE) || has(CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS) ||
                        has(CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION);
    // Sums of transformed numbers lose digits that a direct sum keeps.
    const bool transforms = has(CUDNN_NUMERICAL_NOTE_FFT) || has(CUDNN_NUMERICAL_NOTE_WINOGRAD) ||
                            has(CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_4x4) ||
                            has(CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_6x6) ||
                            has(CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13);
    return !(limits.deterministic && has(CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC)) &&
           !(limits.exact && (rounds || transforms));
}

EngineChoice choice_of(const Descriptor& configuration, const Descriptor& engine) {
    EngineChoice choice;
    choice.engine = engine.integer(CUDNN_ATTR_ENGINE_GLOBAL_INDEX);
    for (const Descriptor& knob : configuration.parts(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES,
                                                      CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR, CUDNN_KNOB_TYPE_COUNTS)) {
        const auto type = knob.list<cudnnBackendKnobType_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE);
        choice.knobs.emplace_back(type.at(0), knob.integer(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE));
    }
    return choice;
}

std::vector<Descriptor> ask(const Descriptor& graph, const Target& target, cudnnBackendHeurMode_t mode) {
    Descriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph)
        .set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, mode);
    target.bind_heuristics(heuristics);
    // A mode that does not know such a graph is no error, because another mode may know it.
    return heuristics.try_finalize()
               ? heuristics.parts(CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR,
                                  heuristics.part_count(CUDNN_ATTR_ENGINEHEUR_RESULTS))
               : std::vector<Descriptor>();
}

}  // namespace

// Without the size of a tile, an engine counts as one of the tiles that save most for 3x3 taps.
std::int64_t winograd_points(const Descriptor& engine) {
    const Notes has(engine);
    return has(CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13) ? 13
           : has(CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_6x6) ? 6
           : has(CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_4x4) ? 4
           : has(CUDNN_NUMERICAL_NOTE_WINOGRAD)          ? 6
                                                         : 0;
}

std::string EngineChoice::text() const {
    std::string text = "engine " + std::to_string(engine) + ':';
    for (const auto& [type, value] : knobs) {
        text += ' ' + std::to_string(type) + '=' + std::to_string(value);
    }
    return text;
}

std::optional<EngineChoice> EngineChoice::of(std::string_view text) {
    EngineChoice choice;
    const auto number = take(text, "engine ") ? take_number(text) : std::nullopt;
    if (!number || !take(text, ":")) {
        return std::nullopt;
    }
    choice.engine = *number;
    while (take(text, " ")) {
        const auto type = take_number(text);
        const auto value = type && take(text, "=") ? take_number(text) : std::nullopt;
        if (!value) {
            return std::nullopt;
        }
        choice.knobs.emplace_back(*type, *value);
    }
    return text.empty() ? std::optional(choice) : std::nullopt;
}

std::vector<EngineChoice> propose(const Descriptor& graph, const Target& target, const EngineLimits& limits,
                                  cudnnBackendHeurMode_t mode, std::size_t most) {
    std::vector<EngineChoice> choices;
    for (const Descriptor& configuration : ask(graph, target, mode)) {
        const std::vector<Descriptor> engines =
            configuration.parts(CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_BACKEND_ENGINE_DESCRIPTOR, 1);
        if (choices.size() < most && !engines.empty() && admits(limits, engines[0])) {
            choices.push_back(choice_of(configuration, engines[0]));
        }
    }
    return choices;
}

}  // namespace sluice::cudnn
