#include "profile/usage_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

namespace sluice::profile {
namespace {

std::vector<std::string_view> cells_of(std::string_view line) {
    std::vector<std::string_view> cells;
    while (true) {
        const std::size_t comma = line.find(',');
        cells.push_back(line.substr(0, comma));
        if (comma == std::string_view::npos) {
            return cells;
        }
        line.remove_prefix(comma + 1);
    }
}

std::optional<double> number_in(const std::vector<std::string_view>& cells, std::size_t column) {
    if (column >= cells.size()) {
        return std::nullopt;
    }
    const std::string_view cell = cells[column];
    double value = 0.0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    const bool is_whole = error == std::errc() && end == cell.data() + cell.size() && std::isfinite(value);
    return is_whole ? std::optional(value) : std::nullopt;
}

struct Columns {
    std::size_t seconds;
    std::size_t bytes;
    std::size_t step;  // past the last one: there is none
};

Columns find_columns(std::string_view header) {
    const std::vector<std::string_view> names = cells_of(header);
    const auto place = [&](std::string_view name) {
        return static_cast<std::size_t>(std::distance(names.begin(), std::ranges::find(names, name)));
    };
    return {place("seconds"), place("resident_bytes"), place("step")};
}

}  // namespace

MemorySeries read_memory_series(const std::string& csv) {
    MemorySeries series;
    std::string_view rest = csv;
    std::optional<Columns> columns;
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end + 1);
        line = line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
        if (!columns) {
            columns = find_columns(line);
            continue;
        }
        const std::vector<std::string_view> cells = cells_of(line);
        const std::optional<double> seconds = number_in(cells, columns->seconds);
        const std::optional<double> bytes = number_in(cells, columns->bytes);
        if (!seconds || !bytes) {
            continue;
        }
        if (!series.seconds.empty() && *seconds < series.seconds.back()) {
            series = {};
        }
        series.seconds.push_back(*seconds);
        series.bytes.push_back(*bytes);
        if (const std::optional<double> step = number_in(cells, columns->step)) {
            series.steps.push_back(*step);
        }
    }
    return series;
}

}  // namespace sluice::profile
