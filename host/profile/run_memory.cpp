#include "profile/run_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <system_error>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text/byte_size.hpp"
#include "profile/usage_table.hpp"

namespace sluice::profile {
namespace {

constexpr const char* kUsageFile = "usage.csv";

// Returns an empty text if there is no such regular file, or if it cannot be read.
std::string text_in(const std::filesystem::path& file) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(file, none)) {
        return {};
    }
    try {
        return read_file(file);
    } catch (const Error&) {
        return {};
    }
}

}  // namespace

RunMemory read_run_memory(const std::filesystem::path& run) {
    RunMemory memory;
    if (!run.empty()) {
        memory.series = read_memory_series(text_in(run / kUsageFile));
        memory.growth = growth_of(memory.series);
        memory.predicted = predicted_memory(text_in(run / "plan.txt"));
    }
    return memory;
}

std::optional<PredictedMemory> predicted_memory(const std::string& plan_text) {
    constexpr std::string_view kKey = "memory ";
    std::string_view rest = plan_text;
    while (!rest.empty()) {
        std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        if (!line.starts_with(kKey)) {
            continue;
        }
        line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ', kKey.size())));
        std::string text(line);
        std::ranges::replace_if(
            text, [](char byte) { return static_cast<unsigned char>(byte) < 0x20U || byte == 0x7F; }, '?');
        if (const std::optional<std::uint64_t> bytes = parse_size(text.substr(0, text.find(':')))) {
            return PredictedMemory{*bytes, std::move(text)};
        }
    }
    return std::nullopt;
}

std::string growth_text(const Growth& growth) {
    const std::string of_steps =
        growth.bytes_per_step > 0.0 ? fmt::format(", {:.2f} MB per 1000 steps", 1e-3 * growth.bytes_per_step) : "";
    return fmt::format("{:.1f} MB per hour{}, in the last {:.0f} min", 1e-6 * growth.bytes_per_hour(), of_steps,
                       growth.seconds / 60.0);
}

std::string growth_warning(const std::filesystem::path& run) {
    const RunMemory memory = read_run_memory(run);
    return memory.growth ? fmt::format(
                               "{}: the resident memory grew steadily: {}; a longer run may fill the memory, "
                               "so look for what a plugin keeps from step to step",
                               (run / kUsageFile).string(), growth_text(*memory.growth))
                         : "";
}

}  // namespace sluice::profile
