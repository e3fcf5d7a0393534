// The allocations of one plugin: those that its library asks for itself, by malloc() and its like and operator new. Not
// those of the host, nor of libraries that it uses. They can be made to fail, as they do where memory runs out, and it
// is known what was not given back, whoever had to.
#pragma once

#include <cstddef>

#include "check/isolation/replaced_functions.hpp"

namespace sluice::check {

class PluginAllocations {
public:
    // Of the library that `address` lies in, from now on. One at a time.
    explicit PluginAllocations(const void* address);
    ~PluginAllocations();
    PluginAllocations(const PluginAllocations&) = delete;
    PluginAllocations& operator=(const PluginAllocations&) = delete;

    // From now on one fails: after so many others.
    static void fail_after(std::size_t others);
    // From now on none does.
    static void fail_none();
    // Of either call: how many there were since.
    static std::size_t count();

    // What is allocated now.
    struct Held {
        std::size_t blocks = 0;
        std::size_t bytes = 0;
    };
    static Held held();

private:
    ReplacedFunctions replaced_;
};

}  // namespace sluice::check
