#include "run/checkpoint_folder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "run/checkpoint.hpp"

namespace sluice::run {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLast = "last.safetensors";
constexpr const char* kBest = "best.safetensors";

[[noreturn]] void throw_unwritten(const fs::path& file, const std::error_code& error) {
    throw Error(Exit::save, fmt::format("{}: cannot be written: {}", file.string(), error.message()));
}

void move_into(const fs::path& folder, const fs::path& file) {
    std::error_code error;
    fs::create_directories(folder, error);
    fs::rename(file, folder / file.filename(), error);
    if (error) {
        throw_unwritten(folder / file.filename(), error);
    }
}

// Whether the file is of a later step. One that cannot be read is of none that we know.
bool is_newer(const fs::path& file, std::uint64_t step) {
    try {
        return inspect_checkpoint(file).progress.step > step;
    } catch (const Error&) {
        return true;
    }
}

}  // namespace

std::string numbered_name(std::uint64_t step) { return fmt::format("step-{:08}.safetensors", step); }

std::vector<fs::path> numbered_checkpoints(const fs::path& folder) {
    std::vector<fs::path> numbered;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none)) {
        if (entry.path().filename().string().starts_with("step-") && entry.path().extension() == ".safetensors") {
            numbered.push_back(entry.path());
        }
    }
    std::ranges::sort(numbered);
    return numbered;
}

void publish_checkpoint(const fs::path& file, const std::string& name) {
    const fs::path aside = file.parent_path() / (name + ".writing");
    std::error_code error;
    fs::remove(aside, error);
    fs::create_hard_link(file, aside, error);
    if (error) {
        fs::copy_file(file, aside, error);
    }
    if (!error) {
        fs::rename(aside, file.parent_path() / name, error);
    }
    if (error) {
        throw_unwritten(file.parent_path() / name, error);
    }
}

void drop_old_checkpoints(const fs::path& folder, std::int64_t keep) {
    const std::vector<fs::path> numbered = numbered_checkpoints(folder);
    const auto kept = static_cast<std::size_t>(std::max<std::int64_t>(keep, 1));
    std::error_code ignored;
    for (std::size_t i = 0; i + kept < numbered.size(); ++i) {
        fs::remove(numbered[i], ignored);
    }
}

void leave_newer_checkpoints(const fs::path& folder, std::uint64_t step, std::uint64_t best_step) {
    const std::string own = numbered_name(step);
    for (const fs::path& file : numbered_checkpoints(folder)) {
        if (file.filename().string() > own) {
            move_into(folder / "left", file);
        }
    }
    if (fs::exists(folder / kBest) && is_newer(folder / kBest, step)) {
        move_into(folder / "left", folder / kBest);
        if (const fs::path best = folder / numbered_name(best_step); best_step > 0 && fs::exists(best)) {
            publish_checkpoint(best, kBest);
        }
    }
    if (fs::exists(folder / own)) {
        publish_checkpoint(folder / own, kLast);
    }
}

}  // namespace sluice::run
