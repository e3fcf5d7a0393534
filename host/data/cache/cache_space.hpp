// The disk space of a cache: bytes used by its own samples and by those for other inputs, within a budget. Private to
// this folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "data/cache/cache_subfolder.hpp"

namespace sluice::data {

// [any thread], except open().
class CacheSpace {
public:
    // Opens the folder for `inputs` below `whole` (see CacheSubfolder). `budget`: bytes of all caches below `whole`;
    // std::nullopt: what they take now plus half of the free disk.
    CacheSpace(const std::filesystem::path& whole, const std::string& inputs, const std::string& purpose,
               std::optional<std::uint64_t> budget);

    [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }
    // Adds `bytes` of samples that were found in the own folder.
    void add_found(std::uint64_t bytes);
    // Sets the budget. Call it after add_found() for all existing files. If a given budget is exceeded, removes samples
    // for other inputs at once.
    void open();
    [[nodiscard]] std::uint64_t used() const;
    [[nodiscard]] std::uint64_t others() const;
    [[nodiscard]] std::uint64_t budget() const;

    // Reserves `bytes` of the budget; removes samples for other inputs if needed. False if the budget is used up.
    [[nodiscard]] bool reserve(std::uint64_t bytes);
    // Returns reserved bytes that were not written.
    void release(std::uint64_t bytes);
    // Calls write(), and on a full disk removes samples for other inputs and tries again. False if that does not free
    // enough for `bytes`; errno has the reason.
    [[nodiscard]] bool write_or_free_disk(std::uint64_t bytes, const std::function<bool()>& write);

private:
    const CacheSubfolder folder_;
    const std::optional<std::uint64_t> given_;
    mutable std::mutex mutex_;  // guards what follows
    std::uint64_t budget_ = 0;
    std::uint64_t used_ = 0;    // bytes in the own folder
    std::uint64_t others_ = 0;  // bytes in the folders for other inputs, when last measured
};

}  // namespace sluice::data
