// A file in mapped memory: faster to read than by system calls while its pages lie in memory.
#pragma once

#include <atomic>

#include "bytes.hpp"
#include "sluice/sdk/fault_guard.hpp"

namespace sluice::records {

class FileMap {
public:
    // Nothing is mapped where the host has no guard, or the system does not map it.
    FileMap(int file, std::uint64_t bytes, const sluice_host* host);
    ~FileMap();
    FileMap(const FileMap&) = delete;
    FileMap& operator=(const FileMap&) = delete;

    // False, and `to` is anything, where the bytes are to be read from the file itself: they are not mapped, or cannot
    // be read, or such reads have lately waited for the disk. Of a file that was cut off meanwhile some may be zeros.
    // For any thread.
    bool read(std::uint8_t* to, std::uint64_t bytes, std::uint64_t offset) const;
    // Has the processor fetch what is read next, while something else is done.
    void expect(std::uint64_t bytes, std::uint64_t offset) const;

private:
    [[nodiscard]] bool holds(std::uint64_t bytes, std::uint64_t offset) const {
        return offset <= bytes_ && bytes <= bytes_ - offset;
    }

    sdk::FaultGuard guard_;
    const std::uint8_t* begin_ = nullptr;
    std::uint64_t bytes_ = 0;
    // Reads to come that go to the file. Threads may lose each other's counts: then there are some more of them.
    mutable std::atomic<std::uint32_t> pause_{0};
};

}  // namespace sluice::records
