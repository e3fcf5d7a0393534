// Crops that the source `records` reads from mapped files, while these files change.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <fstream>
#include <sstream>
#include <thread>

#include "pictures.hpp"
#include "unit/datasets/records_test_files.hpp"
#include "unit/datasets/source_test.hpp"

namespace sluice::data {
namespace {

constexpr int kHeight = 300;
constexpr int kWidth = 410;
constexpr int kSide = 64;
constexpr int kPictures = 3;
constexpr const char* kFile = "r/a.records";

class MappedRecords : public SourceTest {
protected:
    void SetUp() override {
        SourceTest::SetUp();
        const std::vector<records::FieldLayout> fields = {{.name = "sharp",
                                                           .role = SLUICE_FIELD_IMAGE,
                                                           .spec = records::spec_of(kUint8, {-1, -1, 3}),
                                                           .tile = {16, 32}}};
        records::TextSink sink;
        records::ShardWriter writer(sink, fields);
        for (int i = 0; i < kPictures; ++i) {
            const test::Picture picture = test::make_picture(kHeight, kWidth, 3, i);
            writer.add(records::pack_sample(
                std::to_string(i) + ".jpg", fields,
                {{.spec = records::spec_of(kUint8, {kHeight, kWidth, 3}), .bytes = picture.pixels.data()}}));
        }
        writer.finish("{}");
        whole_ = sink.text;
        write(kFile, whole_);
    }
    // Crops the middle of each picture.
    static Chain chain() {
        return make_chain(R"(source = { use = "records", path = "r" }
            map = [{ use = "center_crop", size = [64, 64] }])");
    }
    static void expect_crops(const Chain& chain) {
        Chain::Worker worker(chain);
        constexpr int top = (kHeight - kSide) / 2;
        constexpr int left = (kWidth - kSide) / 2;
        for (int i = 0; i < kPictures; ++i) {
            const test::Picture picture = test::make_picture(kHeight, kWidth, 3, i);
            std::vector<std::uint8_t> expected;
            for (int y = top; y < top + kSide; ++y) {
                const auto from = picture.pixels.begin() + (y * kWidth + left) * 3;
                expected.insert(expected.end(), from, from + kSide * 3);
            }
            EXPECT_EQ(bytes_of(worker.make(0, static_cast<std::uint64_t>(i)).fields[0]), expected) << i;
        }
    }
    // Flips a bit in the existing file, which stays mapped.
    static void flip(std::uint64_t at) {
        std::fstream file(kFile, std::ios::in | std::ios::out | std::ios::binary);
        file.seekg(static_cast<std::streamoff>(at));
        const int byte = file.get();
        file.seekp(static_cast<std::streamoff>(at));
        file.put(static_cast<char>(byte ^ 1));
    }
    static std::string failure(const Chain& chain, std::uint64_t sample) {
        return error_of([&] { Chain::Worker(chain).make(0, sample); });
    }
    // Bytes of a tile and of a row of tiles, and the offset in the file of the first tile that the first crop reads.
    static constexpr std::uint64_t kTile = 16 * 32 * 3 + 8;
    static constexpr std::uint64_t kTileRow = kWidth * 16 * 3 + 13 * 8;
    static constexpr std::uint64_t kFrom = 64 + 7 * kTileRow + 5 * kTile;

    std::string whole_;
};

TEST_F(MappedRecords, give_crops) {
    const Chain all = chain();
    expect_crops(all);
    std::ifstream file("/proc/self/maps");
    std::ostringstream maps;
    maps << file.rdbuf();
    EXPECT_NE(maps.str().find(std::filesystem::absolute(kFile).string()), std::string::npos);
}

TEST_F(MappedRecords, that_are_not_in_memory_give_crops) {
    const int file = ::open(kFile, O_RDWR);
    ::fsync(file);
    ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    ::close(file);
    const Chain all = chain();
    for (int i = 0; i < 5; ++i) {
        expect_crops(all);
    }
}

// The end may also lie inside a page. The rest of that page reads as zeros.
TEST_F(MappedRecords, that_are_cut_off_are_named_and_end_nothing) {
    for (const std::uint64_t left : {std::uint64_t{0}, std::uint64_t{100}, std::uint64_t{40960}, kFrom + 2000}) {
        write(kFile, whole_);
        const Chain all = chain();
        expect_crops(all);
        std::filesystem::resize_file(kFile, left);
        expect_contains(failure(all, 0), {"3 ", "(0.jpg)",
                                          std::string(kFile) + ": was cut off since it was opened: of the " +
                                              std::to_string(3 * kTile) + " bytes from byte " + std::to_string(kFrom) +
                                              " on " + std::to_string(left - std::min(left, kFrom)) + " are there"});
        expect_contains(failure(all, 2), {"3 ", "(2.jpg)", "was cut off since it was opened"});
    }
}

TEST_F(MappedRecords, that_are_cut_off_are_named_in_every_thread) {
    const Chain all = chain();
    std::array<std::string, 4> messages;
    std::array<std::thread, 4> threads;
    std::atomic<int> crops = 0;
    for (std::size_t i = 0; i < threads.size(); ++i) {
        threads[i] = std::thread([&, i] {
            messages[i] = error_of([&] {
                Chain::Worker worker(all);
                while (true) {
                    worker.make(0, kPictures - 1);
                    ++crops;
                }
            });
        });
    }
    while (crops < 100) {
        std::this_thread::yield();
    }
    std::filesystem::resize_file(kFile, 4096);
    for (std::size_t i = 0; i < threads.size(); ++i) {
        threads[i].join();
        expect_contains(messages[i], {"3 ", "(2.jpg)", kFile, "was cut off since it was opened"});
    }
}

TEST_F(MappedRecords, with_a_flipped_byte_are_named) {
    const Chain all = chain();
    const std::uint64_t tile = kFrom + 2 * kTileRow + kTile;
    expect_crops(all);
    flip(tile + 5);
    expect_contains(failure(all, 0),
                    {"3 ", "0.jpg", kFile,
                     "the tile at byte " + std::to_string(tile) + " does not fit its checksum (the file says 0x",
                     "in field 'sharp' of sample 0"});
    flip(tile + 5);
    expect_crops(all);
}

}  // namespace
}  // namespace sluice::data
