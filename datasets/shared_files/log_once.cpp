#include "log_once.hpp"

#include <mutex>
#include <set>

namespace sluice::shared_files {
namespace {

bool is_new(const std::string& message) {
    static std::mutex mutex;
    static std::set<std::string> logged;
    const std::lock_guard lock(mutex);
    return logged.insert(message).second;
}

}  // namespace

void info_once(const sdk::Host& host, const std::string& message) {
    if (is_new(message)) {
        host.info(message);
    }
}

void warn_once(const sdk::Host& host, const std::string& message) {
    if (is_new(message)) {
        host.warn(message);
    }
}

}  // namespace sluice::shared_files
