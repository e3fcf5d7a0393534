// Files and folders that cannot be entered, listed or even named: every command fails with an error that names them.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "pictures.hpp"
#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

namespace fs = std::filesystem;

// The process runs as another user while this object lives, because root may enter every folder.
class AsNobody {
public:
    AsNobody() : is_root_(::geteuid() == 0) { is_other_ = is_root_ && ::seteuid(65534) == 0; }
    ~AsNobody() {
        if (is_other_ && ::seteuid(0) != 0) {
            std::abort();
        }
    }
    AsNobody(const AsNobody&) = delete;
    AsNobody& operator=(const AsNobody&) = delete;
    [[nodiscard]] bool has_fewer_rights() const {
        // The other user may not enter a build folder below /root.
        return (!is_root_ || is_other_) && ::faccessat(AT_FDCWD, SLUICE_TEST_HOST, X_OK, AT_EACCESS) == 0;
    }

private:
    bool is_root_;
    bool is_other_ = false;
};

class Unreadable : public PipelineTest {
protected:
    // A process with another effective user cannot be searched for leaks.
    Unreadable() { process_options().environment["ASAN_OPTIONS"] = sanitizer_options("detect_leaks=0"); }
    ~Unreadable() override { close_folders(fs::perms::all); }

    void close_folders(fs::perms to = fs::perms::none) {
        for (const fs::path& closed : closed_) {
            fs::permissions(folder() / closed, to);
        }
    }
    [[nodiscard]] Finished refused(const std::vector<std::string>& arguments) const {
        const Finished finished = host(arguments);
        EXPECT_TRUE(finished.exit == 2 || finished.exit == 3) << finished.exit << "\n" << finished.err;
        return finished;
    }
    void expect_denied(const std::vector<std::string>& arguments, const std::string& path) const {
        const Finished finished = refused(arguments);
        expect_contains(finished.err, {path, "Permission denied"});
        EXPECT_EQ(count_of(finished.err, "unexpected"), 0U) << finished.err;
    }

    std::vector<fs::path> closed_;
};

TEST_F(Unreadable, folders_are_named_by_every_command) {
    for (const char* const name : {"photos/a.png", "photos/closed/b.png"}) {
        write(name, png_of(make_picture(48, 48)));
    }
    write("list.csv", "image,label\nphotos/closed/b.png,a\n");
    write("r/closed/a.records", "records");
    write_tiny();
    train("closed/run");
    train("open");
    write("closed/tiny.toml", read_bytes(folder() / "tiny.toml"));
    write("included.toml", "include = \"closed/tiny.toml\"\n");
    const auto with_source = [&](const std::string& file, const std::string& source) {
        write(file, "version = 1\n[data.train]\nsource = { use = " + source + " }\nmap = [{ use = \"decode\" }]\n");
    };
    with_source("photos.toml", R"("photos", folder = "photos")");
    with_source("inside.toml", R"("photos", folder = "photos/closed/deep")");
    with_source("records.toml", R"("records", path = "r/closed")");
    with_source("record.toml", R"("records", path = "r/closed/a.records")");
    with_source("csv.toml", R"("csv_images", file = "list.csv")");
    const std::string best = checkpoint("open", "best");
    fs::permissions(folder(), fs::perms::all);
    closed_ = {"closed", "photos/closed", "r/closed"};
    close_folders();

    const AsNobody nobody;
    if (!nobody.has_fewer_rights()) {
        GTEST_SKIP() << "this user may enter every folder, or the user nobody may not run the host";
    }
    expect_denied({"resume", "closed/run"}, "closed/run");
    expect_denied({"evaluate", "closed/run/checkpoints/last.safetensors"}, "closed/run/checkpoints/last.safetensors");
    expect_denied({"plan", "closed/tiny.toml"}, "closed/tiny.toml");
    expect_denied({"plan", "included.toml"}, "closed/tiny.toml");
    expect_denied({"predict", best, "--input", "photos/closed/b.png", "--output", "out"}, "photos/closed/b.png");
    expect_denied({"predict", "closed/run/x.safetensors", "--input", "photos/a.png", "--output", "out"}, "closed/run");
    expect_denied({"prepare", "photos.toml", "--out", "out"}, "photos/closed");
    expect_denied({"prepare", "inside.toml", "--out", "out"}, "photos/closed/deep");
    expect_denied({"prepare", "records.toml", "--out", "out"}, "r/closed");
    expect_denied({"prepare", "record.toml", "--out", "out"}, "r/closed/a.records");
    expect_denied({"prepare", "csv.toml", "--out", "out"}, "photos/closed/b.png");
}

