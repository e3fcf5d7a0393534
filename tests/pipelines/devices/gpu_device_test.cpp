// Messages about a GPU: why it cannot be used, what runs on it, and what does not fit. The tests use the emulated GPU,
// which can pretend to be missing. They are skipped if SLUICE_TEST_DEVICE does not name it.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "pictures.hpp"
#include "pipeline_test.hpp"
#include "profile/step_times.hpp"
#include "profile/window_json.hpp"

namespace sluice::test {
namespace {

class GpuDevice : public PipelineTest {
protected:
    void SetUp() override {
        const char* const device = std::getenv("SLUICE_TEST_DEVICE");
        if (device == nullptr || std::string(device) != "emulated_cuda") {
            GTEST_SKIP() << "SLUICE_TEST_DEVICE is not emulated_cuda";
        }
        process_options().environment["SLUICE_PLUGIN_PATH"] = std::getenv("SLUICE_TEST_DEVICE_PLUGINS");
        write_tiny();
    }

    // Sets SLUICE_EMULATED_CUDA_<figure>; tests/emulated_cuda/runtime/device_api.cpp reads it.
    void pretend(const std::string& figure, int value) {
        process_options().environment["SLUICE_EMULATED_CUDA_" + figure] = std::to_string(value);
    }
    // Expects that a run fails with `reason` if this device is the only one it may use.
    void expect_unusable(const std::string& reason) {
        expect_refused(host({"train", "tiny.toml", "--set", "device.use=emulated_cuda"}), 4,
                       {"device 'emulated_cuda'", reason});
    }
};

TEST_F(GpuDevice, no_driver) {
    pretend("DRIVER", 0);
    expect_unusable("there is no NVIDIA driver (libcuda.so.1 was not found); install driver 580 or later");
}

TEST_F(GpuDevice, driver_too_old) {
    pretend("DRIVER", 12040);
    expect_unusable(
        "the NVIDIA driver is too old: it runs CUDA up to 12.4, this plugin needs 13.0; install driver 580");
}

TEST_F(GpuDevice, no_gpu) {
    pretend("DEVICES", 0);
    expect_unusable(" finds no GPU (CUDA says: there is no device)");
}

TEST_F(GpuDevice, hidden_gpu) {
    pretend("DEVICES", 0);
    process_options().environment["CUDA_VISIBLE_DEVICES"] = "7";
    expect_unusable("CUDA_VISIBLE_DEVICES is \"7\", which leaves no GPU");
}

TEST_F(GpuDevice, gpu_too_old) {
    pretend("CAPABILITY", 75);
    expect_unusable("Emulated GPU has compute capability 7.5; a GPU of 8.0 or later is needed");
}

TEST_F(GpuDevice, closed_gpu) {
    pretend("MODE", 2);
    expect_unusable("Emulated GPU is closed to all programs (compute mode 'prohibited')");
}

TEST_F(GpuDevice, gpu_of_another_process) {
    pretend("MODE", 3);
    pretend("OPENING", 46);
    expect_unusable("another process uses Emulated GPU exclusively (compute mode 'exclusive process')");
}

TEST_F(GpuDevice, gpu_whose_memory_is_taken) {
    pretend("MEMORY", 32);
    expect_unusable("other processes use all memory of Emulated GPU");
    pretend("MEMORY", 4096);
    pretend("OPENING", 2);
    expect_unusable("other processes use all memory of Emulated GPU");
}

TEST_F(GpuDevice, falls_to_the_cpu_with_its_kernels) {
    pretend("DRIVER", 0);
    const Finished finished = train("run", {"--set", "device.use=[\"emulated_cuda\", \"cpu\"]"});
    EXPECT_EQ(count_of(finished.err, "there is no NVIDIA driver"), 1U) << finished.err;
}

TEST_F(GpuDevice, doctor_describes_it) {
    expect_output({"doctor"}, {"ok   device emulated_cuda Emulated GPU, sm_90, cuDNN 9."});
}

TEST_F(GpuDevice, doctor_names_the_libraries_also_if_there_is_no_driver) {
    pretend("DRIVER", 0);
    const std::string output = host({"doctor"}).out;
    EXPECT_NE(output.find("emulated_cudnn (emulated_cuda: cuDNN 9.19.0, CUDA 13.0"), std::string::npos) << output;
    EXPECT_EQ(output.find("CUDA of the driver"), std::string::npos) << output;
    pretend("DRIVER", 13020);
    EXPECT_NE(host({"doctor"}).out.find(", CUDA of the driver 13.2"), std::string::npos);
}

// A fake library takes the place of NVIDIA's NVML.
TEST_F(GpuDevice, doctor_tells_how_it_is_used) {
    std::filesystem::create_directory(folder() / "driver");
    std::filesystem::copy_file(SLUICE_TEST_FAKE_NVML, folder() / "driver/libnvidia-ml.so.1");
    process_options().environment["LD_LIBRARY_PATH"] = folder() / "driver";
    pretend("BUS", 2);
    EXPECT_NE(host({"doctor"}).out.find(" free, 98 % busy, 512 W, 61 C, 1755 MHz, held back by power\n"),
              std::string::npos);
    const auto report = nlohmann::json::parse(host({"doctor", "--json"}).out);
    const auto device = std::ranges::find(report.at("devices"), "emulated_cuda",
                                          [](const nlohmann::json& one) { return one.at("kind"); });
    ASSERT_NE(device, report.at("devices").end());
    EXPECT_EQ(device->at("usage").at("power_watts"), 512.5);
    pretend("BUS", 1);  // this GPU reports neither power nor clock
    EXPECT_NE(host({"doctor"}).out.find(" free, 0 % busy, "), std::string::npos);
}

// The capture fails in the middle of a step.
TEST_F(GpuDevice, steps_that_cannot_be_recorded_are_launched_kernel_by_kernel) {
    write_tiny({{"epochs = 2", "epochs = 2\naccumulate = 2"}});
    train("plain", {"--set", "device.record=false"});
    pretend("RECORDS", 5);
    train("run");
    EXPECT_EQ(tensors_of(checkpoint("run")), tensors_of(checkpoint("plain")));
    const std::string log = read_bytes(folder() / "run/log.txt");
    expect_contains(log, {"steps are not captured as graphs, so each kernel is launched by itself",
                          "cannot be launched while a stream is captured"});
}

// Windows of steps that would be replayed from graphs.
class GpuWindow : public GpuDevice {
protected:
    [[nodiscard]] profile::Window window_of(const std::string& run) const {
        const std::filesystem::path file = folder() / run / "profile/steps-000003-000004.json";
        return profile::parse_window(read_bytes(file), file.string());
    }
    static std::vector<profile::WindowSpan> spans_of(const profile::Window& window, std::uint32_t kind) {
        std::vector<profile::WindowSpan> some;
        std::ranges::copy_if(window.spans, std::back_inserter(some), [&](const profile::WindowSpan& span) {
            return span.kind == kind && window.threads[span.thread].kind == SLUICE_THREAD_STREAM;
        });
        return some;
    }
    void expect_same_training(const std::string& run, const std::string& other) const {
        EXPECT_EQ(tensors_of(checkpoint(run)), tensors_of(checkpoint(other)));
        const auto found = steps(run);
        const auto right = steps(other);
        ASSERT_EQ(found.size(), right.size());
        for (std::size_t i = 0; i < right.size(); ++i) {
            EXPECT_EQ(found[i].at("loss"), right[i].at("loss")) << i;
        }
    }
    // Expects that both steps have each launch of the plan, once for each of their batches.
    static void expect_same_launches(const profile::Window& window, double batches) {
        std::map<std::pair<std::int64_t, std::uint32_t>, std::map<std::string, double>> launches;  // by step and kind
        for (const profile::WindowSpan& span : window.spans) {
            if (window.threads[span.thread].kind == SLUICE_THREAD_STREAM && span.operation != profile::kNone) {
                const profile::Operation& operation = window.operations[span.operation];
                EXPECT_EQ(span.kind, operation.kind);
                launches[{span.step, span.kind}][operation.path] += operation.share;
            }
        }
        for (const std::uint32_t kind : {SLUICE_SPAN_FORWARD, SLUICE_SPAN_BACKWARD, SLUICE_SPAN_OPTIMIZER}) {
            const auto& first = launches[{3, kind}];
            const auto& second = launches[{4, kind}];
            EXPECT_FALSE(first.empty());
            ASSERT_EQ(first.size(), second.size());
            for (const auto& [path, count] : first) {
                EXPECT_NEAR(count, kind == SLUICE_SPAN_OPTIMIZER ? 1.0 : batches, 1e-6) << path;
                EXPECT_NEAR(second.at(path), count, 1e-6) << path;
            }
        }
    }
    // Expects each launch of the steps on the device's stream, and that all of them fit into the steps.
    static void expect_all_launches(const profile::Window& window, std::size_t batches) {
        const profile::StepTimes times = profile::step_times(window);
        ASSERT_EQ(times.steps.size(), 2U);
        double launched = 0.0;
        std::map<std::uint32_t, std::size_t> counts;  // of launches, by operation
        for (const std::uint32_t kind :
             {SLUICE_SPAN_FORWARD, SLUICE_SPAN_RECOMPUTE, SLUICE_SPAN_BACKWARD, SLUICE_SPAN_OPTIMIZER}) {
            for (const profile::WindowSpan& span : spans_of(window, kind)) {
                ASSERT_LT(span.operation, window.operations.size());
                EXPECT_EQ(window.operations[span.operation].kind, kind);
                EXPECT_EQ(window.threads[span.thread].device, 0U);
                EXPECT_GT(span.seconds, 0.0);
                ++counts[span.operation];
                launched += span.seconds;
            }
        }
        for (std::uint32_t i = 0; i < window.operations.size(); ++i) {
            const bool is_update = window.operations[i].kind == SLUICE_SPAN_OPTIMIZER;
            EXPECT_EQ(counts[i], is_update ? 2 : batches) << window.operations[i].path;
        }
        EXPECT_EQ(spans_of(window, SLUICE_SPAN_OPTIMIZER).size(), 2U);
        EXPECT_LE(launched, times.seconds);
        EXPECT_GE(launched, 0.2 * times.seconds);  // the emulation computes on the CPU, so the device is never fast
        EXPECT_EQ(window.dropped_spans, 0U);
    }
};

// The first step runs launch by launch, and shows the launches of the second one's kernels.
TEST_F(GpuWindow, has_kernels_of_replayed_graphs_with_their_layers_if_cupti_reports_them) {
    write_tiny({{"epochs = 2", "epochs = 2\naccumulate = 2"}, {"count = 16", "count = 32"}, kEveryStep});
    train("plain");
    train("run", {"--profile", "3-4"});
    expect_same_training("run", "plain");
    const profile::Window window = window_of("run");
    EXPECT_FALSE(window.runs_eagerly);
    EXPECT_EQ(window.eager_step, 3);
    EXPECT_GT(window.peak_flop, 0.0);
    EXPECT_GT(window.peak_bandwidth, 0.0);
    EXPECT_EQ(window.on_device.size(), 4U);  // two micro-batches of each step
    expect_same_launches(window, 2);
    expect_contains(read_bytes(folder() / "run/log.txt"),
                    {"; step 3 ran without captured graphs, to show the layers of kernels, so its time differs"});
    expect_output({"profile", "show", "run"},
                  {"mean of 1 step; ", "step 3 ran without captured graphs", "backward conv2d_2", "optimizer"});
}

// Then each step shows its own launches.
TEST_F(GpuWindow, has_layers_of_steps_that_are_never_captured) {
    write_tiny();
    train("run", {"--profile", "3-4", "--set", "device.record=false"});
    const profile::Window window = window_of("run");
    EXPECT_EQ(window.eager_step, 0);
    expect_same_launches(window, 1);
    EXPECT_EQ(read_bytes(folder() / "run/log.txt").find("without captured graphs"), std::string::npos);
}

TEST_F(GpuWindow, has_launches_without_cupti_and_says_that_times_differ) {
    write_tiny({{"epochs = 2", "epochs = 2\naccumulate = 2"}, {"count = 16", "count = 32"}, kEveryStep});
    train("plain");
    pretend("CUPTI", 0);
    train("run", {"--profile", "3-4"});
    expect_same_training("run", "plain");
    const profile::Window window = window_of("run");
    EXPECT_TRUE(window.runs_eagerly);
    expect_all_launches(window, 4);
    expect_contains(read_bytes(folder() / "run/log.txt"),
                    {"cannot record its activity: CUPTI cannot record: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES",
                     "its launches are timed one by one; the steps of the window run without captured graphs",
                     "they ran without captured graphs, so their times differ from those of other steps"});
    expect_output({"profile", "show", "run"},
                  {"ran without captured graphs", "launches of stream of replica 0", "backward conv2d_2"});
}

// The steps before and after the window are not captured either.
TEST_F(GpuWindow, of_steps_that_are_never_captured_says_nothing_of_graphs) {
    write_tiny();
    pretend("CUPTI", 0);
    train("run", {"--profile", "3-4", "--set", "device.record=false"});
    const profile::Window window = window_of("run");
    EXPECT_FALSE(window.runs_eagerly);
    expect_all_launches(window, 2);
    const std::string log = read_bytes(folder() / "run/log.txt");
    expect_contains(log, {"its launches are timed one by one: "});
    EXPECT_EQ(log.find("captured graphs"), std::string::npos) << log;
}

// Steps are captured in step 2, which is in the window, unless they are captured after it.
TEST_F(GpuWindow, that_begins_with_the_run_leaves_the_same_weights) {
    write_tiny({kEveryStep});
    train("plain");
    pretend("CUPTI", 0);
    train("run", {"--profile", "1-3"});
    expect_same_training("run", "plain");
}

// The kernels refuse tensors above a small limit, as those of a real GPU refuse 2^31 elements and more.
class GpuPieces : public GpuDevice {
protected:
    // The largest tensor of a sample has this many elements. It is the input of the second convolution, with margins
    // and channels of zeros.
    static constexpr int kSample = 34 * 34 * 8;
    static std::string limit(int elements) {
        return "device.kernels=[{ use = \"emulated_cudnn\", most_elements = " + std::to_string(elements) + " }]";
    }
    const std::pair<std::string, std::string> without_dropout{"  { type = \"dropout\", rate = 0.1 },\n", ""};
};

// The statistics of batch_norm are equal too.
TEST_F(GpuPieces, of_a_batch_make_the_steps_of_accumulated_batches) {
    write_tiny({kEveryStep, without_dropout});
    train("pieces", {"--set", limit(2 * kSample)});
    const auto pieces = steps("pieces");
    write_tiny({kEveryStep, without_dropout, {"batch = 4", "batch = 2"}, {"epochs = 2", "epochs = 2\naccumulate = 2"}});
    train("batches");
    const auto batches = steps("batches");
    ASSERT_EQ(pieces.size(), 8U);
    ASSERT_EQ(batches.size(), 8U);
    for (std::size_t i = 0; i < batches.size(); ++i) {
        EXPECT_EQ(pieces[i].at("loss"), batches[i].at("loss")) << i;
        EXPECT_EQ(pieces[i].at("samples"), batches[i].at("samples")) << i;
    }
    EXPECT_EQ(tensors_of(checkpoint("pieces")), tensors_of(checkpoint("batches")));
    const std::string log = read_bytes(folder() / "pieces/log.txt");
    EXPECT_NE(log.find("split   2 micro-batches of 2 samples make a batch, and statistics such as those of batch_norm "
                       "cover one micro-batch, because there is no kernel for layer 'conv2d'"),
              std::string::npos)
        << log;
}

TEST_F(GpuPieces, are_evaluated_as_whole_batches) {
    write_tiny({{"count = 4, size = [24, 32]", "count = 6, size = [24, 32]"}});
    train("run", {"--steps", "2"});
    const auto scores = [&](const std::string& setting) {
        const std::string output =
            expect_output({"evaluate", checkpoint(), "--json", "--csv", "scores.csv", "--set", setting}, {"psnr"});
        return output + read_bytes(folder() / "scores.csv");
    };
    const std::string whole = scores("data.batch=4");
    EXPECT_EQ(scores(limit(6144)), whole);
}

// Dropout draws anew for each micro-batch, and a resumed run repeats a step to the same bits.
TEST_F(GpuPieces, resume_to_the_same_bits) {
    write_tiny();
    train("whole", {"--set", limit(kSample), "--steps", "6"});
    train("run", {"--set", limit(kSample), "--steps", "3"});
    expect_success(host({"resume", "run", "--set", "train.steps=6"}));
    EXPECT_EQ(tensors_of(checkpoint("whole")), tensors_of(checkpoint("run")));
}

TEST_F(GpuPieces, that_are_not_finite_are_named) {
    write_tiny({{"use = \"cosine\"", "use = \"constant\""}});
    expect_refused(host({"train", "tiny.toml", "--set", limit(kSample), "--set", "optimizer.rate=1e30"}), 5,
                   {"the loss of step ", "that of layer '"});
}

TEST_F(GpuPieces, are_shown_by_plan_and_refused_by_bench) {
    write_tiny();
    expect_output({"plan", "tiny.toml", "--set", limit(kSample)}, {"\nsplit       4 micro-batches of 1 samples"});
    expect_refused(host({"bench", "tiny.toml", "--steps", "1", "--set", limit(kSample)}), 2, {"--batch 1"});
    EXPECT_EQ(host({"plan", "tiny.toml"}).out.find("pieces"), std::string::npos);
}

TEST_F(GpuPieces, are_refused_if_a_layer_sums_over_the_whole_batch) {
    write_tiny({{"{ type = \"batch_norm\" }", "{ type = \"batch_norm\", synchronized = true }"}});
    expect_refused(
        host({"train", "tiny.toml", "--set", limit(2 * kSample)}), 2,
        {"layer 'batch_norm' needs the statistics of a whole batch, but 2 micro-batches of 2 samples make a batch, ",
         "; lower data.batch, or use a layer without such statistics"});
}

TEST_F(GpuPieces, of_one_sample_may_still_be_too_large) {
    write_tiny();
    expect_refused(host({"train", "tiny.toml", "--set", limit(6143)}), 2,
                   {"no kernel for layer 'feed/blurred'", " is too large: a tensor has at most 6143 elements"});
}

// 16 pictures of 200x200 take 87 MiB in training.
class GpuMemory : public GpuDevice {
protected:
    void SetUp() override {
        GpuDevice::SetUp();
        if (!IsSkipped()) {
            pretend("MEMORY", 70);
            write_tiny({{"count = 16, size = [32, 32]", "count = 16, size = [200, 200]"}, {"batch = 4", "batch = 16"}});
        }
    }
    void expect_too_large(const std::vector<std::string>& arguments, const std::vector<std::string>& cures) {
        expect_refused(host(arguments), 4,
                       joined({"device 'emulated_cuda': ", " of memory are needed, ", " for activations and ",
                               "; 70.0 MiB are free; what helps: "},
                              cures));
    }
    const std::vector<std::string> cures_of_training{
        "data.batch = 8 with train.accumulate = 2, which keeps the samples of a step",
        "train.recompute = \"selective\"", "precision.use = \"mixed_bfloat16\""};
};

TEST_F(GpuMemory, too_little_for_a_step_is_said_before_it_is_taken) {
    expect_too_large({"train", "tiny.toml"}, cures_of_training);
    EXPECT_FALSE(std::filesystem::exists(folder() / "runs"));
    expect_too_large({"bench", "tiny.toml"}, cures_of_training);
    expect_too_large({"diagnose", "precision", "tiny.toml", "--policy", "mixed_bfloat16"}, cures_of_training);
    expect_output({"plan", "tiny.toml"}, cures_of_training);
}

// The settings follow the first advice of the error message.
TEST_F(GpuMemory, suffices_for_the_batch_that_is_advised) {
    train("run", {"--steps", "1", "--set", "data.batch=8", "--set", "train.accumulate=2"});
}

TEST_F(GpuMemory, too_little_for_evaluation_is_said_before_the_first_step) {
    write_tiny({{"size = [24, 32]", "size = [1200, 900]"}});
    expect_too_large({"train", "tiny.toml"}, {"precision.use = \"mixed_bfloat16\""});
    EXPECT_FALSE(std::filesystem::exists(folder() / "runs"));
}

TEST_F(GpuMemory, too_little_for_a_checkpoint_is_said) {
    write_tiny();
    train("run", {"--steps", "1"});
    expect_too_large({"evaluate", checkpoint(), "--set", "data.validation.source.size=[1200,900]"},
                     {"precision.use = \"mixed_bfloat16\""});
    write("picture.png", png_of(make_picture(20, 30)));
    expect_too_large({"predict", checkpoint(), "--input", "picture.png", "--output", "out", "--tile", "2048"},
                     {"a smaller --tile"});
}

}  // namespace
}  // namespace sluice::test
