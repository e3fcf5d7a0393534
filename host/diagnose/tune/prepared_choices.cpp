#include "diagnose/tune/prepared_choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/text/duration.hpp"
#include "diagnose/experiments/topic.hpp"
#include "prepare/prefix.hpp"
#include "prepare/prepare.hpp"

namespace sluice::diagnose {
namespace {

namespace fs = std::filesystem;

struct Kind {
    std::string_view name;  // of the folder
    std::string_view text;
    bool restart_jpeg = false;
};

constexpr std::array<Kind, 2> kKinds{{{"samples", "prepared samples", false}, {"jpeg", "prepared JPEG data", true}}};

// Seconds that all cores need to make the samples of an epoch.
double seconds_of_epoch(const Facts& facts) {
    return input_seconds(facts) * facts.epoch_samples / std::max(facts.cores, 1);
}

// "data.train.map=[...]" of "map = [...]".
std::string set_of(const std::string& line) {
    constexpr std::string_view kEquals = " = ";
    const std::size_t at = line.find(kEquals);
    return "data.train." + line.substr(0, at) + "=" + line.substr(at + kEquals.size());
}

std::optional<Choice> prepare_kind(const Evidence& evidence, const registry::Registry& registry, const Kind& kind,
                                   const fs::path& folder, const std::function<bool()>& stops) {
    const config::PipelineSpec& spec = evidence.spec;
    prepare::Request request;
    request.out = folder / kind.name;
    request.seed = static_cast<std::uint64_t>(spec.seed);
    request.purpose = "train";
    prepare::PrefixChoice choice;
    choice.restart_jpeg = kind.restart_jpeg;
    request.prefix = prepare::choose_prefix(spec.data.train, choice, {request.seed, "data.train"}, registry);
    request.skip_bad = spec.data.skip_bad;
    request.threads = evidence.facts.cores;
    request.stall_seconds = spec.data.stall_seconds;
    request.progress = [](const std::string&) {};
    request.stop = stops;
    const prepare::Prepared prepared = prepare::prepare(request, registry);
    if (!prepared.is_whole) {
        return std::nullopt;
    }
    return Choice{.text = std::string(kind.text), .sets = {set_of(prepared.source), set_of(prepared.map)}};
}

}  // namespace

std::vector<Choice> prepared_choices(const Evidence& evidence, const registry::Registry& registry,
                                     const fs::path& folder, double seconds, const std::function<bool()>& stops) {
    std::vector<Choice> choices;
    if (most_input_share(evidence.facts) < kWorthwhile) {
        return choices;
    }
    if (const double needed = seconds_of_epoch(evidence.facts); needed > seconds) {
        log::info(fmt::format("no samples are prepared, since that may take {}; a larger --budget allows it",
                              format_duration(needed)));
        return choices;
    }
    for (const Kind& kind : kKinds) {
        try {
            if (auto choice = prepare_kind(evidence, registry, kind, fs::absolute(folder), stops)) {
                choices.push_back(std::move(*choice));
            }
        } catch (const Error& error) {  // such as pictures that are no JPEG files
            log::info(fmt::format("{} are not tried: {}", kind.text, error.what()));
        }
    }
    return choices;
}

void remove_unused(const fs::path& folder, const std::vector<std::string>& sets) {
    std::error_code none;
    for (const Kind& kind : kKinds) {
        const fs::path own = fs::absolute(folder) / kind.name;
        const bool is_used = std::ranges::any_of(
            sets, [&](const std::string& set) { return set.find(own.string()) != std::string::npos; });
        if (!is_used) {
            fs::remove_all(own, none);
        }
    }
    if (fs::is_empty(folder, none)) {
        fs::remove(folder, none);
    }
}

}  // namespace sluice::diagnose
