#include "history/event_line.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>

namespace sluice::history {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<std::string_view, EventKind>, 7> kKinds{{{"run_begin", EventKind::run_begin},
                                                                        {"step", EventKind::step},
                                                                        {"epoch_end", EventKind::epoch_end},
                                                                        {"evaluation", EventKind::evaluation},
                                                                        {"samples", EventKind::samples},
                                                                        {"checkpoint", EventKind::checkpoint},
                                                                        {"run_end", EventKind::run_end}}};

// JSON has no NaN, which is written as null.
double number_of(const Json& value) {
    return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

double EventLine::scalar(std::string_view name, double missing) const {
    const auto found =
        std::ranges::find(scalars, name, [](const auto& scalar) { return std::string_view(scalar.first); });
    return found == scalars.end() ? missing : found->second;
}

std::optional<EventLine> parse_event(const std::string& line) {
    const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object()) {
        return std::nullopt;
    }
    try {
        const auto& name = json.at("kind").get_ref<const std::string&>();
        const auto kind = std::ranges::find(kKinds, name, [](const auto& one) { return one.first; });
        if (kind == kKinds.end()) {
            return std::nullopt;
        }
        EventLine event{.kind = kind->second,
                        .epoch = json.at("epoch").get<std::int64_t>(),
                        .step = json.at("step").get<std::int64_t>(),
                        .seconds = number_of(json.at("seconds")),
                        .text = json.at("text").get<std::string>()};
        for (const auto& [scalar, value] : json.at("scalars").items()) {
            event.scalars.emplace_back(scalar, number_of(value));
        }
        return event;
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

}  // namespace sluice::history
