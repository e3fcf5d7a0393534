// Messages about why no GPU can be used: one sentence for each cause.
#include "device/availability.hpp"

#include <gtest/gtest.h>

namespace sluice::cudnn {
namespace {

// Returns the findings of a machine without a fault.
Findings good() {
    Findings findings;
    findings.cudnn = 91900;
    findings.plugin_cuda = 13000;
    findings.driver_cuda = 13000;
    findings.driver_release = "580.65.06";
    findings.gpus = {{0, "NVIDIA H200", 9, 0, false}};
    return findings;
}

TEST(Availability, a_good_machine) {
    EXPECT_EQ(no_gpu_reason(good()), "");
    EXPECT_EQ(cudnn_version_text(91900), "9.19.0");
}

TEST(Availability, no_driver) {
    Findings findings = good();
    findings.driver_cuda = 0;
    EXPECT_EQ(no_gpu_reason(findings),
              "there is no NVIDIA driver (libcuda.so.1 was not found); install driver 580 or later, or start the "
              "container with --gpus all");
}

TEST(Availability, driver_too_old) {
    Findings findings = good();
    findings.driver_cuda = 12040;
    findings.driver_release = "550.54.14";
    findings.gpus.clear();
    EXPECT_EQ(no_gpu_reason(findings),
              "the NVIDIA driver 550.54.14 is too old: it runs CUDA up to 12.4, this plugin needs 13.0; install driver "
              "580 or later");
}

// A program runs on every driver of the same major version of CUDA.
TEST(Availability, a_driver_of_the_same_major_version_is_new_enough) {
    Findings findings = good();
    findings.plugin_cuda = 13020;
    EXPECT_EQ(no_gpu_reason(findings), "");
}

TEST(Availability, cudnn_too_old) {
    Findings findings = good();
    findings.cudnn = 8907;
    EXPECT_EQ(no_gpu_reason(findings), "cuDNN 8.9 is too old; install cuDNN 9 for CUDA 13");
}

TEST(Availability, hidden_by_the_environment) {
    Findings findings = good();
    findings.gpus.clear();
    findings.visible = "";
    findings.installed = 2;
    EXPECT_EQ(no_gpu_reason(findings),
              "CUDA_VISIBLE_DEVICES is \"\", which leaves no GPU of the 2 in this machine; unset it, or give it the "
              "number of one: CUDA_VISIBLE_DEVICES=0");
    findings.installed.reset();
    EXPECT_NE(no_gpu_reason(findings).find("which leaves no GPU; unset it"), std::string::npos);
}

// If the machine has no GPU, the variable is not the cause.
TEST(Availability, no_gpu_in_the_machine) {
    Findings findings = good();
    findings.gpus.clear();
    findings.visible = "0";
    findings.installed = 0;
    findings.error = "no CUDA-capable device is detected";
    EXPECT_EQ(no_gpu_reason(findings),
              "the NVIDIA driver 580.65.06 finds no GPU (CUDA says: no CUDA-capable device is detected); `nvidia-smi` "
              "shows what there is, and a container has to be started with --gpus all");
}

TEST(Availability, gpu_too_old) {
    Findings findings = good();
    findings.gpus = {{0, "Tesla V100", 7, 0, false}};
    EXPECT_EQ(no_gpu_reason(findings),
              "Tesla V100 has compute capability 7.0; a GPU of 8.0 or later is needed (Ampere and newer)");
    findings.gpus.push_back({1, "NVIDIA A100", 8, 0, false});
    EXPECT_EQ(no_gpu_reason(findings), "");
}

TEST(Availability, closed_by_its_compute_mode) {
    Findings findings = good();
    findings.gpus.front().prohibited = true;
    EXPECT_EQ(no_gpu_reason(findings),
              "NVIDIA H200 is closed to all programs (compute mode 'prohibited'); an administrator opens it with "
              "`nvidia-smi -c DEFAULT`");
}

TEST(Availability, taken_by_others) {
    const FoundGpu gpu{0, "NVIDIA H200", 9, 0, false};
    EXPECT_EQ(
        open_failure_reason({.gpu = gpu, .out_of_memory = true, .error = "out of memory"}),
        "other processes use all memory of NVIDIA H200; stop one of them (`nvidia-smi` lists them), or choose another "
        "GPU with CUDA_VISIBLE_DEVICES");
    EXPECT_EQ(
        open_failure_reason({.gpu = gpu, .unavailable = true, .is_exclusive = true, .error = "busy"}),
        "another process uses NVIDIA H200 exclusively (compute mode 'exclusive process'); wait until it exits, or "
        "ask an administrator to share the GPU with `nvidia-smi -c DEFAULT`");
    EXPECT_EQ(
        open_failure_reason({.gpu = gpu, .unavailable = true, .error = "busy or unavailable"}),
        "NVIDIA H200 cannot be opened (CUDA says: busy or unavailable); `nvidia-smi` shows who uses it and whether "
        "it works");
}

}  // namespace
}  // namespace sluice::cudnn
