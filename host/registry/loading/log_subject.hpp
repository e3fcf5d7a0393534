// What a thread works at: lines that plugins log meanwhile name it, since they are not given its name.
#pragma once

#include <string>
#include <string_view>

namespace sluice::registry {

// One at a time in a thread. `name` has to live longer; it may change, and is left out while it is empty.
class LogSubject {
public:
    explicit LogSubject(const std::string& name);
    ~LogSubject();
    LogSubject(const LogSubject&) = delete;
    LogSubject& operator=(const LogSubject&) = delete;

    // Of the calling thread; empty if it has none.
    static std::string_view current();
};

}  // namespace sluice::registry
