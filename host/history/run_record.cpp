#include "history/run_record.hpp"

#include <cstddef>
#include <optional>
#include <utility>

#include "history/event_line.hpp"

namespace sluice::history {
namespace {

constexpr std::size_t kMostWarnings = 50;  // so many of the first are kept, and so many of the last

// Lines begin with the time, as in "2026-11-26 22:39:50 W the text".
bool is_warning(const std::string& line) {
    constexpr std::size_t kLevel = 20;
    return line.size() > kLevel + 1 && (line[kLevel] == 'W' || line[kLevel] == 'E') && line[kLevel + 1] == ' ';
}

}  // namespace

RunRecord::RunRecord(std::filesystem::path folder)
    : folder_(std::move(folder)),
      events_file_(folder_, "events.jsonl"),
      usage_file_(folder_, "usage.csv"),
      log_file_(folder_, "log.txt") {}

bool RunRecord::update() {
    const bool has_events = read(events_file_, &RunRecord::take_events);
    const bool has_usage = read(usage_file_, &RunRecord::take_usage);
    const bool has_log = read(log_file_, &RunRecord::take_log);
    return has_events || has_usage || has_log;
}

bool RunRecord::read(GrowingFile& file, void (RunRecord::*take)(const GrowingFile::News&)) {
    bool has_news = false;
    for (GrowingFile::News news{.has_more = true}; news.has_more;) {
        news = file.read();
        (this->*take)(news);
        has_news = has_news || news.is_new_file || !news.lines.empty();
    }
    return has_news;
}

std::string RunRecord::name() const {
    const std::filesystem::path whole = std::filesystem::absolute(folder_).lexically_normal();
    return whole.has_filename() ? whole.filename().string() : whole.parent_path().filename().string();
}

std::vector<std::string> RunRecord::warnings() const {
    std::vector<std::string> all = first_warnings_;
    all.insert(all.end(), last_warnings_.begin(), last_warnings_.end());
    return all;
}

void RunRecord::take_events(const GrowingFile::News& news) {
    if (news.is_new_file) {
        history_ = {};
    }
    for (const std::string& line : news.lines) {
        if (const std::optional<EventLine> event = parse_event(line)) {
            history_.add(*event);
        }
    }
}

void RunRecord::take_usage(const GrowingFile::News& news) {
    if (news.is_new_file) {
        usage_ = {};
    }
    for (const std::string& line : news.lines) {
        usage_.add_line(line);
    }
}

void RunRecord::take_log(const GrowingFile::News& news) {
    if (news.is_new_file) {
        first_warnings_.clear();
        last_warnings_.clear();
        warning_count_ = 0;
    }
    for (const std::string& line : news.lines) {
        if (!is_warning(line)) {
            continue;
        }
        ++warning_count_;
        if (first_warnings_.size() < kMostWarnings) {
            first_warnings_.push_back(line);
            continue;
        }
        last_warnings_.push_back(line);
        if (last_warnings_.size() > kMostWarnings) {
            last_warnings_.erase(last_warnings_.begin());
        }
    }
}

}  // namespace sluice::history
