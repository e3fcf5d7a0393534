// The pages of the documentation that are installed with the program.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::cli {

struct HelpPage {
    std::string topic;  // the file's name without ".md", after its folder: "data", "kinds/layer"
    std::string title;  // the page's first heading
    std::filesystem::path file;
};

// Sorted by name; empty if the pages are not installed. The pages for plugin authors come with sluice-dev.
std::vector<HelpPage> user_pages();
std::vector<HelpPage> author_pages();

std::optional<HelpPage> find_page(std::string_view topic);

}  // namespace sluice::cli
