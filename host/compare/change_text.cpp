#include "compare/change_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/text/rate_text.hpp"
#include "base/text/scaled_number.hpp"

namespace sluice::compare {
namespace {

bool is_interval(const Interval& interval) { return interval.low < interval.high; }

}  // namespace

std::string run_letter(std::size_t run) { return std::string(1, static_cast<char>('A' + run)); }

std::string figure_text(const Figure& figure) {
    return figure.kind == FigureKind::score ? "validation " + figure.title : figure.title;
}

std::string value_text(const Figure& figure, double value) {
    if (std::isnan(value)) {
        return "-";
    }
    if (figure.unit == "s") {
        return value < 0.0 ? "-" + format_time(-value) : format_time(value);
    }
    if (figure.unit == "share") {
        return fmt::format("{:.3g} %", 100.0 * value);
    }
    if (figure.unit == "B") {
        return byte_text(value);
    }
    return fmt::format("{:.4g}{}{}", value, figure.unit.empty() ? "" : " ", figure.unit);
}

bool is_read_as_ratio(const Figure& figure) {
    return figure.kind != FigureKind::loss && figure.kind != FigureKind::score && figure.kind != FigureKind::share;
}

std::string estimate_text(const Figure& figure, const Estimate& estimate) {
    std::string value = value_text(figure, estimate.mean);
    if (!estimate.has_error()) {
        return value;
    }
    const Interval interval = interval_of(estimate);
    const double reach = interval.high - interval.value;
    if (is_read_as_ratio(figure)) {
        return estimate.mean > 0.0 ? fmt::format("{} ± {:.2g} %", value, 100.0 * reach / estimate.mean) : value;
    }
    return figure.unit == "share" ? fmt::format("{} ± {:.2g}", value, 100.0 * reach)
                                  : fmt::format("{} ± {:.2g}", value, reach);
}

std::string range_text(const Figure& figure, const Contrast& contrast) {
    if (is_read_as_ratio(figure) && is_interval(contrast.ratio)) {
        return fmt::format("{:.3f} to {:.3f}", contrast.ratio.low, contrast.ratio.high);
    }
    if (is_interval(contrast.difference)) {
        return fmt::format("{} to {}", value_text(figure, contrast.difference.low),
                           value_text(figure, contrast.difference.high));
    }
    return {};
}

std::string change_text(const Figure& figure, const Contrast& contrast, std::size_t run) {
    const Interval& difference = contrast.difference;
    const bool is_more = difference.value > 0.0;
    const double least = is_more ? difference.low : -difference.high;
    const double most = is_more ? difference.high : -difference.low;
    const std::string range = fmt::format("({} to {})", value_text(figure, least), value_text(figure, most));
    const std::string amount = value_text(figure, std::abs(difference.value));
    if (figure.kind == FigureKind::step && !std::isnan(contrast.ratio.value)) {
        return fmt::format("a step takes {:.3g} times as long ({:.3g} to {:.3g})", contrast.ratio.value,
                           contrast.ratio.low, contrast.ratio.high);
    }
    if (figure.kind == FigureKind::share) {
        return fmt::format("{} takes {} of a step instead of {} ({:.2g} to {:.2g} points {})",
                           figure.title.substr(0, figure.title.find(',')), value_text(figure, figure.runs[run].mean),
                           value_text(figure, figure.runs.front().mean), 100.0 * least, 100.0 * most,
                           is_more ? "more" : "less");
    }
    if (figure.unit == "s") {
        return fmt::format("{} takes {} {} {}", figure.title, amount, is_more ? "longer" : "less", range);
    }
    return fmt::format("{} is {} {} {}", figure_text(figure), amount, is_more ? "higher" : "lower", range);
}

}  // namespace sluice::compare
