#include "report/run_report.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/files.hpp"
#include "report/run_page.hpp"

namespace sluice::report {
namespace {

constexpr std::size_t kMostPictures = 4;

std::string base64(const std::string& bytes) {
    std::vector<unsigned char> text(4 * (bytes.size() / 3 + 1) + 1);
    const int length = EVP_EncodeBlock(text.data(), reinterpret_cast<const unsigned char*>(bytes.data()),
                                       static_cast<int>(bytes.size()));
    return {text.begin(), text.begin() + length};
}

// A picture that is missing or cannot be read is left out: an observer may still be writing it.
Section pictures_of(const history::RunRecord& run, std::uintmax_t most_bytes) {
    Section section{.title = "Pictures", .note = "The folder samples/ has those of each epoch."};
    std::uintmax_t bytes = 0;
    std::vector<std::string> names = chosen_pictures(run.history().pictures(), kMostPictures);
    std::ranges::reverse(names);  // the last one is the one to see if not all fit
    for (const std::string& name : names) {
        try {
            const std::optional<std::string> picture = read_picture(run.folder(), name);
            if (picture && bytes + picture->size() <= most_bytes) {
                section.pictures.push_back({.title = name, .source = "data:image/png;base64," + base64(*picture)});
                bytes += picture->size();
            }
        } catch (const Error&) {
            continue;
        }
    }
    std::ranges::reverse(section.pictures);
    if (section.pictures.empty()) {
        section.note.clear();
    }
    return section;
}

}  // namespace

void write_report(const history::RunRecord& run, std::uintmax_t picture_bytes) {
    Page page = run_page(run);
    constexpr std::size_t kAfterCurves = 1;
    page.sections.insert(page.sections.begin() + kAfterCurves, pictures_of(run, picture_bytes));
    write_file_atomically(run.folder() / "report.html", to_html(page));
}

}  // namespace sluice::report
