// A memory-mapped file. Reading it is faster than system calls while its pages are in memory.
#pragma once

#include <atomic>

#include "bytes.hpp"
#include "sluice/sdk/fault_guard.hpp"

namespace sluice::records {

class FileMap {
public:
    // Maps nothing if the host has no fault guard or the system refuses; read() then returns false.
    FileMap(int file, std::uint64_t bytes, const sluice_host* host);
    ~FileMap();
    FileMap(const FileMap&) = delete;
    FileMap& operator=(const FileMap&) = delete;

    // False if the caller has to read the bytes from the file instead: they are not mapped, cannot be read, or recent
    // reads had to wait for the disk. `to` is undefined then. If the file was truncated meanwhile, some bytes may be
    // zeros. [any thread]
    bool read(std::uint8_t* to, std::uint64_t bytes, std::uint64_t offset) const;
    // Prefetches bytes that are read next into the processor's cache.
    void expect(std::uint64_t bytes, std::uint64_t offset) const;

private:
    [[nodiscard]] bool holds(std::uint64_t bytes, std::uint64_t offset) const {
        return offset <= bytes_ && bytes <= bytes_ - offset;
    }

    sdk::FaultGuard guard_;
    const std::uint8_t* begin_ = nullptr;
    std::uint64_t bytes_ = 0;
    // The number of next reads that return false. Threads may lose each other's updates, which causes a few more.
    mutable std::atomic<std::uint32_t> pause_{0};
};

}  // namespace sluice::records
