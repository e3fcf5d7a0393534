#include "history/growing_file.hpp"

#include <algorithm>
#include <string_view>

#include "history/run_file.hpp"

namespace sluice::history {
namespace {

constexpr std::uint64_t kBlock = std::uint64_t{16} << 20U;       // bytes that are read at a time
constexpr std::uint64_t kLongestLine = std::uint64_t{1} << 20U;  // bytes
constexpr std::uint64_t kBeginning = 1024;                       // bytes by which a file is known again

}  // namespace

GrowingFile::News GrowingFile::read() {
    const RunFile file(run_, name_);
    News news;
    const bool is_same = file.is_there() && file.inode() == inode_ && file.size() >= offset_ &&
                         file.read(0, beginning_.size()) == beginning_;
    if (!is_same) {
        news.is_new_file = offset_ > 0;
        inode_ = file.inode();
        offset_ = 0;
        beginning_.clear();
        skips_long_line_ = false;
    }
    if (!file.is_there() || file.size() == offset_) {
        return news;
    }
    const std::string text = file.read(offset_, std::min(kBlock, file.size() - offset_));
    std::string_view rest = text;
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
        if (!skips_long_line_) {
            news.lines.emplace_back(rest.substr(0, end));
        }
        skips_long_line_ = false;
        rest.remove_prefix(end + 1);
    }
    if (rest.size() > kLongestLine) {
        skips_long_line_ = true;
        rest = {};
    }
    offset_ += text.size() - rest.size();
    if (beginning_.size() < kBeginning) {
        beginning_ = file.read(0, std::min(kBeginning, offset_));
    }
    news.has_more = text.size() == kBlock;
    return news;
}

}  // namespace sluice::history
