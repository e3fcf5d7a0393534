// Settings of the process, which no plugin may change.
#pragma once

#include <map>
#include <string>

namespace sluice::check {

class ProcessSettings {
public:
    // Reads the present settings, those of threads from the calling thread.
    ProcessSettings();
    // Names the settings that differ: "the handler of SIGINT, the locale"; empty: none.
    [[nodiscard]] std::string changed_in(const ProcessSettings& later) const;

private:
    std::map<std::string, std::string> values_;
};

// Number of threads of this process.
std::size_t thread_count();
// Number of files, pipes and sockets that this process has open.
std::size_t descriptor_count();
// Bytes from malloc() that this process has not freed; 0 if malloc() does not report them.
std::size_t bytes_in_use();

}  // namespace sluice::check
