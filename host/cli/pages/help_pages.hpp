// The pages of the documentation that are installed beside the program.
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

// In the order of their names; empty if the pages are not installed. Authors' pages come with the package for them.
std::vector<HelpPage> user_pages();
std::vector<HelpPage> author_pages();

std::optional<HelpPage> find_page(std::string_view topic);

}  // namespace sluice::cli
