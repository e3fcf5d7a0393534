#include "watch/run_frame.hpp"

#include <fmt/format.h>

#include "base/text/columns.hpp"
#include "history/run_lock.hpp"
#include "unit/folder_test.hpp"

#include <unistd.h>

namespace sluice::watch {
namespace {

class RunFrame : public FolderTest {
protected:
    static void write_run(double read_seconds) {
        std::string events = event("run_begin", 0, R"("epochs":2,"steps":100,"batch":4)");
        for (int step = 1; step <= 50; ++step) {
            events += event("step", step,
                            fmt::format(R"("loss":{},"rate":0.1,"step_seconds":{},"samples":4,"read_seconds":{},)"
                                        R"("forward_seconds":0.01)",
                                        1.0 / step, 0.01 + read_seconds, read_seconds));
        }
        write("run/events.jsonl", events);
        write("run/usage.csv",
              "unix_seconds,cpu,cpu_compute,cpu_input,resident_bytes,batches_ready,disk_read_bytes,"
              "disk_write_bytes,gpu0_busy,gpu0_memory_bytes,gpu0_watts\n"
              "1,1.5,1.25,0.25,1048576,0.2,0,1048576,0.5,2097152,300\n");
        write("run/usage-rank-1.csv", "unix_seconds,cpu,resident_bytes\n1,0.75,3145728\n");
        write("run/log.txt", "2026-11-26 22:39:50 W the disk is slow\n");
    }
    static std::string text(int columns = 80, int lines = 24) {
        RunView view("run");
        view.update();
        return run_frame(view, columns, lines, Letters::ascii).text();
    }

private:
    static std::string event(const std::string& kind, int step, const std::string& scalars) {
        return fmt::format(R"({{"kind":"{}","epoch":1,"step":{},"seconds":{},"text":"","scalars":{{{}}}}})", kind, step,
                           step, scalars) +
               "\n";
    }
};

TEST_F(RunFrame, has_progress_stages_machine_and_warnings) {
    write_run(0.03);
    const std::string shown = text();
    for (const char* const part :
         {"run  killed", "epoch 1/2  step 50/100", " 50 %", "100 samples/s  40 ms a step  waits for input 75 %",
          "loss 0.02", "read       ########--     30 ms  75 %", "forward", "cpu      ", "1.50 cores",
          "compute 1.25  input 0.25", "GPU 0    ####---- 50 %  2.0 MiB", "300 W", "memory   1.0 MiB",
          "batches  0.2 ready", "rank 1   0.75 cores", "warnings: 1", "the disk is slow", "q quits  `"}) {
        EXPECT_NE(shown.find(part), std::string::npos) << part << "\n" << shown;
    }
    EXPECT_EQ(std::ranges::count(shown, '\n'), 24);
}

TEST_F(RunFrame, of_a_live_run_estimates_the_end) {
    write_run(0.0);
    const int lock = history::lock_run("run");
    ASSERT_GE(lock, 0);
    EXPECT_NE(text().find("run  running"), std::string::npos) << text();
    EXPECT_NE(text().find("step 50/100  50 s left"), std::string::npos) << text();
    ::close(lock);
}

TEST_F(RunFrame, fits_any_screen) {
    write_run(0.03);
    for (const int columns : {1, 10, 40, 200}) {
        for (const int lines : {1, 5, 12, 60}) {
            RunView view("run");
            view.update();
            const Frame frame = run_frame(view, columns, lines, Letters::blocks);
            for (int line = 0; line < lines; ++line) {
                for (const Span& span : frame.line(line)) {
                    EXPECT_LE(span.column + columns_of(span.text), columns);
                }
            }
        }
    }
}

TEST_F(RunFrame, of_a_run_without_steps_says_so) {
    write("run/resolved.toml", "");
    EXPECT_NE(text().find("no step yet"), std::string::npos);
}

}  // namespace
}  // namespace sluice::watch
