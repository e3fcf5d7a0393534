// The observer `example` writes tables to the run's folder: example.csv has the loss of each step, and
// example_profile.csv the time of each operation in recorded steps.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <vector>

#include "sluice/sdk/plugin.hpp"

namespace {

namespace sdk = sluice::sdk;

std::string_view direction_of(std::uint32_t span_kind) {
    switch (span_kind) {
        case SLUICE_SPAN_FORWARD:
            return "forward";
        case SLUICE_SPAN_RECOMPUTE:
            return "recompute";
        case SLUICE_SPAN_BACKWARD:
            return "backward";
        case SLUICE_SPAN_OPTIMIZER:
            return "optimizer";
        default:
            return "kernel";
    }
}

bool is_stream(const sluice_profile_thread& thread) { return thread.kind == SLUICE_THREAD_STREAM; }

class ExampleObserver : public sdk::Observer {
public:
    ExampleObserver(sdk::Host, const sdk::Options& options) : every_(options.integer("every")) {}

    [[nodiscard]] std::uint64_t wants() const noexcept override {
        return std::uint64_t{1} << SLUICE_EVENT_RUN_BEGIN | std::uint64_t{1} << SLUICE_EVENT_STEP |
               std::uint64_t{1} << SLUICE_EVENT_PROFILE | std::uint64_t{1} << SLUICE_EVENT_RUN_END;
    }

    // Called on the observers' own thread, one event after the other. The log reports a failure; the run continues.
    void on_event(const sluice_event& event) override {
        if (event.kind == SLUICE_EVENT_RUN_BEGIN) {
            folder_ = sdk::view(event.text);
            table_ = std::ofstream(folder_ / "example.csv", std::ios::app);  // a resumed run has a table already
        } else if (event.kind == SLUICE_EVENT_STEP && event.step % every_ == 0) {
            table_ << event.step << ',' << sdk::scalar(event, "loss") << '\n';
        } else if (const std::optional<sdk::Profile> window = sdk::profile(event)) {
            write(*window);
        } else if (event.kind == SLUICE_EVENT_RUN_END) {
            table_.flush();
        }
        if (!table_.is_open() || !table_) {
            table_.clear();
            throw sdk::Failure(SLUICE_FAILED, "cannot write the table example.csv in '" + folder_.string() + "'");
        }
    }

private:
    // Writes a line for each operation: path, direction, number of launches and their milliseconds.
    void write(const sdk::Profile& window) const {
        struct Sum {
            std::int64_t count = 0;
            double milliseconds = 0.0;
        };
        std::vector<Sum> sums(window.operations().size());
        // The streams of a GPU have the time of its work. Launches on the threads of the CPU only enqueue that.
        const auto threads = window.threads();
        const bool has_streams = std::any_of(threads.begin(), threads.end(), is_stream);
        for (const sluice_span& span : window.spans()) {
            const std::optional<sluice_profile_thread> thread = threads.find(span.thread);
            if (span.operation < sums.size() && thread && is_stream(*thread) == has_streams) {
                sums[span.operation].count += 1;
                sums[span.operation].milliseconds += 1e-6 * static_cast<double>(span.duration_ns);
            }
        }
        std::ofstream table(folder_ / "example_profile.csv", std::ios::app);
        for (std::size_t i = 0; i < sums.size(); ++i) {
            const sluice_profile_operation operation = window.operations()[i];
            table << std::quoted(sdk::view(operation.path), '"', '"') << ',' << direction_of(operation.span_kind) << ','
                  << sums[i].count << ',' << sums[i].milliseconds << '\n';
        }
        table.close();
        if (!table) {
            throw sdk::Failure(SLUICE_FAILED,
                               "cannot write the table example_profile.csv in '" + folder_.string() + "'");
        }
    }

    std::int64_t every_;
    std::filesystem::path folder_;
    std::ofstream table_;
};

constexpr sluice_component kComponents[] = {sdk::component<ExampleObserver>("com.acme.observer.example")};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
