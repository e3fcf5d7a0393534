// The options that a component is checked with, and the files that they name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "registry/manifest/manifest.hpp"

namespace sluice::check {

struct Setup {
    std::string name;  // for messages: "with size = [4, 4]"; empty: the only setup, or all defaults
    Table options;     // complete, with defaults
    std::vector<registry::CheckFile> files;
    std::vector<sluice_tensor_spec> inputs;     // of a layer
    std::vector<std::filesystem::path> copies;  // files and folders of the user, to copy under their own names
    bool is_guessed = false;                    // the options were guessed from the schema
    bool is_reversed = false;                   // a transform gets its fields in reverse order
};

// Makes one setup for each check of the manifest; for a layer, only for the first three without `then`. Without checks,
// the options are guessed from the schema. `given` holds options of the command line, which override these.
std::vector<Setup> make_setups(const registry::ComponentManifest& component, const Table& given);

// A valid value of the option: its default, else a value in its range.
Value fitting_value(const registry::OptionSchema& option);

// A new folder with the files of a setup. It is the working folder of the process while this object lives. The owner of
// `parent` removes the folder, because this process may crash.
class ScratchFolder {
public:
    ScratchFolder(const Setup& setup, const std::filesystem::path& parent);
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    // All files in the folder, sorted.
    [[nodiscard]] std::vector<std::filesystem::path> files() const;

private:
    std::filesystem::path path_;
    std::filesystem::path before_;
};

}  // namespace sluice::check
