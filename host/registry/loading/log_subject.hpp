// Name of what a thread works on, such as a sample. Log lines of plugins get it appended, since plugins do not know it.
#pragma once

#include <string>
#include <string_view>

namespace sluice::registry {

// Sets the subject of the calling thread until destroyed; subjects do not nest. `name` must outlive it. `name` may
// change, and an empty one is not logged.
class LogSubject {
public:
    explicit LogSubject(const std::string& name);
    ~LogSubject();
    LogSubject(const LogSubject&) = delete;
    LogSubject& operator=(const LogSubject&) = delete;

    // The subject of the calling thread; empty if it has none.
    static std::string_view current();
};

}  // namespace sluice::registry
