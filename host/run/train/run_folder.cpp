#include "run/train/run_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/program_name.hpp"
#include "config/pipeline_text.hpp"
#include "history/run_lock.hpp"
#include "run/checkpoint/checkpoint_folder.hpp"

namespace sluice::run {
namespace {

namespace fs = std::filesystem;

int lock_folder(const fs::path& folder) {
    const int lock = history::lock_run(folder);
    if (lock < 0 && errno == EAGAIN) {
        throw Error(
            Exit::config,
            fmt::format("{}: another run is alive in this folder; choose another with --run-folder", folder.string()));
    }
    if (lock < 0) {
        throw Error(Exit::save,
                    fmt::format("{}: cannot write into the run's folder: {}", folder.string(), std::strerror(errno)));
    }
    return lock;
}

void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder / "checkpoints", error);
    if (error) {
        throw Error(Exit::save, fmt::format("{}: cannot make the run's folder: {}; choose another with --run-folder{}",
                                            folder.string(), error.message(), removed_folder_text(folder)));
    }
}

}  // namespace

RunFolder RunFolder::create(const fs::path& parent, const std::string& name, const fs::path& exact) {
    if (!exact.empty()) {
        std::error_code error;
        if (fs::exists(exact, error) && !fs::is_empty(exact, error)) {
            throw Error(Exit::config,
                        fmt::format("{}: exists and is not empty; {} resumes its run, a new run needs another folder",
                                    exact.string(), typed("resume " + exact.string())));
        }
        make_folder(exact);
        return {exact, lock_folder(exact)};
    }
    for (int number = 1;; ++number) {
        const fs::path folder = parent / fmt::format("{}-{:03}", name, number);
        std::error_code error;
        fs::create_directories(parent, error);
        if (fs::create_directory(folder, error) || (error && error != std::errc::file_exists)) {
            make_folder(folder);
            return {folder, lock_folder(folder)};
        }
    }
}

RunFolder RunFolder::open(const fs::path& folder) {
    std::error_code problem;
    if (const fs::file_status status = fs::status(folder / "checkpoints", problem); !fs::is_directory(status)) {
        throw Error(Exit::config,
                    fs::status_known(status)
                        ? fmt::format("{}: not a run's folder: it has no 'checkpoints'", folder.string())
                        : fmt::format("{}: cannot be read: {}", (folder / "checkpoints").string(), problem.message()));
    }
    return {folder, lock_folder(folder)};
}

RunFolder::RunFolder(RunFolder&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

RunFolder& RunFolder::operator=(RunFolder&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(lock_, other.lock_);
    return *this;
}

RunFolder::~RunFolder() {
    if (lock_ >= 0) {
        ::close(lock_);
    }
}

void write_resolved(const RunFolder& folder, const config::PipelineSpec& spec,
                    const config::RecordedOrigins& recorded) {
    write_file_atomically(folder.path() / "resolved.toml",
                          config::to_pipeline_toml(spec.resolved, config::Origins::as_comments, recorded));
}

void describe_run(const RunFolder& folder, const fs::path& pipeline, const config::PipelineSpec& spec,
                  const std::string& environment_json) {
    write_file_atomically(folder.path() / "pipeline.toml", read_file(pipeline));
    write_resolved(folder, spec);
    write_file_atomically(folder.path() / "environment.json", environment_json);
}

// The best checkpoint gets its name before old ones are dropped, because it may be one of them.
void clean_up(const RunFolder& folder, const ResumedCheckpoints& resumed) {
    remove_unfinished_files(folder.path());
    if (resumed.moves_newer) {
        leave_newer_checkpoints(folder.checkpoints(), resumed.step);
    }
    restore_best(folder.checkpoints(), resumed.best);
    static_cast<void>(drop_old_checkpoints(folder.checkpoints(), resumed.keep));
}

}  // namespace sluice::run
