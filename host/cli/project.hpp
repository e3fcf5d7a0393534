// The project of a new plugin, from the templates of the installation.
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

// The kinds that there are templates of.
const std::vector<std::string>& project_kinds();

// Throws Error(Exit::config) where it is no name for a component, a file and a target of a build at once.
void expect_project_name(const std::string& name);

// Writes the project into the folder `name` of the current one, which is not there yet. Throws Error(Exit::config), or
// Error(Exit::save) where it cannot be written: nothing is left then.
Project write_project(const ProjectRequest& request);

}  // namespace sluice::cli
