// The chapter of a diagnosis in the page of a run.
#include "report/diagnosis_section.hpp"

#include <algorithm>
#include <cmath>

#include "unit/folder_test.hpp"

namespace sluice::report {
namespace {

class DiagnosisSection : public FolderTest {};

const std::string kDiagnosis = R"({
  "verdict": "The limit is this: <b>slow</b>.", "is_complete": false, "missing": "time was short",
  "findings": [
    {"cause": "transform", "subject": "blur", "sentence": "the transform 'blur' takes 2 ms", "evidence": "it shows",
     "without": {"gain": 0.4, "least_gain": 0.35, "most_gain": 0.45},
     "fixes": [{"gain": 0.3, "least_gain": 0.25, "most_gain": 0.35, "name": "cache", "what": "samples are kept",
                "class": "same bits", "keys": [], "cost": "takes memory"}]},
    {"cause": "memory", "subject": "", "sentence": "it grows", "evidence": "", "without": null, "fixes": []}],
  "evidence": {"results": [{"name": "replay", "what": "no input", "ratio": [0.6, 0.55, 0.65]},
                           {"name": "broken", "what": "it fails", "ratio": null}]}})";

const Table* table(const Section& section, const std::string& title) {
    const auto found = std::ranges::find(section.tables, title, &Table::title);
    return found != section.tables.end() ? &*found : nullptr;
}

TEST_F(DiagnosisSection, has_causes_changes_and_experiments) {
    write("run/diagnosis.json", kDiagnosis);
    const Section section = diagnosis_section("run");
    EXPECT_EQ(section.note, "The limit is this: <b>slow</b>. INCOMPLETE: time was short.");
    const Table* const causes = table(section, "Causes");
    ASSERT_NE(causes, nullptr);
    ASSERT_EQ(causes->rows.size(), 2U);
    EXPECT_EQ(std::get<double>(causes->rows[0][2]), 0.4);
    EXPECT_TRUE(std::isnan(std::get<double>(causes->rows[1][2])));
    const Table* const changes = table(section, "Changes");
    ASSERT_NE(changes, nullptr);
    ASSERT_EQ(changes->rows.size(), 1U);
    EXPECT_EQ(std::get<std::string>(changes->rows[0][1]), "samples are kept");
    EXPECT_EQ(changes->rows[0].size(), changes->columns.size());
    const Table* const experiments = table(section, "Experiments");
    ASSERT_NE(experiments, nullptr);
    ASSERT_EQ(experiments->rows.size(), 2U);
    EXPECT_NEAR(std::get<double>(experiments->rows[0][2]), 0.4, 1e-12);
    EXPECT_NEAR(std::get<double>(experiments->rows[0][3]), 0.35, 1e-12);
    EXPECT_TRUE(std::isnan(std::get<double>(experiments->rows[1][2])));
}

TEST_F(DiagnosisSection, is_empty_without_a_diagnosis) {
    std::filesystem::create_directory("run");
    EXPECT_TRUE(diagnosis_section("run").is_empty());
}

TEST_F(DiagnosisSection, says_what_is_wrong_with_a_damaged_file) {
    for (const std::string& text : {std::string("{"), std::string("{}"), kDiagnosis.substr(0, 400)}) {
        write("run/diagnosis.json", text);
        const Section section = diagnosis_section("run");
        EXPECT_TRUE(section.note.starts_with("diagnosis.json is no diagnosis: ")) << section.note;
        EXPECT_TRUE(section.tables.empty());
    }
}

}  // namespace
}  // namespace sluice::report
