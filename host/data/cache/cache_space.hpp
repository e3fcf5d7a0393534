// The space of a cache on disk: what its own samples and those for other inputs take, and which of these may go.
// Private to this folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "data/cache/cache_folder.hpp"

namespace sluice::data {

// [any thread], but for open().
class CacheSpace {
public:
    // The folder for `inputs` below `whole`, as CacheFolder makes it. `budget`: bytes of all that is kept below
    // `whole`; nothing: what is there, and half of what is free on the disk.
    CacheSpace(const std::filesystem::path& whole, const std::string& inputs, const std::string& purpose,
               std::optional<std::uint64_t> budget);

    [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }
    // So many bytes more lie in the own folder than was known.
    void add_found(std::uint64_t bytes);
    // Sets the budget, once add_found() has had what is there; a given budget that is exceeded is kept to at once.
    void open();
    [[nodiscard]] std::uint64_t used() const;
    [[nodiscard]] std::uint64_t others() const;
    [[nodiscard]] std::uint64_t budget() const;

    // So many bytes of the budget are used from now on, if need be those of other inputs. False if it is used up.
    [[nodiscard]] bool reserve(std::uint64_t bytes);
    // They were not written.
    void release(std::uint64_t bytes);
    // Calls write() until it succeeds. On a full disk what is kept for other inputs goes; false if that is not enough
    // for `bytes`, and errno says why.
    [[nodiscard]] bool write_where_room(std::uint64_t bytes, const std::function<bool()>& write);

private:
    const CacheFolder folder_;
    const std::optional<std::uint64_t> given_;
    mutable std::mutex mutex_;  // guards what follows
    std::uint64_t budget_ = 0;
    std::uint64_t used_ = 0;    // bytes in the own folder
    std::uint64_t others_ = 0;  // bytes in those for other inputs, when that was looked at last
};

}  // namespace sluice::data
