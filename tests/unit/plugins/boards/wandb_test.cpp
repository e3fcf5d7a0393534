// The observer `wandb`: what a reader of its file finds.
#include "wandb/wandb.hpp"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <protozero/pbf_reader.hpp>

#include "unit/folder_test.hpp"
#include "unit/plugins/boards/board_run.hpp"
#include "unit/plugins/boards/small_disk.hpp"
#include "wandb/transaction_log.hpp"

namespace sluice::observers {
namespace {

namespace fs = std::filesystem;
using tests::BoardRun;
using JsonItems = std::map<std::string, std::string>;

constexpr std::size_t kBlock = 32768;

struct LogRecord {
    std::int64_t number = 0;
    std::uint32_t kind = 0;
    std::string content;
};

LogRecord parse(const std::string& bytes) {
    LogRecord record;
    for (protozero::pbf_reader message(bytes); message.next();) {
        if (message.tag() == 1) {
            record.number = message.get_int64();
        } else {
            record.kind = message.tag();
            record.content = message.get_string();
        }
    }
    return record;
}

// Reads as LevelDB's log is read, apart from the code under test. Stops before a record that is cut off.
std::vector<LogRecord> read_records(const std::string& file) {
    std::vector<LogRecord> records;
    if (file.size() < 7) {
        return records;
    }
    EXPECT_EQ(file.substr(0, 7), std::string(":W&B\xE1\xBE\0", 7));
    std::string record;
    for (std::size_t at = 7; at + 7 <= file.size();) {
        if (kBlock - at % kBlock < 7) {
            at += kBlock - at % kBlock;
            continue;
        }
        std::uint32_t sum = 0;
        std::uint16_t length = 0;
        std::memcpy(&sum, file.data() + at, 4);
        std::memcpy(&length, file.data() + at + 4, 2);
        if (file.size() - at - 7 < length) {
            break;
        }
        EXPECT_EQ(sum, ::crc32(0, reinterpret_cast<const Bytef*>(file.data() + at + 6), length + 1U));
        record += file.substr(at + 7, length);
        if (const char type = file[at + 6]; type == 1 || type == 4) {
            records.push_back(parse(record));
            record.clear();
        }
        at += 7U + length;
    }
    return records;
}

fs::path log_file() {
    for (const auto& entry : fs::directory_iterator("run/wandb")) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("offline-run-")) {
            return entry.path() / ("run-" + name.substr(name.size() - 8) + ".wandb");
        }
    }
    return {};
}

std::vector<LogRecord> records_of(std::uint32_t kind) {
    std::vector<LogRecord> records = read_records(tests::content_of(log_file()));
    std::erase_if(records, [&](const LogRecord& record) { return record.kind != kind; });
    return records;
}

// field: of the items. Keys are plain or nested.
JsonItems items_of(const std::string& content, std::uint32_t field = 1) {
    JsonItems items;
    for (protozero::pbf_reader message(content); message.next();) {
        if (message.tag() != field) {
            message.skip();
            continue;
        }
        std::string key;
        std::string json;
        for (protozero::pbf_reader item = message.get_message(); item.next();) {
            std::string& text = item.tag() == 16 ? json : key;  // get_string() resets the tag
            text = item.get_string();
        }
        EXPECT_EQ(items.count(key), 0U) << key << " is there twice";
        items[key] = json;
    }
    return items;
}

constexpr std::uint32_t kHistory = 2;
constexpr std::uint32_t kSummary = 3;
constexpr std::uint32_t kConfig = 5;
constexpr std::uint32_t kStats = 7;
constexpr std::uint32_t kRun = 17;
constexpr std::uint32_t kExit = 18;
constexpr std::uint32_t kHeader = 21;

std::vector<JsonItems> rows() {
    std::vector<JsonItems> all;
    for (const LogRecord& record : records_of(kHistory)) {
        all.push_back(items_of(record.content));
    }
    return all;
}

std::vector<int> steps_of_rows() {
    std::vector<int> steps;
    for (const JsonItems& row : rows()) {
        steps.push_back(std::stoi(row.at("_step")));
    }
    return steps;
}

std::int64_t exit_code() {
    const auto exits = records_of(kExit);
    if (exits.size() != 1) {
        return -1;
    }
    protozero::pbf_reader exit(exits[0].content);
    return exit.next(1) ? exit.get_int32() : 0;
}

class WandbFiles : public FolderTest {
protected:
    void SetUp() override {
        FolderTest::SetUp();
        fs::create_directory("run");
    }
    static BoardRun begin(std::int64_t first_step = 0) {
        return {tests::open_board<Wandb>({tests::option("project", "ships")}), first_step};
    }
};

