// The observer `tensorboard`: what a reader of its event files finds.
#include "tensorboard/tensorboard.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <protozero/pbf_reader.hpp>

#include "tfrecord_frames/crc32c.hpp"
#include "unit/folder_test.hpp"
#include "unit/plugins/boards/board_run.hpp"
#include "unit/plugins/boards/small_disk.hpp"

namespace sluice::observers {
namespace {

namespace fs = std::filesystem;
using tests::BoardRun;

struct Value {
    std::string tag;
    double scalar = 0.0;
    std::string image;
    std::string text;
    std::string buckets;
    std::string plugin;
    std::string content;
};

struct Event {
    double wall_time = 0.0;
    std::int64_t step = 0;
    std::string version;
    bool is_restart = false;
    std::vector<Value> values;
};

std::string string_at(protozero::pbf_reader message, std::uint32_t field) {
    std::string text;
    while (message.next()) {
        if (message.tag() == field) {
            text = message.get_string();
        } else {
            message.skip();
        }
    }
    return text;
}

Value read_value(protozero::pbf_reader message) {
    Value value;
    while (message.next()) {
        switch (message.tag()) {
            case 1:
                value.tag = message.get_string();
                break;
            case 2:
                value.scalar = static_cast<double>(message.get_float());
                break;
            case 4:
                value.image = string_at(message.get_message(), 4);
                break;
            case 8: {
                const protozero::pbf_reader tensor = message.get_message();
                value.text = string_at(tensor, 8);
                value.buckets = string_at(tensor, 4);
                break;
            }
            case 9: {
                const std::string plugin = string_at(message.get_message(), 1);
                value.plugin = string_at(protozero::pbf_reader(plugin), 1);
                value.content = string_at(protozero::pbf_reader(plugin), 2);
                break;
            }
            default:
                message.skip();
        }
    }
    return value;
}

Event read_event(const std::string& record) {
    Event event;
    for (protozero::pbf_reader message(record); message.next();) {
        switch (message.tag()) {
            case 1:
                event.wall_time = message.get_double();
                break;
            case 2:
                event.step = message.get_int64();
                break;
            case 3:
                event.version = message.get_string();
                break;
            case 5:
                for (protozero::pbf_reader summary = message.get_message(); summary.next(1);) {
                    event.values.push_back(read_value(summary.get_message()));
                }
                break;
            case 7:
                event.is_restart = true;
                message.skip();
                break;
            default:
                message.skip();
        }
    }
    return event;
}

std::uint32_t masked_sum(const std::string& bytes) {
    return tfrecord_frames::masked_crc32c({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

// Returns the whole events. Stops before one that is cut off, and fails the test if a checksum is wrong.
std::vector<Event> read_events(const std::string& file) {
    std::vector<Event> events;
    for (std::size_t at = 0; at + 16 <= file.size();) {
        std::uint64_t length = 0;
        std::uint32_t sum = 0;
        std::memcpy(&length, file.data() + at, 8);
        std::memcpy(&sum, file.data() + at + 8, 4);
        EXPECT_EQ(sum, masked_sum(file.substr(at, 8)));
        if (file.size() - at < length + 16) {
            break;
        }
        const std::string record = file.substr(at + 12, length);
        std::memcpy(&sum, file.data() + at + 12 + length, 4);
        EXPECT_EQ(sum, masked_sum(record));
        events.push_back(read_event(record));
        at += length + 16;
    }
    return events;
}

std::vector<fs::path> event_files() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator("run/tensorboard")) {
        files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<Event> all_events() {
    std::vector<Event> events;
    for (const fs::path& file : event_files()) {
        for (Event& event : read_events(tests::content_of(file))) {
            events.push_back(std::move(event));
        }
    }
    return events;
}

// Steps and values of a tag, in the order of the files.
std::vector<std::pair<std::int64_t, double>> curve(const std::string& tag) {
    std::vector<std::pair<std::int64_t, double>> points;
    for (const Event& event : all_events()) {
        for (const Value& value : event.values) {
            if (value.tag == tag) {
                points.emplace_back(event.step, value.scalar);
            }
        }
    }
    return points;
}

std::map<std::string, Value> last_values() {
    std::map<std::string, Value> last;
    for (const Event& event : all_events()) {
        for (const Value& value : event.values) {
            last[value.tag] = value;
        }
    }
    return last;
}

class TensorBoardFiles : public FolderTest {
protected:
    void SetUp() override {
        FolderTest::SetUp();
        fs::create_directory("run");
    }
    static BoardRun begin(std::int64_t first_step = 0, bool histograms = false) {
        return {tests::open_board<TensorBoard>({tests::option("histograms", SLUICE_BOOL, histograms ? 1 : 0),
                                                tests::option("samples", SLUICE_INT, 2)}),
                first_step};
    }
};

TEST_F(TensorBoardFiles, have_curves_of_steps_and_evaluations) {
    BoardRun run = begin();
    run.steps(1, 3);
    run.evaluation(3, 30.5);
    run.send(SLUICE_EVENT_USAGE, 3, "", {{"cpu", 150.0}});
    run.end(3, "finished");
    const auto files = event_files();
    ASSERT_EQ(files.size(), 1U);
    EXPECT_TRUE(files[0].filename().string().starts_with("events.out.tfevents."));
    EXPECT_TRUE(files[0].filename().string().ends_with(".0"));
    const std::vector<Event> events = all_events();
    EXPECT_EQ(events.at(0).version, "brain.Event:2");
    EXPECT_EQ(curve("train/loss"), (std::vector<std::pair<std::int64_t, double>>{{1, 1.0}, {2, 2.0}, {3, 3.0}}));
    EXPECT_EQ(curve("time/step_seconds").size(), 3U);
    EXPECT_EQ(curve("evaluation/psnr"), (std::vector<std::pair<std::int64_t, double>>{{3, 30.5}}));
    EXPECT_EQ(curve("usage/cpu"), (std::vector<std::pair<std::int64_t, double>>{{3, 150.0}}));
    EXPECT_NEAR(events.back().wall_time - events.front().wall_time, 3.0, 0.001);
}

TEST_F(TensorBoardFiles, keep_numbers_that_are_not_finite) {
    BoardRun run = begin();
    run.step(1, NAN);
    run.step(2, std::numeric_limits<double>::infinity());
    run.end(2, "diverged");
    const auto points = curve("train/loss");
    ASSERT_EQ(points.size(), 2U);
    EXPECT_TRUE(std::isnan(points[0].second));
    EXPECT_EQ(points[1].second, std::numeric_limits<double>::infinity());
}

TEST_F(TensorBoardFiles, have_the_pipeline_and_hyperparameters) {
    write("run/resolved.toml",
          "seed = 7\n[data]\nbatch = 8\nworkers = 2\n[optimizer]\nuse = \"adam\"\nrate = 0.5\n"
          "[train]\nema = true\n[model]\ninput = \"blurred\"\n");
    write("run/plan.txt", "conv2d 3x3\n");
    begin().end(0, "finished");
    const auto values = last_values();
    EXPECT_EQ(values.at("pipeline").plugin, "text");
    EXPECT_TRUE(values.at("pipeline").text.starts_with("````toml\nseed = 7\n"));
    EXPECT_EQ(values.at("plan").text, "````\nconv2d 3x3\n````\n");
    const Value& start = values.at("_hparams_/session_start_info");
    EXPECT_EQ(start.plugin, "hparams");
    std::map<std::string, std::string> parameters;
    const std::string session = string_at(protozero::pbf_reader(start.content), 3);
    for (protozero::pbf_reader info(session); info.next();) {
        if (info.tag() != 1) {
            info.skip();
            continue;
        }
        const protozero::pbf_reader entry = info.get_message();
        const std::string encoded = string_at(entry, 2);
        protozero::pbf_reader value(encoded);
        ASSERT_TRUE(value.next());
        parameters[string_at(entry, 1)] = value.tag() == 2   ? std::to_string(value.get_double())
                                          : value.tag() == 3 ? value.get_string()
                                                             : std::to_string(value.get_bool());
    }
    EXPECT_EQ(parameters, (std::map<std::string, std::string>{{"data.batch", "8.000000"},
                                                              {"optimizer.rate", "0.500000"},
                                                              {"optimizer.use", "adam"},
                                                              {"seed", "7.000000"},
                                                              {"train.ema", "1"}}));
    const std::string ended = string_at(protozero::pbf_reader(values.at("_hparams_/session_end_info").content), 4);
    protozero::pbf_reader end(ended);
    ASSERT_TRUE(end.next(1));
    EXPECT_EQ(end.get_enum(), 1);  // STATUS_SUCCESS
}

TEST_F(TensorBoardFiles, go_without_a_pipeline_that_cannot_be_parsed) {
    write("run/resolved.toml", "seed = \n");
    BoardRun run = begin();
    run.steps(1, 2);
    run.end(2, "finished");
    EXPECT_EQ(curve("train/loss").size(), 2U);
    EXPECT_EQ(last_values().count("pipeline"), 0U);
}

TEST_F(TensorBoardFiles, have_samples_as_png) {
    std::vector<std::uint8_t> pixels(2 * 4 * 4 * 3, 7);
    const std::int64_t shape[] = {2, 4, 4, 3};
    const std::int64_t strides[] = {48, 12, 3, 1};
    const sluice_tensor tensor{pixels.data(), {SLUICE_DEVICE_CPU, 0}, 4, sdk::kUint8, shape, strides, 0};
    BoardRun run = begin();
    run.send(SLUICE_EVENT_SAMPLES, 0, "batch_0", {}, {{sdk::text_of("input"), tensor}});
    run.send(SLUICE_EVENT_SAMPLES, 5, "epoch_001", {}, {{sdk::text_of("output"), tensor}});
    run.end(5, "finished");
    const auto values = last_values();
    EXPECT_TRUE(values.at("samples/batch_0").image.starts_with("\x89PNG"));
    EXPECT_TRUE(values.at("samples/evaluation").image.starts_with("\x89PNG"));
}

TEST_F(TensorBoardFiles, have_histograms_only_on_request) {
    EXPECT_EQ(tests::open_board<TensorBoard>(
                  {tests::option("histograms", SLUICE_BOOL, 0), tests::option("samples", SLUICE_INT, 0)})
                      ->wants() &
                  (1U << SLUICE_EVENT_WEIGHTS | 1U << SLUICE_EVENT_SAMPLES),
              0U);
    std::vector<float> weights{0.0F, 1.0F, 2.0F, 3.0F, NAN};
    const std::int64_t shape[] = {5};
    const std::int64_t strides[] = {1};
    const sluice_tensor tensor{weights.data(), {SLUICE_DEVICE_CPU, 0}, 1, sdk::kFloat32, shape, strides, 0};
    BoardRun run = begin(0, true);
    run.send(SLUICE_EVENT_WEIGHTS, 4, "", {},
             {{sdk::text_of("conv/weight"), tensor}, {sdk::text_of("gradients/conv/weight"), tensor}});
    run.end(4, "finished");
    const auto values = last_values();
    ASSERT_EQ(values.count("gradients/conv/weight"), 1U);
    const std::string& bytes = values.at("weights/conv/weight").buckets;
    ASSERT_EQ(bytes.size(), 30 * 3 * sizeof(double));
    std::vector<double> buckets(90);
    std::memcpy(buckets.data(), bytes.data(), bytes.size());
    EXPECT_EQ(buckets.front(), 0.0);
    EXPECT_EQ(buckets[88], 3.0);  // right edge of the last bucket
    double count = 0.0;
    for (std::size_t i = 2; i < buckets.size(); i += 3) {
        count += buckets[i];
    }
    EXPECT_EQ(count, 4.0);
}

TEST_F(TensorBoardFiles, of_a_resumed_run_have_no_step_twice) {
    {
        BoardRun run = begin();
        run.steps(1, 20);
        run.evaluation(10, 1.0);
    }  // killed
    {
        BoardRun run = begin(10);
        run.steps(11, 15);
        run.end(15, "interrupted");
    }
    {
        BoardRun run = begin(12);
        run.steps(13, 14);
        run.end(14, "finished");
    }
    EXPECT_EQ(event_files().size(), 3U);
    std::vector<std::int64_t> steps;
    for (const auto& [step, loss] : curve("train/loss")) {
        steps.push_back(step);
    }
    EXPECT_EQ(steps, (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}));
    EXPECT_EQ(curve("_hparams_/session_end_info").size(), 1U);
    const std::vector<Event> last = read_events(tests::content_of(event_files().back()));
    EXPECT_TRUE(last.at(1).is_restart);
    EXPECT_EQ(last.at(1).step, 13);
    begin(0).steps(1, 1);  // a run that begins anew in the same folder
    EXPECT_EQ(curve("train/loss").size(), 1U);
    EXPECT_EQ(event_files().size(), 1U);
}

TEST_F(TensorBoardFiles, that_are_cut_off_anywhere_keep_their_whole_events) {
    {
        BoardRun run = begin();
        run.steps(1, 5);
    }
    const fs::path file = event_files().at(0);
    const std::string whole = tests::content_of(file);
    const std::size_t count = read_events(whole).size();
    for (std::size_t size = whole.size(); size-- > 0;) {
        EXPECT_LE(read_events(whole.substr(0, size)).size(), count - 1);
    }
    for (const std::size_t size :
         {whole.size() - 1, whole.size() - 60, whole.size() / 2, std::size_t{3}, std::size_t{0}}) {
        fs::remove_all("run/tensorboard");
        write(file, whole.substr(0, size));
        begin(5).steps(6, 7);
        const auto points = curve("train/loss");
        EXPECT_EQ(points.back().first, 7);
        EXPECT_EQ(
            points.size(),
            2 + (size < 100 ? 0
                            : static_cast<std::size_t>(std::count_if(
                                  points.begin(), points.end(), [](const auto& point) { return point.first <= 5; }))));
    }
}

TEST_F(TensorBoardFiles, stay_small_in_a_long_run) {
    BoardRun run = begin();
    run.steps(1, 100000);
    run.end(100000, "finished");
    EXPECT_EQ(curve("train/loss").size(), 2000U + 5 * 1000U + 563U);
    EXPECT_LT(fs::file_size(event_files().at(0)), 2U << 20);
}

TEST_F(TensorBoardFiles, are_completed_when_a_full_disk_has_room_again) {
    BoardRun run = begin();
    run.steps(1, 5);
    const std::string before = tests::content_of(event_files().at(0));
    {
        const tests::SmallDisk small(before.size() + 10);
        EXPECT_THROW(run.evaluation(5, 30.0), sdk::Failure);
        EXPECT_EQ(tests::content_of(event_files().at(0)), before);
        EXPECT_THROW(run.step(6, 6.0), sdk::Failure);
    }
    run.step(7, 7.0);
    run.end(7, "finished");
    EXPECT_EQ(curve("train/loss").size(), 7U);
    EXPECT_EQ(curve("evaluation/psnr").size(), 1U);
}

TEST_F(TensorBoardFiles, begin_again_if_they_are_removed) {
    BoardRun run = begin();
    run.steps(1, 5);
    fs::remove_all("run/tensorboard");
    run.steps(6, 7);
    run.end(7, "finished");
    EXPECT_EQ(all_events().at(0).version, "brain.Event:2");
    EXPECT_EQ(curve("train/loss").size(), 2U);
}

TEST_F(TensorBoardFiles, do_not_bring_back_a_removed_run) {
    BoardRun run = begin();
    run.steps(1, 5);
    fs::remove_all("run");
    try {
        run.end(5, "finished");
        FAIL() << "it is written somewhere";
    } catch (const sdk::Failure& failure) {
        EXPECT_NE(std::string(failure.what()).find("run/tensorboard"), std::string::npos) << failure.what();
    }
    EXPECT_FALSE(fs::exists("run"));
}

}  // namespace
}  // namespace sluice::observers
