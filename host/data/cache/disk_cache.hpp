// Samples kept on disk, for this run and for later runs with the same data and the same stages before the cache. Each
// writing thread appends to its own file. Samples carry checksums: half-written or damaged samples are never used but
// made again.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "data/cache/cache.hpp"
#include "data/cache/cache_space.hpp"
#include "data/cache/kept_file.hpp"
#include "data/cache/kept_record.hpp"

namespace sluice::data {

class DiskCache final : public SampleCache {
public:
    // Keeps samples below `folder`, in a subfolder for `kind.inputs`. `budget`: bytes of all caches below `folder`, of
    // this run and earlier ones; std::nullopt: what they take now plus half of the free disk.
    // If the budget or the disk is used up, samples for other inputs are removed, least recently used first, except
    // those that a process uses. If the caches exceed a given budget at the start, the oldest own files are removed as
    // well, unless another process uses them. Samples that other processes write are found about a second later.
    // Throws Error(Exit::config) if the folder cannot be written.
    DiskCache(const std::filesystem::path& folder, std::optional<std::uint64_t> budget, const CacheKey& kind,
              std::string purpose);
    ~DiskCache() override;
    DiskCache(const DiskCache&) = delete;
    DiskCache& operator=(const DiskCache&) = delete;

    [[nodiscard]] std::uint64_t bytes_to_read(std::uint64_t index) const override;
    bool find(std::uint64_t index, CachedSample& sample) override;
    void keep(std::uint64_t index, const std::string& name, std::span<const TensorView> fields) override;

private:
    struct File {
        std::filesystem::path path;
        int descriptor;
        std::uint64_t bytes = 0;   // its size when last listed
        std::uint64_t listed = 0;  // of them, in whole records
        bool is_own = false;       // only this object writes to the file
        bool is_old = false;       // it existed when this object was made: its records stay where they are
    };
    struct Place {
        std::size_t file;
        RecordPlace record;
    };

    // Appends to a file of its own. One thread uses a writer at a time.
    struct Writer {
        std::size_t number = 0;                   // of the file, in files_
        File file{.path = {}, .descriptor = -1};  // not open before the first record
        std::uint64_t size = 0;                   // bytes of the file
        KeptRecord record;
    };

    void list_files();
    bool list_samples(const std::filesystem::path& path, bool is_old);
    std::optional<std::size_t> find_or_open(const std::filesystem::path& path, bool is_old);
    void list_new_records();
    [[nodiscard]] bool contains(std::uint64_t index) const;
    std::unique_ptr<Writer> take_writer();
    bool append(std::uint64_t index, Writer& writer);
    bool open_file(Writer& writer);
    void stop_keeping(const std::string& why);
    void forget(std::uint64_t index, const Place& place, bool is_read);
    void keep_copy(std::uint64_t index, const std::string& name, std::span<const TensorView> fields);

    CacheSpace space_;
    std::vector<sluice_tensor_spec> fields_;  // of each sample
    std::string purpose_;
    std::atomic<bool> full_{false};
    std::atomic<std::uint64_t> next_number_{1};  // of a new file; above all others, as the newest copy counts
    std::mutex listing_mutex_;                   // guards listed_at_
    double listed_at_ = 0.0;                     // when the files of other processes were last listed
    mutable std::shared_mutex mutex_;            // guards what follows
    std::vector<File> files_;
    std::unordered_map<std::uint64_t, Place> places_;
    std::vector<std::unique_ptr<Writer>> idle_;
    std::uint64_t damaged_ = 0;  // samples found damaged: the first is logged, and at the end their number
};

}  // namespace sluice::data
