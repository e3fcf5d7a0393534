#include "history/usage_rows.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

namespace sluice::history {
namespace {

std::vector<std::string_view> fields_of(std::string_view line) {
    std::vector<std::string_view> fields;
    for (std::size_t comma = line.find(','); comma != std::string_view::npos; comma = line.find(',')) {
        fields.push_back(line.substr(0, comma));
        line.remove_prefix(comma + 1);
    }
    fields.push_back(line);
    return fields;
}

double number_of(std::string_view field) {
    double value = 0.0;
    const char* const end = field.data() + field.size();
    const auto [rest, problem] = std::from_chars(field.data(), end, value);
    return problem == std::errc() && rest == end ? value : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

void UsageRows::add_line(std::string_view line) {
    const std::vector<std::string_view> fields = fields_of(line);
    if (fields.front() == "unix_seconds") {
        columns_.assign(fields.begin(), fields.end());
        values_.assign(fields.size(), {});
        rows_ = 0;
        return;
    }
    if (columns_.empty() || fields.size() != columns_.size()) {
        return;
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
        values_[i].push_back(number_of(fields[i]));
    }
    ++rows_;
}

std::vector<double> UsageRows::column(std::string_view name) const {
    const auto found = std::ranges::find(columns_, name);
    return found == columns_.end() ? std::vector<double>()
                                   : values_[static_cast<std::size_t>(found - columns_.begin())];
}

double UsageRows::last(std::string_view name) const {
    const auto found = std::ranges::find(columns_, name);
    return found == columns_.end() || rows_ == 0 ? std::numeric_limits<double>::quiet_NaN()
                                                 : values_[static_cast<std::size_t>(found - columns_.begin())].back();
}

}  // namespace sluice::history
