// usage.csv: what a run used of the machine, for each second and also of runs that are resumed or fail.
#include <cmath>
#include <map>
#include <sstream>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class Usage : public PipelineTest {
protected:
    using UsageRow = std::map<std::string, std::string>;

    // Returns the cells of each row by column.
    [[nodiscard]] std::vector<UsageRow> usage(const std::string& file = "run/usage.csv") const {
        const auto cells = [](const std::string& line) {
            std::vector<std::string> all;
            std::istringstream stream(line + ",");
            for (std::string cell; std::getline(stream, cell, ',');) {
                all.push_back(cell);
            }
            return all;
        };
        const std::vector<std::string> lines = lines_of(read_bytes(folder() / file));
        const std::vector<std::string> names = cells(lines.at(0));
        std::vector<UsageRow> rows;
        for (std::size_t line = 1; line < lines.size(); ++line) {
            const std::vector<std::string> values = cells(lines[line]);
            EXPECT_EQ(values.size(), names.size()) << lines[line];
            UsageRow& row = rows.emplace_back();
            for (std::size_t i = 0; i < std::min(names.size(), values.size()); ++i) {
                row[names[i]] = values[i];
            }
        }
        return rows;
    }
    // Returns the sum over rows of a column's rate times the length of the row.
    static double total(const std::vector<UsageRow>& rows, const std::string& column) {
        double sum = 0.0;
        for (const UsageRow& row : rows) {
            sum += row.at(column).empty() ? 0.0 : std::stod(row.at(column)) * std::stod(row.at("interval_seconds"));
        }
        return sum;
    }
};

// Some seconds of work: the rows cover the run, and its CPU time is that of the classes of threads.
TEST_F(Usage, tells_what_a_run_uses) {
    write_tiny(
        {{"filters = 6", "filters = 64"}, {"size = [32, 32]", "size = [64, 64]"}, {"epochs = 2", "epochs = 60"}});
    const Finished finished = train();
    const std::vector<UsageRow> rows = usage();
    ASSERT_GE(rows.size(), 1U);
    for (const UsageRow& row : rows) {
        EXPECT_GT(std::stod(row.at("resident_bytes")), 10e6);
        EXPECT_LT(std::stod(row.at("resident_bytes")), 100e9);
        EXPECT_GT(std::stod(row.at("unix_seconds")), 1.7e9);
        EXPECT_GT(std::stod(row.at("interval_seconds")), 0.0);
        EXPECT_GE(std::stod(row.at("cpu")), 0.0);
    }
    const double cpu = total(rows, "cpu");
    EXPECT_GT(cpu, 0.0);
    EXPECT_GT(total(rows, "minor_faults"), 0.0);
    EXPECT_GT(total(rows, "cpu_compute"), 0.0);
    EXPECT_GT(total(rows, "cpu_input"), 0.0);
    double classes = 0.0;
    for (const char* const name : {"cpu_compute", "cpu_input", "cpu_observers", "cpu_exchange", "cpu_other"}) {
        classes += total(rows, name);
    }
    EXPECT_LT(classes, 1.1 * cpu + 0.1);
    EXPECT_GT(total(rows, "cpu_compute"), 0.3 * cpu);
    EXPECT_EQ(rows.back().at("step"), "240");
    expect_contains(finished.err, {"usage     sampling took "});
}

TEST_F(Usage, continues_when_a_run_is_resumed) {
    write_tiny();
    train("run", {"--steps", "3"});
    const std::vector<UsageRow> before = usage();
    ASSERT_GE(before.size(), 1U);
    expect_success(host({"resume", "run", "--set", "train.steps=8"}));
    const std::vector<UsageRow> after = usage();
    EXPECT_GT(after.size(), before.size());
    EXPECT_EQ(after.front(), before.front());
    EXPECT_EQ(after.back().at("step"), "8");
}

TEST_F(Usage, has_rows_of_a_run_that_diverges) {
    write_tiny({{"rate = 1e-3", "rate = 1e30"}});
    EXPECT_EQ(host({"--pipeline", "tiny.toml", "--run-folder", "run"}).exit, 5);
    EXPECT_GE(usage().size(), 1U);
}

TEST_F(Usage, does_not_stop_a_run_that_cannot_write_it) {
    write_tiny();
    train("run", {"--steps", "3"});
    std::filesystem::remove(folder() / "run/usage.csv");
    std::filesystem::create_directory(folder() / "run/usage.csv");
    const Finished finished = host({"resume", "run", "--set", "train.steps=8"});
    expect_success(finished);
    expect_contains(finished.err, {"W ", "usage.csv"});
}

}  // namespace
}  // namespace sluice::test
