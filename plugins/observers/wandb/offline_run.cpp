// The folder of an offline run.
#include "wandb/offline_run.hpp"

#include <algorithm>
#include <ctime>
#include <protozero/exception.hpp>
#include <random>
#include <string_view>
#include <system_error>

#include "files/output_file.hpp"
#include "wandb/log_messages.hpp"
#include "wandb/transaction_log.hpp"

namespace sluice::observers::wandb {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "offline-run-";
constexpr std::size_t kIdLength = 8;

// Readers take two runs of the same id for one run.
std::string new_id() {
    constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
    std::random_device random;
    std::string id;
    while (id.size() < kIdLength) {
        id += kLetters[random() % kLetters.size()];
    }
    return id;
}

std::string time_text(double now) {
    const auto seconds = static_cast<std::time_t>(now);
    std::tm local{};
    ::localtime_r(&seconds, &local);
    char text[32];
    return {text, std::strftime(text, sizeof(text), "%Y%m%d_%H%M%S", &local)};
}

// Returns the newest folder, whose name sorts last; empty: there is none.
fs::path newest_run(const fs::path& folder) {
    fs::path newest;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (name.starts_with(kPrefix) && name.size() > kPrefix.size() + kIdLength && at->path() > newest) {
            newest = at->path();
        }
    }
    return newest;
}

fs::path file_in(const fs::path& run, const std::string& id) { return run / ("run-" + id + ".wandb"); }

void find_kept(OfflineRun& run, std::int64_t first_step) {
    const std::string content = read_file(run.file);
    read_log(content, [&](std::string_view record, std::uint64_t end) {
        try {
            const RecordFacts facts = facts_of(record);
            if (facts.is_exit || facts.step > first_step) {
                return false;
            }
            run.kept = end;
            run.records = facts.number;
            run.runtime = std::max(run.runtime, facts.runtime);
            return true;
        } catch (const protozero::exception&) {
            return false;
        }
    });
}

}  // namespace

OfflineRun find_offline_run(const fs::path& folder, std::int64_t first_step, double now) {
    OfflineRun run;
    if (const fs::path found = newest_run(folder); !found.empty()) {
        const std::string name = found.filename().string();
        run.id = name.substr(name.size() - kIdLength);
        run.file = file_in(found, run.id);
        if (first_step > 0) {
            find_kept(run, first_step);
        }
    } else {
        run.id = new_id();
        run.file = file_in(folder / (std::string(kPrefix) + time_text(now) + "-" + run.id), run.id);
    }
    return run;
}

void link_latest(const OfflineRun& run) {
    const fs::path folder = run.file.parent_path();
    const fs::path link = folder.parent_path() / "latest-run";
    std::error_code error;
    if (fs::is_symlink(link, error)) {
        fs::remove(link, error);
    }
    fs::create_directory_symlink(folder.filename(), link, error);
}

}  // namespace sluice::observers::wandb