TEST_F(Unreadable, names_that_are_too_long_are_refused) {
    write_tiny();
    train();
    const std::string longest(300, 'a');
    const std::vector<std::vector<std::string>> all = {{"plan", longest},
                                                       {"train", longest + "/tiny.toml"},
                                                       {"resume", longest},
                                                       {"evaluate", longest},
                                                       {"evaluate", checkpoint(), "--pipeline", longest},
                                                       {"resume", "run", "--checkpoint", longest},
                                                       {"predict", checkpoint(), "--input", longest, "--output", "out"},
                                                       {"predict", longest, "--input", "tiny.toml", "--output", "out"}};
    for (const std::vector<std::string>& arguments : all) {
        const Finished finished = refused(arguments);
        expect_contains(finished.err, {longest, "File name too long"});
        EXPECT_EQ(count_of(finished.err, "unexpected"), 0U) << finished.err;
    }
}

// The path is longer than the system allows. Messages of the host and of sources shorten it but keep the reason after
// it.
TEST_F(Unreadable, paths_of_thousands_of_characters_leave_their_reason) {
    write_tiny();
    std::string path = std::string(100, 'a');
    while (path.size() < 5000) {
        path += "/" + std::string(100, 'a');
    }
    const auto expect_reason = [&](const std::vector<std::string>& arguments) {
        const std::string log = host(arguments).err;
        SCOPED_TRACE(log);
        expect_contains(log, {std::string(90, 'a'), "[...]", "File name too long"});
        EXPECT_LT(log.size(), 1200U);
    };
    expect_reason({"plan", path});
    expect_reason({"resume", path});
    expect_reason({"train", "tiny.toml", "--run-folder", path});
    for (const std::string& source :
         {R"("photos", folder = ")" + path + '"', R"("csv_images", file = ")" + path + '"',
          R"("image_pairs", blurred = ")" + path + R"(", sharp = "b")", R"("records", path = ")" + path + '"'}) {
        write("long.toml",
              "version = 1\n[data.train]\nsource = { use = " + source + " }\nmap = [{ use = \"decode\" }]\n");
        expect_reason({"prepare", "long.toml", "--out", "out"});
    }
}

