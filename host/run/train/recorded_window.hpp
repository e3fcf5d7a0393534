// Makes a window of what was recorded, and writes it into the run's folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "profile/window.hpp"
#include "run/train/profile_windows.hpp"
#include "run/train/training_replicas.hpp"

namespace sluice::run {

// The window says this about the process.
struct WindowPlace {
    std::uint32_t rank = 0;
    std::uint32_t ranks = 1;
    std::string device{};         // that computes
    double peak_flop = 0.0;       // per second; 0: not measured
    double peak_bandwidth = 0.0;  // bytes per second; 0: not measured
    std::vector<Bandwidth> bandwidth{};
    // The training program of the first replica: its launches and its arena.
    profile::Operations operations{};
    std::vector<profile::ArenaTensor> arena{};
};

// Measures the peaks of the cores or of the device, which takes about 0.2 s or some seconds the first time.
[[nodiscard]] WindowPlace window_place(const TrainingReplicas& replicas);

profile::Window make_window(const ProfileWindows::Recorded& recorded, const WindowPlace& place);

// Returns RUN/profile/steps-000020-000024.json, of rank 1 and above with "-rank-1" at its end.
std::filesystem::path window_file(const std::filesystem::path& run, const profile::Window& window);
// One line for the log: how long the steps took, and where the window is.
std::string describe_window(const profile::Window& window, const std::filesystem::path& run);
// Throws Error(Exit::save).
void write_window(const std::filesystem::path& file, const profile::Window& window);

}  // namespace sluice::run
