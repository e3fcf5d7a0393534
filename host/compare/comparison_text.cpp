#include "compare/comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/control.hpp"
#include "base/text/columns.hpp"
#include "compare/change_text.hpp"

namespace sluice::compare {
namespace {

constexpr std::size_t kMostSettings = 40;
constexpr std::size_t kLongestValue = 48;

using Row = std::vector<std::string>;

std::string to_columns(const std::vector<Row>& rows) {
    std::vector<int> widths;
    for (const Row& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t column = 0; column < row.size(); ++column) {
            widths[column] = std::max(widths[column], columns_of(row[column]));
        }
    }
    std::string text;
    for (const Row& row : rows) {
        std::string line = " ";
        for (std::size_t column = 0; column < row.size(); ++column) {
            line += " " + row[column] +
                    std::string(static_cast<std::size_t>(widths[column] - columns_of(row[column]) + 1), ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string shortened(const std::string& value) {
    const std::string plain = shown(value);
    return plain.size() <= kLongestValue ? plain : plain.substr(0, kLongestValue - 3) + "...";
}

std::string settings_text(const Comparison& comparison) {
    if (comparison.settings.empty()) {
        return "The pipelines and environments are the same.\n";
    }
    Row head{"setting"};
    head.insert(head.end(), comparison.names.begin(), comparison.names.end());
    std::vector<Row> rows{head};
    for (const SettingDifference& setting : comparison.settings) {
        if (rows.size() > kMostSettings) {
            rows.push_back({fmt::format("and {} more", comparison.settings.size() - kMostSettings)});
            break;
        }
        Row row{shown(setting.key)};
        for (const std::optional<std::string>& value : setting.values) {
            row.push_back(value ? shortened(*value) : "-");
        }
        rows.push_back(std::move(row));
    }
    return "What differs in pipeline and environment\n" + to_columns(rows);
}

const Change* change_of(const Against& other, std::size_t figure) {
    const auto found = std::ranges::find(other.changes, figure, &Change::figure);
    return found == other.changes.end() ? nullptr : &*found;
}

std::string figures_text(const Comparison& comparison) {
    Row head{"mean and its interval of 95 %"};
    head.insert(head.end(), comparison.names.begin(), comparison.names.end());
    for (const Against& other : comparison.others) {
        const std::string& name = comparison.names[other.run];
        head.push_back(fmt::format("{0} / A or {0} - A", name));
        head.emplace_back("interval");
    }
    std::vector<Row> rows{head};
    for (std::size_t i = 0; i < comparison.figures.size(); ++i) {
        const Figure& figure = comparison.figures[i];
        Row row{(figure.kind == FigureKind::stage ? "  " : "") + figure_text(figure)};
        for (const Estimate& estimate : figure.runs) {
            row.push_back(estimate_text(figure, estimate));
        }
        for (const Against& other : comparison.others) {
            const Change* const change = change_of(other, i);
            if (change == nullptr) {
                row.insert(row.end(), {"-", ""});
                continue;
            }
            const bool is_ratio = is_read_as_ratio(figure) && change->contrast.ratio.value > 0.0;
            row.push_back((is_ratio ? fmt::format("{:.3f}", change->contrast.ratio.value)
                                    : fmt::format("{:+.4g}", change->contrast.difference.value)) +
                          (change->is_real ? " *" : ""));
            row.push_back(range_text(figure, change->contrast));
        }
        rows.push_back(std::move(row));
    }
    return to_columns(rows);
}

}  // namespace

std::string to_text(const Comparison& comparison) {
    std::string text;
    for (std::size_t run = 0; run < comparison.names.size(); ++run) {
        text +=
            fmt::format("{}  {}: {}\n", comparison.names[run], shown(comparison.folders[run]), comparison.states[run]);
    }
    text += "\n" + settings_text(comparison) + "\n" + figures_text(comparison);
    text += "  * a difference that noise does not explain\n\n";
    for (const Against& other : comparison.others) {
        text += fmt::format("{} against A: {}\n", comparison.names[other.run], other.verdict);
    }
    return text;
}

}  // namespace sluice::compare
