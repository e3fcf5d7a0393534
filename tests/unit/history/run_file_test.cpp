#include "history/run_file.hpp"

#include <sys/stat.h>

#include "base/error.hpp"
#include "unit/folder_test.hpp"

namespace sluice::history {
namespace {

class RunFileTest : public FolderTest {
protected:
    static std::string refusal(const std::filesystem::path& name) {
        try {
            static_cast<void>(read_run_file("run", name));
        } catch (const Error& error) {
            EXPECT_EQ(error.exit(), Exit::config);
            return error.what();
        }
        return "read";
    }
};

TEST_F(RunFileTest, is_read_as_a_whole) {
    write("run/samples/a.png", "bytes");
    EXPECT_EQ(read_run_file("run", "samples/a.png"), "bytes");
    EXPECT_EQ(read_run_file("run", "samples/b.png"), std::nullopt);
    EXPECT_EQ(read_run_file("run", "missing/b.png"), std::nullopt);
    EXPECT_EQ(read_run_file("missing", "b.png"), std::nullopt);
    const RunFile file("run", "samples/a.png");
    EXPECT_EQ(file.size(), 5U);
    EXPECT_EQ(file.read(1, 100), "ytes");
    EXPECT_THROW(static_cast<void>(read_run_file("run", "samples/a.png", 4)), Error);
}

TEST_F(RunFileTest, is_no_link_and_nothing_outside) {
    write("secret/plan.txt", "secret");
    write("run/resolved.toml", "");
    std::filesystem::create_symlink("../secret/plan.txt", "run/plan.txt");
    std::filesystem::create_directory_symlink("../secret", "run/samples");
    EXPECT_NE(refusal("plan.txt").find("run/plan.txt: cannot be read: it is, or is in, a symbolic link"),
              std::string::npos);
    EXPECT_NE(refusal("samples/plan.txt").find("symbolic link"), std::string::npos);
    EXPECT_NE(refusal("../secret/plan.txt"), "read");
    EXPECT_NE(refusal(std::filesystem::absolute("secret/plan.txt")), "read");
}

TEST_F(RunFileTest, is_no_pipe_and_no_folder) {
    std::filesystem::create_directories("run/folder");
    ASSERT_EQ(::mkfifo("run/pipe", 0600), 0);
    EXPECT_NE(refusal("pipe").find("it is no regular file"), std::string::npos);
    EXPECT_NE(refusal("folder").find("it is no regular file"), std::string::npos);
}

}  // namespace
}  // namespace sluice::history
