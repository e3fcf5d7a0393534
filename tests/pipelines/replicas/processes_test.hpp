// Fixture for tests of several processes: it starts them by `host launch` or mpirun, and lists those that run.
#pragma once

#include <sys/types.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "replicas/replica_test.hpp"

namespace sluice::test {

namespace fs = std::filesystem;

inline const std::string kTrain = std::string(SLUICE_TEST_HOST) + " train tiny.toml --set strategy.use=multi_worker";

inline const Replacements kSlowSamples = {{"count = 16, size = [32, 32]", "count = 400, size = [1000, 1000]"},
                                          {"map = [\n", "map = [\n  { use = \"random_crop\", size = [32, 32] },\n"}};

class Processes : public ReplicaTest {
protected:
    void SetUp() override {
        const char* const device = std::getenv("SLUICE_TEST_DEVICE");
        if (device != nullptr) {
            GTEST_SKIP() << "multi_worker trains only on CPUs";
        }
        if (!fs::exists(fs::path(SLUICE_TEST_HOST).parent_path() / "plugins/sluice_multi_worker.so")) {
            GTEST_SKIP() << "the host was built without MPI";
        }
    }

    // Returns the arguments of `launch -n processes`, followed by `words`.
    static std::vector<std::string> launched(int processes, const std::vector<std::string>& words) {
        return joined({"launch", "-n", std::to_string(processes)}, words);
    }
    static std::vector<std::string> trained(int processes, const std::string& run,
                                            const std::vector<std::string>& more) {
        return launched(processes, joined({"tiny.toml", "--run-folder", run}, more));
    }

    // Returns the wait status of mpirun; out.txt has the output of all processes.
    [[nodiscard]] int mpirun(const std::string& words) const {
        for (const char* const name :
             {"OMPI_MCA_rmaps_base_oversubscribe", "OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
              "PRTE_ALLOW_RUN_AS_ROOT", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM"}) {
            ::setenv(name, "1", 0);
        }
        ::setenv("PRTE_MCA_rmaps_default_mapping_policy", ":OVERSUBSCRIBE", 0);
        // MPI leaves some of its memory to the end of the process.
        const std::string options = "export ASAN_OPTIONS='" + sanitizer_options("detect_leaks=0") + "'; ";
        return std::system((options + "cd '" + folder().string() + "' && mpirun " + words + " > out.txt 2>&1").c_str());
    }

    // Returns the processes that train in the test's folder.
    [[nodiscard]] std::vector<pid_t> processes() const {
        std::vector<pid_t> found;
        for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
            std::error_code ignored;
            if (fs::read_symlink(entry.path() / "cwd", ignored) != folder() ||
                fs::read_symlink(entry.path() / "exe", ignored) != fs::canonical(SLUICE_TEST_HOST)) {
                continue;
            }
            std::ifstream stream(entry.path() / "cmdline", std::ios::binary);
            const std::string words(std::istreambuf_iterator<char>(stream), {});
            if (words.find(std::string("\0train\0", 7)) != std::string::npos ||
                words.find(std::string("\0resume\0", 8)) != std::string::npos) {
                if (words.find("launch") == std::string::npos) {
                    found.push_back(std::stoi(entry.path().filename()));
                }
            }
        }
        return found;
    }
};

}  // namespace sluice::test
