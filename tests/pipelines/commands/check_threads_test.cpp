// `host check` when no threads or processes can be started: it names the limit, exits with code 4 and blames no plugin.
#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class CheckThreads : public PipelineTest {
protected:
    // Runs the checks with at most `threads` more threads in each process. Expects exit code 4 and no hang, and returns
    // the findings.
    nlohmann::json check_with(int threads, const std::vector<std::string>& names) {
        auto& environment = process_options().environment;
        environment["LD_PRELOAD"] = SLUICE_TEST_FAILING_THREADS;
        environment["SLUICE_TEST_THREADS"] = std::to_string(threads);
        environment["ASAN_OPTIONS"] = sanitizer_options("verify_asan_link_order=0");
        const Finished finished = host(joined<std::string>({"check", "--json"}, names));
        expect_refused(finished, 4, {"could not be run: a thread could not be started: "});
        EXPECT_EQ(finished.err.find("unexpected"), std::string::npos) << finished.err;
        const nlohmann::json all = nlohmann::json::parse(finished.out);
        EXPECT_EQ(all.at("failed"), 0) << finished.out;
        EXPECT_EQ(all.at("crashed"), 0) << finished.out;
        for (const nlohmann::json& finding : all.at("findings")) {
            constexpr double kLimit = 60.0;  // seconds; a case that hangs longer is killed
            EXPECT_LT(finding.value("seconds", 0.0), kLimit) << finding;
        }
        return all.at("findings");
    }
    static bool has_passed(const nlohmann::json& findings, const std::string& name) {
        return std::ranges::any_of(findings, [&](const nlohmann::json& finding) {
            return finding.at("case") == name && finding.at("result") == "passed";
        });
    }
    static bool has_lacked(const nlohmann::json& findings, const std::string& name) {
        return std::ranges::any_of(findings, [&](const nlohmann::json& finding) {
            return finding.at("case") == name && finding.at("result") == "skipped" &&
                   finding.at("reason").get<std::string>().starts_with("a thread could not be started: ");
        });
    }
};

// Either the first thread of a case cannot start, or a later one for which the others would wait.
TEST_F(CheckThreads, that_lack_skip_cases_of_several_threads) {
    for (const int threads : {0, 1, 3}) {
        const nlohmann::json findings = check_with(threads, {"sgd"});
        EXPECT_TRUE(has_lacked(findings, "objects.threads")) << threads << findings.dump(1);
        EXPECT_TRUE(has_passed(findings, "optimizer.learns")) << threads << findings.dump(1);
    }
}

TEST_F(CheckThreads, that_lack_skip_cases_of_replicas) {
    for (const int threads : {0, 1}) {
        const nlohmann::json findings = check_with(threads, {"mirrored", "--case", "strategy.sums"});
        EXPECT_TRUE(has_lacked(findings, "strategy.sums")) << threads << findings.dump(1);
    }
}

// If libgomp cannot start a thread, it exits the process.
TEST_F(CheckThreads, that_openmp_lacks_are_no_crash_of_a_plugin) {
    const nlohmann::json findings = check_with(0, {"sgd", "--case", "optimizer.threads"});
    EXPECT_TRUE(has_lacked(findings, "optimizer.threads")) << findings.dump(1);
    check_with(0, {"conv2d", "reference"});
}

}  // namespace
}  // namespace sluice::test
