// Chains with a cache on disk in the folder "kept", and functions that examine it.
#pragma once

#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "data/cache/kept_record.hpp"
#include "unit/data/data_test_chain.hpp"
#include "unit/folder_test.hpp"

namespace sluice::data {

namespace fs = std::filesystem;

inline constexpr const char* kMap =
    R"(map = [{ use = "test_noise" }, { use = "cache", in = "disk", folder = "kept" }, { use = "test_sum" }])";

inline std::string chain_text(const std::string& more = "", const std::string& map = kMap) {
    return "source = { use = \"test_numbers\", length = 10" + more + " }\n" + map;
}

inline std::string with_budget(std::uint64_t bytes) {
    return chain_text("",
                      R"(map = [{ use = "test_noise" }, { use = "cache", in = "disk", folder = "kept", budget = ")" +
                          std::to_string(bytes) + R"( B" }, { use = "test_sum" }])");
}

// Returns a record as it lies in a file.
inline std::string record_of(std::uint64_t index, const std::string& name, std::span<const TensorView> fields) {
    KeptRecord record;
    make_record(index, name, fields, record);
    std::string bytes;
    for (const std::span<const std::uint8_t> part : record.parts) {
        bytes.append(part.begin(), part.end());
    }
    return bytes;
}

class DiskCacheTest : public FolderTest {
protected:
    // Returns the number of samples that the source had to read in one epoch, and the epoch's bytes.
    static std::pair<std::uint64_t, std::string> epoch(const std::string& text, std::uint64_t seed = 7) {
        return epoch_of(make_chain(text, seed));
    }
    static std::pair<std::uint64_t, std::string> epoch_of(const Chain& chain) {
        Loader loader(chain, {.batch = 10, .workers = 1, .one_pass = true, .fields = {"image", "label", "sum"}});
        std::string bytes = dump(loader.next());
        return {loader.figures().stages[0].sum.samples, std::move(bytes)};
    }
    // Expects a single file with samples and returns it.
    static fs::path file() {
        std::vector<fs::path> files;
        for (const auto& entry : fs::recursive_directory_iterator("kept")) {
            if (entry.path().extension() == ".samples") {
                files.push_back(entry.path());
            }
        }
        EXPECT_EQ(files.size(), 1U);
        return files.empty() ? fs::path() : files.front();
    }
    static void flip_byte(const fs::path& path, std::uint64_t at) {
        std::fstream bytes(path, std::ios::in | std::ios::out | std::ios::binary);
        bytes.seekg(static_cast<std::streamoff>(at));
        const char old = static_cast<char>(bytes.get());
        bytes.seekp(static_cast<std::streamoff>(at));
        bytes.put(static_cast<char>(old ^ 0x20));
    }
};

}  // namespace sluice::data