TEST_F(WandbFiles, have_a_row_for_each_step_with_its_evaluation) {
    BoardRun run = begin();
    run.steps(1, 3);
    run.evaluation(3, 30.5);
    run.send(SLUICE_EVENT_CHECKPOINT, 3, "last", {});
    run.steps(4, 4);
    run.end(4, "finished");
    EXPECT_EQ(steps_of_rows(), (std::vector<int>{1, 2, 3, 4}));
    const JsonItems row = rows().at(2);
    EXPECT_EQ(row.at("train/loss"), "3");
    EXPECT_EQ(row.at("evaluation/psnr"), "30.5");
    EXPECT_EQ(row.at("epoch"), "1");
    EXPECT_EQ(row.at("_runtime"), "3.000000");
    EXPECT_EQ(rows().at(3).count("evaluation/psnr"), 0U);
    const JsonItems summary = items_of(records_of(kSummary).back().content);
    EXPECT_EQ(summary.at("train/loss"), "4");
    EXPECT_EQ(summary.at("evaluation/psnr"), "30.5");
    EXPECT_EQ(exit_code(), 0);
    std::int64_t number = 0;
    for (const LogRecord& record : read_records(tests::content_of(log_file()))) {
        EXPECT_EQ(record.number, ++number);
    }
    EXPECT_EQ(fs::read_symlink("run/wandb/latest-run"), log_file().parent_path().filename());
}

TEST_F(WandbFiles, name_the_run_and_its_pipeline) {
    write("run/resolved.toml", "seed = 7\n[data]\nbatch = 8\n");
    begin().end(0, "failed");
    EXPECT_EQ(records_of(kHeader).size(), 1U);
    const LogRecord run = records_of(kRun).at(0);
    std::map<std::uint32_t, std::string> fields;
    for (protozero::pbf_reader message(run.content); message.next();) {
        const std::uint32_t field = message.tag();
        fields[field] = message.get_string();
    }
    EXPECT_TRUE(log_file().string().ends_with("run-" + fields.at(1) + ".wandb"));
    EXPECT_EQ(fields.at(3), "ships");
    EXPECT_EQ(fields.at(8), "run");
    EXPECT_EQ(items_of(fields.at(4)), (JsonItems{{"seed", "7"}, {"data", R"({"batch":8})"}}));
    EXPECT_EQ(exit_code(), 1);
}

TEST_F(WandbFiles, write_numbers_that_are_not_finite_as_the_client_does) {
    BoardRun run = begin();
    run.step(1, NAN);
    run.step(2, std::numeric_limits<double>::infinity());
    run.step(3, -std::numeric_limits<double>::infinity());
    run.end(3, "diverged");
    EXPECT_EQ(rows().at(0).at("train/loss"), "NaN");
    EXPECT_EQ(rows().at(1).at("train/loss"), "Infinity");
    EXPECT_EQ(rows().at(2).at("train/loss"), "-Infinity");
}

TEST_F(WandbFiles, have_the_usage_of_the_machine) {
    BoardRun run = begin();
    run.send(SLUICE_EVENT_USAGE, 1, "",
             {{"unix_seconds", 1e9},
              {"step", 1},
              {"cpu", 0.5},
              {"run_queue", 12.5},
              {"resident_bytes", 3 << 20},
              {"gpu1_busy", 0.25},
              {"gpu10_clock_hertz", 1.5e9},
              {"gpu0_limited_heat", 0.5}});
    run.end(1, "finished");
    ASSERT_EQ(records_of(kStats).size(), 1U);
    EXPECT_EQ(items_of(records_of(kStats)[0].content, 3), (JsonItems{{"cpu", "50"},
                                                                     {"run_queue", "12.5"},
                                                                     {"proc.memory.rssMB", "3"},
                                                                     {"gpu.1.gpu", "25"},
                                                                     {"gpu.10.smClock", "1500"},
                                                                     {"gpu0_limited_heat", "0.5"}}));
}

