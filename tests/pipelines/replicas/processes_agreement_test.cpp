// Processes that were started together but differ in pipeline, program or data.
#include "pictures.hpp"
#include "replicas/processes_test.hpp"

namespace sluice::test {
namespace {

class UnlikeProcesses : public Processes {
protected:
    static constexpr int kPhotos = 40;  // more than are compared at the start
    static std::string photo_name(int number) { return "photos/" + std::to_string(100 + number) + ".png"; }

    // Writes the same photographs to folders "0" and "1", from which processes 0 and 1 read. change() replaces one in
    // "1".
    void write_photos() const {
        for (int i = 0; i < kPhotos; ++i) {
            for (const char* const process : {"0/", "1/"}) {
                write(process + photo_name(i), png_of(make_picture(48, 48, 3, i)));
            }
        }
        write_tiny(
            {{R"(source = { use = "dead_leaves", count = 16, size = [32, 32] })",
              R"(source = { use = "photos", folder = "photos" })"},
             {"map = [\n", "map = [\n  { use = \"decode\" },\n  { use = \"random_crop\", size = [32, 32] },\n"}});
    }
    void change(int photo) const { write("1/" + photo_name(photo), png_of(make_picture(48, 48, 3, 99))); }
    // Starts two processes by mpirun, and expects one error line. "$OMPI_COMM_WORLD_RANK" is the rank of a process.
    void expect_one_error(const std::string& words, int exit, const std::vector<std::string>& parts) const {
        const int status = mpirun("-n 2 sh -c '" + words + "'");
        EXPECT_EQ(WEXITSTATUS(status), exit);
        const std::string output = read_bytes(folder() / "out.txt");
        expect_contains(output, parts);
        EXPECT_EQ(count_of(output, "E "), 1U) << output;
    }
    [[nodiscard]] std::string train_where(const std::string& sub) const {
        return "cd " + sub + " && exec " + SLUICE_TEST_HOST + " train " + (folder() / "tiny.toml").string() +
               " --set strategy.use=multi_worker --run-folder " + (folder() / "run").string();
    }
};

TEST_F(UnlikeProcesses, name_the_values_that_differ) {
    write_tiny();
    expect_one_error(
        "exec " + kTrain + " --set seed=3$OMPI_COMM_WORLD_RANK --set data.batch=$((4+OMPI_COMM_WORLD_RANK))", 2,
        {"process 1 has another pipeline than process 0: ", "seed = 31, not 30", "data.batch = 5, not 4"});
    expect_one_error("exec " + kTrain + " --set strategy.micro_shards=$((2+2*OMPI_COMM_WORLD_RANK))", 2,
                     {"strategy.micro_shards = 4, not 2"});
}

TEST_F(UnlikeProcesses, name_the_plugin_that_differs) {
    write_tiny({{"use = \"adam\"\nrate", "use = \"test_stalling\"\nlast = 1000\nrate"}});
    const std::string plugin = read_bytes(std::filesystem::path(SLUICE_TEST_STALLING_DIR) / "sluice_stalling.so");
    write("plugins0/sluice_stalling.so", plugin);
    write("plugins1/sluice_stalling.so", plugin + "x");
    expect_one_error("exec " + kTrain + " --plugin plugins$OMPI_COMM_WORLD_RANK", 2,
                     {"process 1 has another program than process 0: sha256 of sluice_stalling.so = "});
}

TEST_F(UnlikeProcesses, name_a_sample_that_differs) {
    write_photos();
    change(1);
    expect_one_error(train_where("$OMPI_COMM_WORLD_RANK"), 2,
                     {"process 1 has another [data.train] than process 0: hash of sample 1 = "});
    write_photos();
    expect_one_error("exec " + kTrain +
                         " --set data.train.source.folder=0/photos --set "
                         "data.validation.source.count=$((4+OMPI_COMM_WORLD_RANK))",
                     2, {"data.validation.source.count = 5, not 4"});
}

// With data.skip_bad, each process makes all samples, also one that was not compared at the start.
TEST_F(UnlikeProcesses, name_an_epoch_that_differs) {
    write_photos();
    change(7);
    expect_one_error(train_where("$OMPI_COMM_WORLD_RANK") + " --set data.skip_bad=1", 3,
                     {"epoch 1: process 1 has made other samples than process 0: their sha256 are "});
}

}  // namespace
}  // namespace sluice::test
