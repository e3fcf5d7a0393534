// Watches the allocations of one plugin: those that its own library makes by malloc() and its like and by operator new.
// Allocations of the host and of libraries that the plugin uses do not count. An allocation can be made to fail, as if
// memory ran out. held() reports blocks that nobody has freed yet.
#pragma once

#include <cstddef>

#include "check/isolation/replaced_functions.hpp"

namespace sluice::check {

class PluginAllocations {
public:
    // Watches the library that contains `address`, from now on. Only one object may exist at a time.
    explicit PluginAllocations(const void* address);
    ~PluginAllocations();
    PluginAllocations(const PluginAllocations&) = delete;
    PluginAllocations& operator=(const PluginAllocations&) = delete;

    // Makes one allocation fail, after `others` more have succeeded. Resets count().
    static void fail_after(std::size_t others);
    // Lets all allocations succeed from now on. Resets count().
    static void fail_none();
    // Number of allocations since the last fail_after() or fail_none().
    static std::size_t count();

    // Blocks of the plugin that are allocated now.
    struct Held {
        std::size_t blocks = 0;
        std::size_t bytes = 0;
    };
    static Held held();

private:
    ReplacedFunctions replaced_;
};

}  // namespace sluice::check
