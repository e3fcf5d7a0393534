// Names of spans and operations in the files of profiles.
#include "profile/labels.hpp"

#include <cctype>
#include <cstdio>
#include <iterator>

#include "sluice/sdk/guard.hpp"

namespace sluice::observers {
namespace {

constexpr std::string_view kWords[] = {"step",      "stage",    "forward",    "recompute", "backward",
                                       "optimizer", "read",     "preprocess", "wait",      "upload",
                                       "download",  "exchange", "observer",   "storage",   "allocate",
                                       "release",   "evaluate", "kernel",     "call"};

std::string_view suffix_of(std::uint32_t span_kind) {
    return span_kind == SLUICE_SPAN_BACKWARD ? "Backward" : span_kind == SLUICE_SPAN_RECOMPUTE ? "Recompute" : "";
}

}  // namespace

std::string path_of(const sluice_profile_operation& operation) {
    return std::string(word_of(operation.span_kind)) + "/" + std::string(sdk::view(operation.path));
}

std::string type_of(const sluice_profile_operation& operation) {
    std::string type;
    bool begins_word = true;
    for (const char c : sdk::view(operation.type)) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) == 0) {
            begins_word = true;
        } else {
            type += begins_word ? static_cast<char>(std::toupper(byte)) : c;
            begins_word = false;
        }
    }
    if (type.empty() || std::isalpha(static_cast<unsigned char>(type.front())) == 0) {
        type.insert(0, "Layer");
    }
    return type.append(suffix_of(operation.span_kind));
}

std::string_view word_of(std::uint32_t span_kind) {
    return span_kind < std::size(kWords) ? kWords[span_kind] : std::string_view("span");
}

std::string label_of(const Window& window, const sluice_span& span) {
    const std::string name(window.name(span.name));
    if (const sluice_profile_operation* const operation = window.operation_of(span)) {
        return path_of(*operation);
    }
    if (span.kind == SLUICE_SPAN_STEP) {
        return "step " + std::to_string(span.step);
    }
    const bool has_own_name =
        span.kind == SLUICE_SPAN_STAGE || span.kind == SLUICE_SPAN_READ || span.kind == SLUICE_SPAN_PREPROCESS;
    if (has_own_name && !name.empty()) {
        return name;
    }
    std::string label(word_of(span.kind));
    return name.empty() || name == label ? label : label + " " + name;
}

bool is_launch(std::uint32_t span_kind) {
    return (span_kind >= SLUICE_SPAN_FORWARD && span_kind <= SLUICE_SPAN_OPTIMIZER) || span_kind == SLUICE_SPAN_KERNEL;
}

std::string window_name(const Window& window) {
    char text[64];
    std::snprintf(text, sizeof(text), "steps-%06lld-%06lld", static_cast<long long>(window.head().first_step),
                  static_cast<long long>(window.head().last_step));
    return text;
}

}  // namespace sluice::observers
