#include "run/checkpoint/checkpoint_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/process_place.hpp"

namespace sluice::run {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void throw_unwritten(const fs::path& file, const std::error_code& error) {
    throw Error(Exit::save,
                fmt::format("{}: cannot be written: {}{}", file.string(), error.message(), removed_folder_text(file)));
}

// Returns `name`, or the first of "best-2.safetensors", "best-3.safetensors" and so on that is not in use.
fs::path free_name(const fs::path& folder, const fs::path& name) {
    std::error_code none;
    fs::path file = folder / name;
    for (int number = 2; fs::exists(file, none); ++number) {
        file = folder / fmt::format("{}-{}{}", name.stem().string(), number, name.extension().string());
    }
    return file;
}

void move_into(const fs::path& folder, const fs::path& file) {
    std::error_code error;
    fs::create_directories(folder, error);
    const fs::path target = free_name(folder, file.filename());
    fs::rename(file, target, error);
    if (error) {
        throw_unwritten(target, error);
    }
}

// Returns nothing if the file does not exist or cannot be read.
std::optional<Progress> progress_of(const fs::path& file) {
    std::error_code none;
    if (!fs::exists(file, none)) {
        return std::nullopt;
    }
    try {
        return inspect_checkpoint(file).progress;
    } catch (const Error&) {
        return std::nullopt;
    }
}

std::vector<fs::path> list_numbered(const fs::path& folder, std::error_code& error) {
    std::vector<fs::path> numbered;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (at->path().filename().string().starts_with("step-") && at->path().extension() == ".safetensors") {
            numbered.push_back(at->path());
        }
    }
    std::ranges::sort(numbered);
    return numbered;
}

// One attempt of drop_old_checkpoints().
std::string try_to_drop(const fs::path& folder, std::int64_t keep) {
    std::error_code unread;
    const std::vector<fs::path> numbered = list_numbered(folder, unread);
    if (unread) {
        return fmt::format("{}: cannot be listed: {}", folder.string(), unread.message());
    }
    const auto kept = static_cast<std::size_t>(std::max<std::int64_t>(keep, 1));
    std::string failure;
    for (std::size_t i = 0; i + kept < numbered.size(); ++i) {
        std::error_code error;
        fs::remove(numbered[i], error);
        if (error) {
            failure = fmt::format("{}: cannot be removed: {}", numbered[i].string(), error.message());
        }
    }
    return failure;
}

bool is_unfinished(const fs::path& file) { return file.extension() == ".writing" || file.extension() == ".part"; }

}  // namespace

std::string numbered_name(std::uint64_t step) { return fmt::format("step-{:08}.safetensors", step); }

std::vector<fs::path> numbered_checkpoints(const fs::path& folder) {
    std::error_code none;
    return list_numbered(folder, none);
}

fs::path find_last(const fs::path& folder) {
    const fs::path last = folder / kLastCheckpoint;
    std::error_code unreadable;  // reading it reports the reason
    if (fs::exists(last, unreadable) || unreadable) {
        return last;
    }
    std::vector<fs::path> newest_first = numbered_checkpoints(folder);
    std::ranges::reverse(newest_first);
    const auto whole =
        std::ranges::find_if(newest_first, [](const fs::path& file) { return progress_of(file).has_value(); });
    if (whole == newest_first.end()) {
        return last;
    }
    if (process_place().rank == 0) {  // all processes find the same, so only one logs it
        log::warn(fmt::format("{} is missing; the run resumes from {}, the newest whole checkpoint", last.string(),
                              whole->filename().string()));
    }
    return *whole;
}

void publish_checkpoint(const fs::path& file, const fs::path& name) {
    const fs::path aside = name.string() + ".writing";
    std::error_code error;
    fs::remove(aside, error);
    fs::create_hard_link(file, aside, error);
    if (error) {
        fs::copy_file(file, aside, error);
    }
    if (!error) {
        fs::rename(aside, name, error);
    }
    if (error) {
        std::error_code ignored;
        fs::remove(aside, ignored);
        throw_unwritten(name, error);
    }
}

std::string drop_old_checkpoints(const fs::path& folder, std::int64_t keep) {
    // After the last save nothing would retry, so a transient error gets a second attempt here.
    return try_to_drop(folder, keep).empty() ? std::string() : try_to_drop(folder, keep);
}

void remove_unfinished_files(const fs::path& run_folder) {
    std::vector<fs::path> found;
    std::error_code none;
    for (fs::recursive_directory_iterator at(run_folder, none), end; !none && at != end; at.increment(none)) {
        if (is_unfinished(at->path())) {
            found.push_back(at->path());
        }
    }
    for (const fs::path& file : found) {
        fs::remove(file, none);
    }
}

void leave_newer_checkpoints(const fs::path& folder, std::uint64_t step) {
    const std::string own = numbered_name(step);
    for (const fs::path& file : numbered_checkpoints(folder)) {
        if (file.filename().string() > own) {
            move_into(folder / "left", file);
        }
    }
    if (const fs::path best = folder / kBestCheckpoint; fs::exists(best)) {
        const std::optional<Progress> progress = progress_of(best);
        if (!progress || progress->step > step) {
            move_into(folder / "left", best);
        }
    }
    if (fs::exists(folder / own)) {
        publish_checkpoint(folder / own, folder / kLastCheckpoint);
    }
}

fs::path find_best(const fs::path& folder, const fs::path& from, Progress& progress) {
    if (!progress.best) {
        return {};
    }
    const fs::path named = folder / kBestCheckpoint;
    for (const fs::path& file : {named, folder / numbered_name(progress.best_step), from}) {
        if (const auto found = progress_of(file); found && found->step == progress.best_step) {
            return file;
        }
    }
    const std::optional<Progress> older = progress_of(named);
    const bool is_kept = older && older->best && older->best_step == older->step && older->step < progress.step;
    if (process_place().rank == 0) {  // all processes find the same, so only one logs it
        log::warn(fmt::format("{}: the best checkpoint, of step {}, is missing; {}", folder.string(),
                              progress.best_step,
                              is_kept ? fmt::format("the best remaining one is of step {}", older->step)
                                      : "the next evaluation sets a new best"));
    }
    progress.best = is_kept ? older->best : std::nullopt;
    progress.best_step = is_kept ? older->best_step : 0;
    return is_kept ? named : fs::path();
}

void restore_best(const fs::path& folder, const fs::path& best) {
    const fs::path named = folder / kBestCheckpoint;
    if (best.empty() && fs::exists(named)) {
        move_into(folder / "left", named);
    } else if (!best.empty() && best != named) {
        publish_checkpoint(best, named);
        log::info(fmt::format("{} is again the checkpoint of the best step", named.string()));
    }
}

}  // namespace sluice::run
