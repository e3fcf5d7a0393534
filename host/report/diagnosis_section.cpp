#include "report/diagnosis_section.hpp"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "history/run_file.hpp"

namespace sluice::report {
namespace {

using Stored = nlohmann::json;

constexpr const char* kDiagnosis = "diagnosis.json";

double number_or_nan(const Stored& value, const char* name) {
    return value.is_object() ? value.at(name).get<double>() : std::numeric_limits<double>::quiet_NaN();
}

const std::vector<Column>& gain_columns() {
    static const std::vector<Column> columns{{"gain", "share"}, {"at least", "share"}, {"at most", "share"}};
    return columns;
}

Table changes_table(const Stored& findings) {
    Table table{.title = "Changes", .columns = {{"cause", ""}, {"change", ""}}};
    table.columns.insert(table.columns.end(), gain_columns().begin(), gain_columns().end());
    table.columns.insert(table.columns.end(), {{"class", ""}, {"cost", ""}});
    for (const Stored& finding : findings) {
        for (const Stored& fix : finding.at("fixes")) {
            table.rows.push_back({finding.at("cause").get<std::string>(), fix.at("what").get<std::string>(),
                                  fix.at("gain").get<double>(), fix.at("least_gain").get<double>(),
                                  fix.at("most_gain").get<double>(), fix.at("class").get<std::string>(),
                                  fix.at("cost").get<std::string>()});
        }
    }
    return table;
}

Table causes_table(const Stored& findings) {
    Table table{.title = "Causes", .columns = {{"cause", ""}, {"what it is", ""}}};
    table.columns.insert(table.columns.end(), gain_columns().begin(), gain_columns().end());
    table.columns.push_back({"evidence", ""});
    for (const Stored& finding : findings) {
        const Stored& without = finding.at("without");
        table.rows.push_back({finding.at("cause").get<std::string>(), finding.at("sentence").get<std::string>(),
                              number_or_nan(without, "gain"), number_or_nan(without, "least_gain"),
                              number_or_nan(without, "most_gain"), finding.at("evidence").get<std::string>()});
    }
    return table;
}

Table experiments_table(const Stored& results) {
    Table table{.title = "Experiments", .columns = {{"experiment", ""}, {"what is changed", ""}}};
    table.columns.insert(table.columns.end(), gain_columns().begin(), gain_columns().end());
    for (const Stored& result : results) {
        const Stored& ratio = result.at("ratio");
        const bool is_known = ratio.is_array();
        const double none = std::numeric_limits<double>::quiet_NaN();
        table.rows.push_back({result.at("name").get<std::string>(), result.at("what").get<std::string>(),
                              is_known ? 1.0 - ratio.at(0).get<double>() : none,
                              is_known ? 1.0 - ratio.at(2).get<double>() : none,
                              is_known ? 1.0 - ratio.at(1).get<double>() : none});
    }
    return table;
}

Section section_of(const Stored& diagnosis) {
    Section section{.title = "Diagnosis", .note = diagnosis.at("verdict").get<std::string>()};
    if (!diagnosis.at("is_complete").get<bool>()) {
        section.note += fmt::format(" INCOMPLETE: {}.", diagnosis.at("missing").get<std::string>());
    }
    for (Table table : {causes_table(diagnosis.at("findings")), changes_table(diagnosis.at("findings")),
                        experiments_table(diagnosis.at("evidence").at("results"))}) {
        if (!table.rows.empty()) {
            section.tables.push_back(std::move(table));
        }
    }
    return section;
}

}  // namespace

Section diagnosis_section(const std::filesystem::path& run) {
    try {
        const std::optional<std::string> text = history::read_run_file(run, kDiagnosis);
        return text ? section_of(Stored::parse(*text)) : Section{.title = "Diagnosis"};
    } catch (const Stored::exception& error) {
        return {.title = "Diagnosis", .note = fmt::format("{} is no diagnosis: {}", kDiagnosis, error.what())};
    } catch (const Error& error) {
        return {.title = "Diagnosis", .note = error.what()};
    }
}

}  // namespace sluice::report
