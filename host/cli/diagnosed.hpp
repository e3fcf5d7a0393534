// Opens what `diagnose` and `tune` examine, prepares its trainings, and writes the file with the changes.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "cli/terminal/options.hpp"
#include "config/derived_pipeline.hpp"
#include "config/spec.hpp"
#include "diagnose/trial/laboratory.hpp"

namespace sluice::cli {

// A pipeline file, or a run from its newest checkpoint.
struct Diagnosed {
    config::PipelineSpec spec;
    std::string file;             // the pipeline file, as the user named it
    std::filesystem::path run{};  // empty: a pipeline
    std::filesystem::path checkpoint{};
    int processes = 1;  // that train it
};

// `name`: of a pipeline file, an installed pipeline, or the folder of a run, which must not be alive unless it is
// examined `beside` it. `processes` 0: as many as trained the run, or one. Throws Error(Exit::config).
Diagnosed open_diagnosed(const std::string& name, bool beside, int processes, const Common& common);

// Seconds of "90 s", "3m" or "3 min", at least 20. Throws Error(Exit::config).
double budget_of(const std::string& text);

// `folder`: for files of the trainings. `progress` receives a text about the current work.
diagnose::LaboratoryRequest laboratory_request(const Diagnosed& diagnosed, const Common& common,
                                               const std::filesystem::path& folder,
                                               std::function<void(const std::string&)> progress);

// Throws Error(Exit::config) if the file exists, or its folder cannot be written.
void expect_new_file(const std::filesystem::path& target);

// Writes a pipeline file that includes the examined one, with the user's --set and these changes.
void write_changed(const std::filesystem::path& target, const Diagnosed& diagnosed, const Common& common,
                   std::span<const config::ValueChange> changes);

}  // namespace sluice::cli
