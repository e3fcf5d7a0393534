#include "observe/usage/thread_meter.hpp"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

namespace sluice::observe {
namespace {

constexpr int kReadsBetweenLists = 10;  // a thread may get its name after it was listed
constexpr std::size_t kMostThreads = 1024;

std::uint64_t links_of(const std::filesystem::path& folder) {
    struct stat status {};
    return ::stat(folder.c_str(), &status) == 0 ? status.st_nlink : 0;
}

// Returns the numbers of the folders in `tasks`, sorted.
std::vector<pid_t> ids_in(const std::filesystem::path& tasks) {
    std::vector<pid_t> ids;
    const auto close = [](DIR* folder) { ::closedir(folder); };
    const std::unique_ptr<DIR, decltype(close)> folder(::opendir(tasks.c_str()), close);
    while (folder != nullptr && ids.size() < kMostThreads) {
        const dirent* const entry = ::readdir(folder.get());
        if (entry == nullptr) {
            break;
        }
        const std::string_view name(static_cast<const char*>(entry->d_name));
        pid_t id = 0;
        if (std::from_chars(name.data(), name.data() + name.size(), id).ec == std::errc()) {
            ids.push_back(id);
        }
    }
    std::ranges::sort(ids);
    return ids;
}

std::string name_in(const std::filesystem::path& folder, ProcBuffer& buffer) {
    std::string_view name = ProcFile(folder / "comm").read(buffer);
    name.remove_suffix(name.ends_with('\n') ? 1 : 0);
    return std::string(name);
}

}  // namespace

// The folder of the process, above that of its tasks, has the name of its first thread.
ThreadMeter::ThreadMeter(std::filesystem::path tasks) : tasks_(std::move(tasks)) {
    const auto buffer = std::make_unique<ProcBuffer>();
    process_name_ = name_in(tasks_.parent_path(), *buffer);
    read(0.0, *buffer);
}

const ThreadSums& ThreadMeter::read(double seconds, ProcBuffer& buffer) {
    const std::uint64_t links = links_of(tasks_);
    if (must_list_ || links != listed_links_ || ++reads_since_list_ >= kReadsBetweenLists) {
        list(buffer);
        listed_links_ = links;
    }
    sums_.is_known = false;
    for (Thread& thread : threads_) {
        thread.is_there = add(thread, seconds, buffer);
        must_list_ = must_list_ || !thread.is_there;
        sums_.is_known = sums_.is_known || thread.is_there;
    }
    std::erase_if(threads_, [](const Thread& thread) { return !thread.is_there; });
    is_first_ = false;
    return sums_;
}

void ThreadMeter::list(ProcBuffer& buffer) {
    must_list_ = false;
    reads_since_list_ = 0;
    std::vector<Thread> before = std::exchange(threads_, {});
    for (const pid_t id : ids_in(tasks_)) {
        const std::filesystem::path folder = tasks_ / std::to_string(id);
        const ThreadClass kind = class_of_thread(name_in(folder, buffer), process_name_);
        const auto known = std::ranges::find(before, id, &Thread::id);
        if (known != before.end()) {
            known->kind = kind;
            threads_.push_back(std::move(*known));
            continue;
        }
        Thread thread{.id = id, .schedstat = ProcFile(folder / "schedstat"), .kind = kind};
        if (thread.schedstat.is_open()) {
            threads_.push_back(std::move(thread));
        }
    }
}

// "CPU time, time in the run queue, number of time slices". Threads that ran before the first read() have used their
// time before the run.
bool ThreadMeter::add(Thread& thread, double seconds, ProcBuffer& buffer) {
    const std::string_view text = thread.schedstat.read(buffer);
    std::size_t at = 0;
    const auto cpu = next_number(text, at);
    const auto queued = next_number(text, at);
    if (!cpu || !queued) {
        return false;
    }
    if (!is_first_) {
        sums_.cpu[static_cast<std::size_t>(thread.kind)] +=
            1e-9 * static_cast<double>(*cpu - std::min(*cpu, thread.cpu));
        sums_.queued[static_cast<std::size_t>(thread.kind)] +=
            std::min(seconds, 1e-9 * static_cast<double>(*queued - std::min(*queued, thread.queued)));
    }
    thread.cpu = *cpu;
    thread.queued = *queued;
    return true;
}

}  // namespace sluice::observe
