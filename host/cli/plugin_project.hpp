// Writes the project of a new plugin from the installed templates.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace sluice::cli {

struct ProjectRequest {
    std::string kind;      // of the component: one of project_kinds()
    std::string name;      // of the component, its files and the folder
    std::string language;  // "c", "cpp" or "rust"
};

struct Project {
    std::vector<std::filesystem::path> files;  // in the project's folder, sorted
    std::size_t lines = 0;                     // of all of them
};

// Returns the kinds that have a template.
const std::vector<std::string>& project_kinds();

// Throws Error(Exit::config) unless `name` can name a component, a file and a build target.
void expect_project_name(const std::string& name);

// Writes the project into a new folder `name` below the working folder. Throws Error(Exit::config) if the request is
// wrong or the folder exists. If writing fails, it removes the folder and throws Error(Exit::save).
Project write_project(const ProjectRequest& request);

}  // namespace sluice::cli
