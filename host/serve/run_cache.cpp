#include "serve/run_cache.hpp"

#include <algorithm>
#include <vector>

#include "history/run_summary.hpp"

namespace sluice::serve {
namespace {

constexpr std::size_t kMostRuns = 32;

}  // namespace

const RunCache::Entry* RunCache::find(const std::string& name) {
    const auto known = std::ranges::find(entries_, name, &Entry::name);
    if (known != entries_.end()) {
        entries_.splice(entries_.begin(), entries_, known);
    } else {
        const std::optional<std::filesystem::path> run = folder_of(name);
        if (!run) {
            return nullptr;
        }
        entries_.push_front({.name = name, .record = history::RunRecord(*run)});
        if (entries_.size() > kMostRuns) {
            entries_.pop_back();
        }
    }
    Entry& entry = entries_.front();
    if (!history::is_run(entry.record.folder())) {
        entries_.pop_front();  // the user has removed it
        return nullptr;
    }
    if (entry.record.update() || entry.version == 0) {
        entry.version = ++versions_;
    }
    return &entry;
}

// Only names that the list of runs has are right, so that no name can lead anywhere else.
std::optional<std::filesystem::path> RunCache::folder_of(const std::string& name) const {
    const std::vector<std::filesystem::path> runs = history::find_runs(folder_);
    const auto found = std::ranges::find_if(
        runs, [&](const std::filesystem::path& run) { return history::name_in(run, folder_) == name; });
    return found == runs.end() ? std::nullopt : std::optional(*found);
}

}  // namespace sluice::serve
