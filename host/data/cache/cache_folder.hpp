// Where caches on disk keep samples: a folder with one below it for all that depends on the same inputs. Private to
// this folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace sluice::data {

// The one for some inputs. While it lives no process removes that, also not if this one is killed and another holds it.
class CacheFolder {
public:
    // Makes `whole`/HASH, where HASH is that of `inputs`, with a file that says what they are. Where it is there and
    // nobody uses it, it is trimmed first (data/cache/cache_trim.hpp). `purpose` opens messages. Throws
    // Error(Exit::config) where it cannot be written.
    CacheFolder(std::filesystem::path whole, const std::string& inputs, std::string purpose,
                std::optional<std::uint64_t> budget);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    // Bytes of samples that are there for other inputs.
    [[nodiscard]] std::uint64_t others() const;
    // Removes samples for other inputs, those first that were used longest ago, until they take `most` bytes or
    // processes hold all that is left. Returns what they take then.
    std::uint64_t make_room(std::uint64_t most) const;
    // On a full disk: so much of them, at least one folder. False where nothing could be removed.
    [[nodiscard]] bool free_disk(std::uint64_t bytes) const;

private:
    class Hold {
    public:
        // Makes the folder. `alone` is called before, where nobody else holds it.
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
