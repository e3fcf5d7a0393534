// The folder of one run, runs/<name>-NNN, which is locked while the run is alive.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "config/recorded_origins.hpp"
#include "config/spec.hpp"

namespace sluice::run {

class RunFolder {
public:
    // Creates <name>-NNN with the next free number below `parent`, or `exact` if it is given. Throws
    // Error(Exit::config) if `exact` exists and is not empty, and Error(Exit::save) if the folder cannot be created.
    static RunFolder create(const std::filesystem::path& parent, const std::string& name,
                            const std::filesystem::path& exact);
    // Opens an existing folder to resume its run. Throws Error(Exit::config) if it is not a run's folder, or if a run
    // is alive in it.
    static RunFolder open(const std::filesystem::path& folder);
    // Refers to the folder of a run that another process writes, without locking it.
    static RunFolder join(const std::filesystem::path& folder) { return {folder, -1}; }

    RunFolder(RunFolder&& other) noexcept;
    RunFolder& operator=(RunFolder&& other) noexcept;
    ~RunFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::filesystem::path checkpoints() const { return path_ / "checkpoints"; }

private:
    RunFolder(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}

    std::filesystem::path path_;
    int lock_;
};

// Writes resolved.toml: every value and its origin. `recorded`: the origins in its previous version.
void write_resolved(const RunFolder& folder, const config::PipelineSpec& spec,
                    const config::RecordedOrigins& recorded = {});

// Writes resolved.toml, pipeline.toml (as given) and environment.json.
void describe_run(const RunFolder& folder, const std::filesystem::path& pipeline, const config::PipelineSpec& spec,
                  const std::string& environment_json);

// The checkpoints with which a run resumes.
struct ResumedCheckpoints {
    std::uint64_t step = 0;      // of the checkpoint from which it resumes
    bool moves_newer = false;    // checkpoints of later steps move to checkpoints/left
    std::filesystem::path best;  // see find_best()
    std::int64_t keep = 0;       // checkpoint.keep
};

// Removes what a killed run has left unfinished or not dropped yet, and gives the checkpoints their names again. Throws
// Error(Exit::save).
void clean_up(const RunFolder& folder, const ResumedCheckpoints& resumed);

}  // namespace sluice::run
