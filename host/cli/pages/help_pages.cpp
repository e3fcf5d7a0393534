#include "cli/pages/help_pages.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>

#include "base/files.hpp"

namespace sluice::cli {
namespace {

namespace fs = std::filesystem;

std::string title_of(const fs::path& file) {
    std::ifstream page(file);
    std::string line;
    std::getline(page, line);
    return line.substr(std::min(line.size(), line.find_first_not_of("# ")));
}

void add_pages(const fs::path& folder, const std::string& prefix, std::vector<HelpPage>& pages) {
    std::error_code none;
    for (fs::directory_iterator at(folder, none), end; !none && at != end; at.increment(none)) {
        if (at->path().extension() == ".md") {
            pages.push_back({prefix + at->path().stem().string(), title_of(at->path()), at->path()});
        }
    }
    std::ranges::sort(pages, {}, &HelpPage::topic);
}

}  // namespace

std::vector<HelpPage> user_pages() {
    std::vector<HelpPage> pages;
    add_pages(executable_folder() / SLUICE_PAGE_DIR, "", pages);
    return pages;
}

std::vector<HelpPage> author_pages() {
    const fs::path folder = executable_folder() / SLUICE_AUTHOR_PAGE_DIR;
    std::vector<HelpPage> pages;
    add_pages(folder, "", pages);
    std::vector<HelpPage> kinds;
    add_pages(folder / "kinds", "kinds/", kinds);
    pages.insert(pages.end(), kinds.begin(), kinds.end());
    return pages;
}

std::optional<HelpPage> find_page(std::string_view topic) {
    for (const std::vector<HelpPage>& pages : {user_pages(), author_pages()}) {
        const auto found = std::ranges::find(pages, topic, &HelpPage::topic);
        if (found != pages.end()) {
            return *found;
        }
    }
    return std::nullopt;
}

}  // namespace sluice::cli
