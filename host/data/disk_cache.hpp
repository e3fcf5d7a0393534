// Samples kept on disk, for this run and later ones with the same data and the same stages before the cache. Each
// process appends to a file of its own; samples carry checksums, so that what a crash, a full disk or another process
// leaves half written, or what is damaged later, is made again and never used.
#pragma once

#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "data/cache.hpp"

namespace sluice::data {

class DiskCache final : public SampleCache {
public:
    // Keeps below `folder`/HASH, where HASH is that of `kind.inputs`. `budget`: bytes of that folder, with what earlier
    // runs have left there; nothing: half of what is free on the disk now. Throws Error(Exit::config) where the folder
    // cannot be written.
    DiskCache(const std::filesystem::path& folder, std::optional<std::uint64_t> budget, const KeptKind& kind,
              std::string purpose);
    ~DiskCache() override;
    DiskCache(const DiskCache&) = delete;
    DiskCache& operator=(const DiskCache&) = delete;

    bool find(std::uint64_t index, KeptSample& sample) override;
    void keep(std::uint64_t index, const std::string& name, std::span<const TensorView> fields) override;

private:
    struct File {
        std::filesystem::path path;
        int descriptor;
    };
    struct Place {
        std::size_t file;
        std::uint64_t offset;
        std::uint64_t bytes;  // of the whole record
    };

    void open_old_files();
    void list_samples(std::size_t file, std::uint64_t size);
    void open_own_file();
    void stop_keeping(const std::string& why);
    void forget(std::uint64_t index, const Place& place);

    std::filesystem::path folder_;
    std::vector<sluice_tensor_spec> fields_;  // of each sample
    std::string purpose_;
    std::uint64_t budget_ = 0;
    std::atomic<bool> full_{false};
    mutable std::shared_mutex mutex_;  // guards what follows
    std::vector<File> files_;
    std::unordered_map<std::uint64_t, Place> places_;
    std::mutex writing_;  // guards what follows, and the end of the own file
    std::optional<std::size_t> own_;
    std::uint64_t own_size_ = 0;
    std::uint64_t used_ = 0;
    std::vector<std::uint8_t> record_;
};

}  // namespace sluice::data
