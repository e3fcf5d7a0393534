// The device that a run gets, and the log about a device that cannot be used.
#include <nlohmann/json.hpp>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

constexpr const char* kWhy = "there is no driver for it; install one";

class DeviceChoice : public PipelineTest {
protected:
    DeviceChoice() { process_options().environment["SLUICE_PLUGIN_PATH"] = SLUICE_TEST_ABSENT_DEVICE_DIR; }
};

TEST_F(DeviceChoice, the_next_one_is_used_and_the_log_says_why_once) {
    write_tiny();
    const Finished finished = train("run", {"--set", "device.use=[\"absent\", \"cpu\"]"});
    EXPECT_EQ(count_of(finished.err, kWhy), 1U) << finished.err;
    EXPECT_NE(finished.err.find("'cpu' is used instead"), std::string::npos) << finished.err;
    EXPECT_EQ(count_of(read_bytes(folder() / "run/log.txt"), kWhy), 1U);
}

TEST_F(DeviceChoice, alone_it_ends_the_run_with_the_reason) {
    write_tiny();
    expect_refused(host({"train", "tiny.toml", "--set", "device.use=absent"}), 4, {"device 'absent'", kWhy});
    EXPECT_FALSE(std::filesystem::exists(folder() / "runs"));
}

TEST_F(DeviceChoice, commands_that_only_tell_say_why) {
    write_tiny();
    const Finished planned = host({"plan", "tiny.toml", "--set", "device.use=[\"absent\", \"cpu\"]"});
    expect_success(planned);
    EXPECT_EQ(count_of(planned.err, kWhy), 1U) << planned.err;
    EXPECT_EQ(count_of(host({"plugins"}).out, kWhy), 1U);
    const std::string output = host({"doctor"}).out;
    EXPECT_NE(output.find("--   device absent"), std::string::npos) << output;
    EXPECT_EQ(count_of(output, kWhy), 1U) << output;
}

TEST_F(DeviceChoice, doctor_tells_machines_too) {
    const auto output = nlohmann::json::parse(expect_output({"doctor", "--json"}));
    EXPECT_GE(output["usable_cores"].get<int>(), 1);
    std::map<std::string, nlohmann::json> devices;
    for (const auto& device : output["devices"]) {
        devices[device["kind"]] = device;
    }
    EXPECT_FALSE(devices["absent"]["usable"].get<bool>());
    EXPECT_NE(devices["absent"]["reason"].get<std::string>().find(kWhy), std::string::npos);
    EXPECT_TRUE(devices["cpu"]["usable"].get<bool>());
    EXPECT_GT(devices["cpu"]["free_bytes"].get<double>(), 0.0);
}

// srun sets these variables for a step with four processes on this machine.
TEST_F(DeviceChoice, cores_are_those_that_a_process_has_among_others) {
    const auto cores = [this](const std::map<std::string, std::string>& variables) {
        process_options().environment = variables;
        return nlohmann::json::parse(expect_output({"doctor", "--json"}))["usable_cores"].get<int>();
    };
    const int all = cores({});
    std::map<std::string, std::string> step = {{"PMIX_RANK", "3"},
                                               {"SLURM_STEP_ID", "0"},
                                               {"SLURM_NODEID", "1"},
                                               {"SLURM_STEP_TASKS_PER_NODE", "4(x2)"},
                                               {"SLURM_CPUS_ON_NODE", "4"}};
    EXPECT_EQ(cores(step), 1);
    step["SLURM_CPUS_ON_NODE"] = std::to_string(4 * all);
    EXPECT_EQ(cores(step), all);
    EXPECT_EQ(cores({{"PMIX_RANK", "3"}}), all);
}

// Kernels of other devices are skipped, so that one list serves all devices of `device.use`.
TEST_F(DeviceChoice, kernels_of_another_device_are_passed_over) {
    write_tiny();
    expect_success(host({"plan", "tiny.toml", "--set", "device.kernels=[\"absent_kernels\", \"reference\"]"}));
    expect_refused(host({"plan", "tiny.toml", "--set", "device.kernels=absent_kernels"}), 2,
                   {"--set device.kernels", "names no kernels for device 'cpu'", "'reference'"});
}

}  // namespace
}  // namespace sluice::test
