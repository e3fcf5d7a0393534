// The folder of one run: runs/<name>-NNN, locked while the run lives.
#pragma once

#include <filesystem>
#include <string>

#include "config/recorded_origins.hpp"
#include "config/spec.hpp"

namespace sluice::run {

class RunFolder {
public:
    // Makes runs/<name>-NNN with the next free number below `parent`, or `exact` where it is given (an error where that
    // exists and is not empty). Throws Error(Exit::save).
    static RunFolder create(const std::filesystem::path& parent, const std::string& name,
                            const std::filesystem::path& exact);
    // An existing folder, to go on in. Throws Error(Exit::config) where it is not one, or a run is alive in it.
    static RunFolder open(const std::filesystem::path& folder);
    // The folder of a run that another process writes.
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

// resolved.toml: every value and where it comes from; `recorded` is what it said before.
void write_resolved(const RunFolder& folder, const config::PipelineSpec& spec,
                    const config::RecordedOrigins& recorded = {});

// It, pipeline.toml (as given) and environment.json.
void describe_run(const RunFolder& folder, const std::filesystem::path& pipeline, const config::PipelineSpec& spec,
                  const std::string& environment_json);

}  // namespace sluice::run
