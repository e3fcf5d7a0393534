// Samples kept on disk, for this run and later ones with the same data and the same stages before the cache. Each
// thread that writes appends to a file of its own; samples carry checksums, so that what a crash, a full disk or
// another process leaves half written, or what is damaged later, is made again and never used.
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
    // Keeps below `folder`, in a folder of its own for `kind.inputs`. `budget`: bytes of all that is kept below
    // `folder`, by this run and earlier ones; nothing: what is there, and half of what is free on the disk now. Where
    // it or the disk is used up, what is kept for other inputs goes, the longest unused first, but nothing that a
    // process uses; where a given one is less than what is there, at once, and then those of the own files that are
    // oldest, unless another process uses them. What others write meanwhile is found a second later. Throws
    // Error(Exit::config) where the folder cannot be written.
    DiskCache(const std::filesystem::path& folder, std::optional<std::uint64_t> budget, const KeptKind& kind,
              std::string purpose);
    ~DiskCache() override;
    DiskCache(const DiskCache&) = delete;
    DiskCache& operator=(const DiskCache&) = delete;

    [[nodiscard]] std::uint64_t bytes_to_read(std::uint64_t index) const override;
    bool find(std::uint64_t index, KeptSample& sample) override;
    void keep(std::uint64_t index, const std::string& name, std::span<const TensorView> fields) override;

private:
    struct File {
        std::filesystem::path path;
        int descriptor;
        std::uint64_t bytes = 0;   // that it had when it was looked at last
        std::uint64_t listed = 0;  // of these, of whole records
        bool is_own = false;       // this one writes to it, and nobody else
        bool is_old = false;       // it was there before: its records stay where they are
    };
    struct Place {
        std::size_t file;
        RecordPlace record;
    };

    // Appends to a file that nobody else writes to.
    struct Writer {
        std::size_t number = 0;                   // of the file
        File file{.path = {}, .descriptor = -1};  // there is none before the first record
        std::uint64_t size = 0;                   // of it
        KeptRecord record;
    };

    void list_files();
    bool list_samples(const std::filesystem::path& path, bool is_old);
    std::optional<std::size_t> find_or_open(const std::filesystem::path& path, bool is_old);
    void look_at_others();
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
    std::atomic<std::uint64_t> next_number_{1};  // of a new file: behind all that are there, as the newest counts
    std::mutex looking_;                         // guards looked_
    double looked_ = 0.0;                        // at what others have written
    mutable std::shared_mutex mutex_;            // guards what follows
    std::vector<File> files_;
    std::unordered_map<std::uint64_t, Place> places_;
    std::vector<std::unique_ptr<Writer>> idle_;
    std::uint64_t damaged_ = 0;  // samples that were found so: the first is told, at the end their number
};

}  // namespace sluice::data
