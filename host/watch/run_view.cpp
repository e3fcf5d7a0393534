#include "watch/run_view.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

#include "history/run_lock.hpp"

namespace sluice::watch {
namespace {

// Returns 3 for "usage-rank-3.csv", else nothing.
std::optional<int> rank_of(const std::string& name) {
    constexpr std::string_view kBegin = "usage-rank-";
    constexpr std::string_view kEnd = ".csv";
    if (!name.starts_with(kBegin) || !name.ends_with(kEnd)) {
        return std::nullopt;
    }
    const char* const end = name.data() + name.size() - kEnd.size();
    int rank = 0;
    const auto [stop, problem] = std::from_chars(name.data() + kBegin.size(), end, rank);
    return problem == std::errc() && stop == end ? std::optional(rank) : std::nullopt;
}

}  // namespace

RunView::RunView(const std::filesystem::path& run) : record_(run) {}

void RunView::update() {
    record_.update();
    std::error_code problem;
    for (std::filesystem::directory_iterator at(record_.folder(), problem), end; !problem && at != end;
         at.increment(problem)) {
        const std::optional<int> rank = rank_of(at->path().filename().string());
        if (rank && std::ranges::find(ranks_, *rank, &Rank::number) == ranks_.end()) {
            ranks_.push_back(
                {.number = *rank, .file = history::GrowingFile(record_.folder(), at->path().filename().string())});
        }
    }
    std::ranges::sort(ranks_, {}, &Rank::number);
    for (Rank& rank : ranks_) {
        const history::GrowingFile::News news = rank.file.read();
        if (news.is_new_file) {
            rank.usage = {};
        }
        for (const std::string& line : news.lines) {
            rank.usage.add_line(line);
        }
    }
    is_alive_ = history::is_alive(record_.folder());
}

}  // namespace sluice::watch
