// The folders of disk caches: a root with one subfolder for each set of inputs. Private to this folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace sluice::data {

// The subfolder for one set of inputs. No process removes the subfolder while any process has such an object. If a
// process is killed, its hold ends and those of the others stay.
class CacheSubfolder {
public:
    // Creates `whole`/HASH, the hash of `inputs`, with a file that holds `inputs`. If the subfolder exists and no
    // process uses it, it is trimmed to `budget` first (data/cache/cache_trim.hpp). `purpose` opens messages. Throws
    // Error(Exit::config) if the subfolder cannot be written.
    CacheSubfolder(std::filesystem::path whole, const std::string& inputs, std::string purpose,
                   std::optional<std::uint64_t> budget);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    // Bytes of cached samples for other inputs.
    [[nodiscard]] std::uint64_t others() const;
    // Removes samples for other inputs, least recently used first, until they take at most `most` bytes or processes
    // use all the rest. Returns the bytes that remain.
    std::uint64_t make_room(std::uint64_t most) const;
    // Called on a full disk. Removes at least `bytes` of samples for other inputs, one folder at least. False if
    // nothing could be removed.
    [[nodiscard]] bool free_disk(std::uint64_t bytes) const;

private:
    class Hold {
    public:
        // Creates the folder, calls `alone` if no other process holds it, and then holds it.
        Hold(const std::filesystem::path& folder, const std::function<void()>& alone);
        ~Hold();
        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;

    private:
        int handle_;
    };

    std::filesystem::path whole_;
    std::filesystem::path path_;
    std::string purpose_;
    Hold hold_;
};

}  // namespace sluice::data