// Only errors about relative paths say that the folder was removed.
TEST_F(Unreadable, working_folder_may_be_gone) {
    const std::string text = "the working folder was removed";
    const std::string source = R"(source = { use = "dead_leaves", count = 16, size = [32, 32] })";
    const auto write_source = [&](const std::string& file, const std::string& used) {
        write_tiny({{source, "source = { use = " + used + " }"}});
        write(file, read_bytes(folder() / "tiny.toml"));
    };
    write_source("photos.toml", R"("photos", folder = "photos")");
    write_source("records.toml", R"("records", path = "photos")");
    write_source("csv.toml", R"("csv_images", file = "photos.csv")");
    write_tiny();
    write("photos/a.png", png_of(make_picture(48, 48)));
    train();
    const fs::path gone = folder() / "gone";
    fs::create_directory(gone);
    const int handle = ::open(gone.c_str(), O_PATH | O_DIRECTORY);
    ASSERT_GE(handle, 0);
    fs::remove(gone);
    const ProcessOptions before = process_options();
    process_options().folder = "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(handle);
    const std::string pipeline = before.folder / "tiny.toml";
    const std::vector<std::vector<std::string>> all = {{"plan", pipeline},
                                                       {"plan", "tiny.toml"},
                                                       {"train", pipeline},
                                                       {"train", pipeline, "--run-folder", before.folder / "elsewhere"},
                                                       {"resume", "run"},
                                                       {"evaluate", before.folder / "run/checkpoints/best.safetensors"},
                                                       {"predict", before.folder / "run/checkpoints/best.safetensors",
                                                        "--input", before.folder / "photos", "--output", "out"},
                                                       {"launch", "-n", "2", pipeline},
                                                       {"plan", before.folder / "photos.toml"},
                                                       {"plan", before.folder / "records.toml"},
                                                       {"plan", before.folder / "csv.toml"},
                                                       {"evaluate", "best.safetensors"},
                                                       {"new", "layer", "mine"},
                                                       {"prepare", pipeline, "--out", "out"},
                                                       {"plugins"}};
    for (const std::vector<std::string>& arguments : all) {
        const Finished finished = host(arguments);
        EXPECT_EQ(count_of(finished.err, "unexpected"), 0U) << arguments.front() << ": " << finished.err;
        EXPECT_NE(finished.exit, 1) << arguments.front() << ": " << finished.err;
        EXPECT_EQ(finished.signal, 0) << arguments.front() << ": " << finished.err;
        if (finished.exit != 0) {
            EXPECT_EQ(count_of(finished.err, text), 1U) << finished.err;
        }
        EXPECT_EQ(count_of(finished.err, "current folder: )"), 0U) << finished.err;
    }
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {"diagnose", "precision", pipeline},
             {"plan", pipeline, "--set", "data.batc=1"},
             {"plan", before.folder / "none.toml"},
             {"plan", before.folder / "photos.toml", "--set", "data.train.source.folder=/none"},
             {"evaluate", before.folder / "none.safetensors"},
             {"resume", before.folder / "none"}}) {
        const Finished finished = host(arguments);
        EXPECT_NE(finished.exit, 0) << arguments.front();
        EXPECT_EQ(count_of(finished.err, text), 0U) << finished.err;
    }
    process_options() = before;
    ::close(handle);
    EXPECT_TRUE(fs::exists(checkpoint("elsewhere")));
}

TEST_F(Unreadable, working_folder_may_be_removed_while_it_trains) {
    write_tiny({{"epochs = 2", "epochs = 1000000"}});
    write("gone/tiny.toml", read_bytes(folder() / "tiny.toml"));
    ProcessOptions inside = process_options();
    inside.folder /= "gone";
    HostProcess process({"train", "tiny.toml", "--run-folder", "run"}, inside);
    ASSERT_TRUE(process.wait_for_file(inside.folder / "run/checkpoints/last.safetensors"));
    process.while_stopped([&] { fs::remove_all(inside.folder); });
    const std::string reason = "; the working folder was removed";
    ASSERT_TRUE(process.wait_for_error_text(reason));
    process.send(SIGINT);
    const Finished finished = process.finish();
    EXPECT_EQ(finished.exit, 8) << finished.err;
    EXPECT_EQ(count_of(finished.err, "\nE "), 2U) << finished.err;
    EXPECT_EQ(count_of(finished.err, reason), 2U) << finished.err;
}

// The source is opened several times, and its folder may be unreadable for a moment each time.
TEST_F(Unreadable, source_folder_ends_prepare) {
    write("photos/a.png", png_of(make_picture(48, 48)));
    write("photos.toml",
          "version = 1\n[data.train]\nsource = { use = \"photos\", folder = \"photos\" }\n"
          "map = [{ use = \"decode\" }, { use = \"center_crop\", size = [16, 16] }, { use = \"random_flip\" }]\n");
    const std::string right = expect_output({"prepare", "photos.toml", "--out", "right"}, {"random_flip"});
    process_options().environment["LD_PRELOAD"] = SLUICE_TEST_FAILING_FILES;
    int failed = 0;
    for (int number = 1; number < 20; ++number) {
        process_options().environment["SLUICE_TEST_FAULT"] =
            "list " + std::to_string(number) + " 1 " + std::to_string(EIO) + " photos";
        const Finished finished = host({"prepare", "photos.toml", "--out", "out" + std::to_string(number)});
        if (finished.exit == 0) {
            EXPECT_EQ(finished.out.substr(finished.out.find('\n')), right.substr(right.find('\n'))) << number;
            break;
        }
        ++failed;
        expect_contains(finished.err, {"cannot list 'photos", "Input/output error"});
        EXPECT_TRUE(finished.exit == 2 || finished.exit == 3) << finished.err;
    }
    EXPECT_GT(failed, 1);
}

}  // namespace
}  // namespace sluice::test
