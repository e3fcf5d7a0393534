// With what a component is checked: options, and the files that they name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "registry/manifest/manifest.hpp"

namespace sluice::check {

struct Setup {
    std::string name;  // "with size = [4, 4]" for messages; empty: there is no other
    Table options;     // complete
    std::vector<registry::CheckFile> files;
    std::vector<sluice_tensor_spec> inputs;     // of a layer
    std::vector<std::filesystem::path> copies;  // of files and folders of the user's, which lie there under their names
    bool is_guessed = false;                    // nobody has said that these options fit
    bool is_reversed = false;                   // fields come to a transform from the last to the first
};

// One for each check of its manifest, the first few of a layer; one with options that are guessed from its schema where
// it has none. `given`: what the command line says in their place.
std::vector<Setup> make_setups(const registry::ComponentManifest& component, const Table& given);

// What such an option may be: its default, else something in its range.
Value fitting_value(const registry::OptionSchema& option);

// A new folder that holds the files of a setup, and is the working folder of the process meanwhile. Whoever has made
// the folder that it lies in removes both: the process may crash.
class ScratchFolder {
public:
    ScratchFolder(const Setup& setup, const std::filesystem::path& parent);
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    // All that lie in it.
    [[nodiscard]] std::vector<std::filesystem::path> files() const;

private:
    std::filesystem::path path_;
    std::filesystem::path before_;
};

}  // namespace sluice::check
