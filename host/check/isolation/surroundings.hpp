// What belongs to the process, and no plugin may change.
#pragma once

#include <map>
#include <string>

namespace sluice::check {

class Surroundings {
public:
    // As they are now, of the calling thread where that counts.
    Surroundings();
    // "the handler of SIGINT, the locale"; empty where both are the same.
    [[nodiscard]] std::string changed_in(const Surroundings& later) const;

private:
    std::map<std::string, std::string> values_;
};

// Threads of this process.
std::size_t thread_count();
// Files that it has open, and pipes and sockets.
std::size_t descriptor_count();
// Bytes that it has taken from malloc() and not given back.
std::size_t bytes_in_use();

}  // namespace sluice::check
