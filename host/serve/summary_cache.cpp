#include "serve/summary_cache.hpp"

#include <system_error>

#include "history/run_lock.hpp"

namespace sluice::serve {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::vector<history::RunSummary> SummaryCache::list() {
    std::map<fs::path, Entry> entries;
    std::vector<history::RunSummary> runs;
    for (const fs::path& run : history::find_runs(folder_)) {
        const fs::path events = run / "events.jsonl";
        std::error_code problem;
        Entry now{.written = fs::last_write_time(events, problem), .is_alive = history::is_alive(run)};
        if (!problem) {
            now.size = fs::file_size(events, problem);
        }
        const auto known = entries_.find(run);
        if (!problem && known != entries_.end() && known->second.written == now.written &&
            known->second.size == now.size && known->second.is_alive == now.is_alive) {
            now.summary = std::move(known->second.summary);
            now.summary.age = history::age_of(events);
        } else {
            now.summary = history::summarize(run);
            now.summary.name = history::name_in(run, folder_);
        }
        runs.push_back(now.summary);
        entries.emplace(run, std::move(now));
    }
    entries_ = std::move(entries);
    history::sort_by_age(runs);
    return runs;
}

}  // namespace sluice::serve
