// A plugin that terminates the process inside a call is named with its component and function, and the exit code is
// never 0.
#include <csignal>
#include <filesystem>
#include <tuple>

#include "pipeline_test.hpp"

namespace sluice::test {
namespace {

class Ending : public PipelineTest {
protected:
    // Runs a training that the observer terminates in the way `how`.
    [[nodiscard]] Finished end_by(const std::string& how, const std::vector<std::string>& more = {}) const {
        write_tiny(
            {{"[checkpoint]\n", "[observe]\nuse = [{ use = \"ending\", how = \"" + how + "\" }]\n\n[checkpoint]\n"}});
        return host(joined<std::string>({"train", "tiny.toml", "--run-folder", "run", "--plugin", plugin_}, more));
    }
    static void expect_named(const Finished& finished, const std::vector<std::string>& parts) {
        EXPECT_NE(finished.exit, 0) << finished.err;
        EXPECT_EQ(count_of(finished.err, "\nE "), 1U) << finished.err;
        expect_contains(finished.err, joined<std::string>({"plugin test.ending 1.0.0 misbehaves: "}, parts));
    }
    const std::string plugin_ = std::string(SLUICE_TEST_ENDING_DIR) + "/sluice_ending.so";
    const std::string observer_ = "on_event() of observer 'ending' (test.observer.ending) ";
};

TEST_F(Ending, by_exit_is_a_plugins_fault) {
    for (const std::string how : {"exit", "quick_exit"}) {
        for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--plugin-checks"}}) {
            const Finished finished = end_by(how, more);
            EXPECT_EQ(finished.exit, 6) << finished.err;
            expect_named(finished, {observer_ + "terminates the process by " + how + "()", "rule process.ends"});
            std::filesystem::remove_all(folder() / "run");
        }
    }
}

// libc calls its own exit() here, so an interposition cannot see the call.
TEST_F(Ending, by_an_exit_of_libc_is_a_plugins_fault) {
    const Finished finished = end_by("library_exit");
    EXPECT_EQ(finished.exit, 6) << finished.err;
    expect_named(finished, {observer_ + "terminates its thread, or the process by exit()", "rule process.ends"});
}

TEST_F(Ending, by_a_sudden_exit_or_on_a_thread_of_its_own_is_a_plugins_fault) {
    const std::string outside = "its code, on a thread of its own or otherwise outside of any call, ";
    for (const auto& [how, who] : std::vector<std::pair<std::string, std::string>>{
             {"sudden_exit", observer_ + "terminates the process by _exit()"},
             {"sudden_c_exit", observer_ + "terminates the process by _Exit()"},
             {"thread_exit", outside + "terminates the process by exit()"},
             {"thread_sudden_exit", outside + "terminates the process by _exit()"}}) {
        const Finished finished = end_by(how);
        EXPECT_EQ(finished.exit, 6) << finished.err;
        expect_named(finished, {who});
        std::filesystem::remove_all(folder() / "run");
    }
}

TEST_F(Ending, of_a_process_that_a_plugin_has_forked_is_its_own) { expect_success(end_by("child_sudden_exit")); }

TEST_F(Ending, stands_in_the_log_of_the_run) {
    EXPECT_EQ(end_by("exit").exit, 6);
    expect_contains(read_bytes(folder() / "run/log.txt"), {observer_});
}

TEST_F(Ending, by_an_exit_of_libc_on_a_thread_of_its_own) {
    const Finished finished = end_by("thread_library_exit");
    EXPECT_EQ(finished.exit, 6) << finished.err;
    expect_contains(finished.err, {"E exit() was called outside of any plugin call"});
}

TEST_F(Ending, by_a_signal_keeps_the_signal) {
    const std::vector<std::pair<std::string, std::string>> ways{{"abort", "SIGABRT"},
                                                                {"address", "SIGSEGV"},
                                                                {"stack", "SIGSEGV"},
                                                                {"instruction", "SIGILL"},
                                                                {"division", "SIGFPE"}};
    for (const auto& [how, name] : ways) {
        const Finished finished = end_by(how);
        expect_named(finished, {observer_, name});
        std::filesystem::remove_all(folder() / "run");
    }
}

TEST_F(Ending, by_a_signal_on_a_thread_of_its_own_names_the_plugin) {
    for (const std::string how : {"thread_address", "thread_copy", "thread_no_function"}) {
        const Finished finished = end_by(how);
        expect_named(finished,
                     {"its code, on a thread of its own or otherwise outside of any call, crashes", "SIGSEGV"});
#ifndef __SANITIZE_ADDRESS__  // AddressSanitizer exits instead
        EXPECT_EQ(finished.signal, SIGSEGV) << finished.err;
#endif
        std::filesystem::remove_all(folder() / "run");
    }
}

TEST_F(Ending, by_abort_or_an_exception_on_a_thread_of_its_own_names_the_plugin) {
    const std::string where = "its code, on a thread of its own or otherwise outside of any call, ";
    expect_named(end_by("thread_abort"), {where + "terminates the process by abort()"});
    std::filesystem::remove_all(folder() / "run");
    expect_named(end_by("thread_throw"), {where + "throws an exception that is not caught: nobody takes it"});
}

// The crash comes after all work of the run is done.
TEST_F(Ending, by_a_crash_at_the_end_of_the_process_names_the_plugin) {
    const std::string where = "its code, at the end of the process, ";
    for (const auto& [how, what, signal] : std::vector<std::tuple<std::string, std::string, int>>{
             {"end_address", "crashes: invalid memory access (SIGSEGV)", SIGSEGV},
             {"end_abort", "terminates the process by abort() (SIGABRT)", SIGABRT}}) {
        const Finished finished = end_by(how);
        expect_named(finished, {where + what});
#ifndef __SANITIZE_ADDRESS__  // AddressSanitizer exits instead
        EXPECT_EQ(finished.signal, signal) << finished.err;
#endif
        EXPECT_TRUE(std::filesystem::exists(folder() / "run/checkpoints")) << finished.err;
        std::filesystem::remove_all(folder() / "run");
    }
}

TEST_F(Ending, by_exit_at_the_end_of_the_process_is_no_fault) {
    const Finished finished = end_by("end_exit");
    expect_success(finished);
    EXPECT_EQ(count_of(finished.err, "misbehaves"), 0U) << finished.err;
}

TEST_F(Ending, by_an_exception_tells_what_it_says) {
    expect_named(end_by("throw"), {observer_ + "throws an exception that is not caught: nobody catches this"});
}

TEST_F(Ending, in_a_thread_that_a_kernel_was_lent) {
    write_tiny();
    const Finished finished =
        host({"train", "tiny.toml", "--plugin", plugin_, "--set", R"(device.kernels=["ending","reference"])"});
    expect_named(finished, {"forward() of kernel 'ending' (test.kernel.ending) crashes", "SIGSEGV"});
}

}  // namespace
}  // namespace sluice::test