TEST_F(WandbFiles, of_a_resumed_run_continue_without_a_step_twice) {
    write("run/resolved.toml", "seed = 7\n");
    {
        BoardRun run = begin();
        run.steps(1, 20);
        run.end(20, "interrupted");
    }
    const fs::path file = log_file();
    {
        BoardRun run = begin(10);
        run.steps(11, 12);
        run.end(12, "finished");
    }
    EXPECT_EQ(log_file(), file);
    EXPECT_EQ(steps_of_rows(), (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
    EXPECT_EQ(rows().back().at("_runtime"), "12.000000");  // 10 s of the first process and 2 s
    EXPECT_EQ(exit_code(), 0);
    EXPECT_EQ(records_of(kRun).size(), 1U);
    EXPECT_EQ(records_of(kConfig).size(), 1U);
    {
        BoardRun run = begin(12);  // from the last step, whose row is kept, but not the exit
        run.steps(13, 13);
        run.end(13, "finished");
    }
    EXPECT_EQ(steps_of_rows().size(), 13U);
    EXPECT_EQ(exit_code(), 0);
    begin(0).steps(1, 2);  // a run that begins anew in the same folder
    EXPECT_EQ(log_file(), file);
    EXPECT_EQ(records_of(kRun).size(), 1U);
    EXPECT_LE(steps_of_rows().size(), 2U);
}

TEST_F(WandbFiles, that_are_cut_off_anywhere_keep_their_whole_records) {
    {
        BoardRun run = begin();
        run.steps(1, 200);
        run.end(200, "finished");
    }
    const fs::path file = log_file();
    const std::string whole = tests::content_of(file);
    ASSERT_GT(whole.size(), kBlock);  // some record is in several chunks
    for (std::size_t size = 0; size < whole.size(); size += size + 60 >= kBlock && size < kBlock + 60 ? 1 : 97) {
        std::size_t found = 0;
        wandb::read_log(std::string_view(whole).substr(0, size), [&](std::string_view, std::uint64_t end) {
            EXPECT_LE(end, size);
            ++found;
            return true;
        });
        EXPECT_EQ(found, read_records(whole.substr(0, size)).size());
    }
    for (const std::size_t size : {whole.size() - 5, kBlock + 3, kBlock - 1, std::size_t{9000}, std::size_t{5}}) {
        write(file, whole.substr(0, size));
        const std::vector<int> before = steps_of_rows();
        begin(300).steps(301, 301);
        begin(301).end(301, "finished");
        EXPECT_TRUE(std::is_sorted(before.begin(), before.end()));
        EXPECT_EQ(exit_code(), 0) << "cut off at " << size;
        EXPECT_GE(steps_of_rows().size(), before.size());
    }
}

TEST_F(WandbFiles, of_a_killed_run_have_the_summary_of_its_last_row) {
    BoardRun run = begin();
    run.steps(1, 40);  // the row of step 40 is open
    EXPECT_EQ(steps_of_rows().back(), 39);
    EXPECT_EQ(items_of(records_of(kSummary).back().content).at("_step"), "39");
}

TEST_F(WandbFiles, notice_damaged_bytes) {
    {
        BoardRun run = begin();
        run.steps(1, 5);
        run.end(5, "finished");
    }
    const std::string whole = tests::content_of(log_file());
    std::string damaged = whole;
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] + 1);
    std::size_t found = 0;
    wandb::read_log(damaged, [&](std::string_view, std::uint64_t end) {
        EXPECT_LE(end, damaged.size() / 2);
        ++found;
        return true;
    });
    EXPECT_GT(found, 0U);
    EXPECT_LT(found, read_records(whole).size());
}

TEST_F(WandbFiles, stay_small_in_a_long_run) {
    BoardRun run = begin();
    run.steps(1, 100000);
    run.end(100000, "finished");
    EXPECT_EQ(rows().size(), 2000U + 5 * 1000U + 563U);
    EXPECT_LT(fs::file_size(log_file()), 3U << 20);
}

TEST_F(WandbFiles, are_completed_when_a_full_disk_has_room_again) {
    BoardRun run = begin();
    run.steps(1, 5);
    const std::string before = tests::content_of(log_file());
    {
        const tests::SmallDisk small(before.size() + 10);
        EXPECT_THROW(run.send(SLUICE_EVENT_CHECKPOINT, 5, "last", {}), sdk::Failure);
        EXPECT_EQ(tests::content_of(log_file()), before);
    }
    run.steps(6, 7);
    run.end(7, "finished");
    EXPECT_EQ(steps_of_rows(), (std::vector<int>{1, 2, 3, 4, 5, 6, 7}));
}

TEST_F(WandbFiles, begin_again_if_they_are_removed) {
    BoardRun run = begin();
    run.steps(1, 5);
    fs::remove_all("run/wandb");
    run.steps(6, 7);
    run.end(7, "finished");
    EXPECT_EQ(records_of(kRun).size(), 1U);
    EXPECT_EQ(steps_of_rows().back(), 7);
    EXPECT_EQ(exit_code(), 0);
}

}  // namespace
}  // namespace sluice::observers
