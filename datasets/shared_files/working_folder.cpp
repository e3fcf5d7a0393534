#include "working_folder.hpp"

#include <system_error>

namespace fs = std::filesystem;

namespace sluice::shared_files {

std::string working_folder_text(const fs::path& path) {
    std::error_code problem;
    const fs::path folder = fs::current_path(problem);
    return problem ? removed_folder_text(path) : " (current folder: " + folder.string() + ")";
}

std::string removed_folder_text(const fs::path& path) {
    std::error_code problem;
    static_cast<void>(fs::current_path(problem));
    return path.is_relative() && problem == std::errc::no_such_file_or_directory
               ? "; the working folder was removed: change into another one"
               : "";
}

}  // namespace sluice::shared_files
