// The observer `example` writes the loss of each step to a table, example.csv in the run's folder.
#include <filesystem>
#include <fstream>

#include "sluice/sdk/plugin.hpp"

namespace {

namespace sdk = sluice::sdk;

class ExampleObserver : public sdk::Observer {
public:
    ExampleObserver(sdk::Host, const sdk::Options& options) : every_(options.integer("every")) {}

    [[nodiscard]] std::uint64_t wants() const noexcept override {
        return std::uint64_t{1} << SLUICE_EVENT_RUN_BEGIN | std::uint64_t{1} << SLUICE_EVENT_STEP |
               std::uint64_t{1} << SLUICE_EVENT_RUN_END;
    }

    // Called on the observers' own thread, one event after the other. The log reports a failure; the run continues.
    void on_event(const sluice_event& event) override {
        if (event.kind == SLUICE_EVENT_RUN_BEGIN) {
            file_ = std::filesystem::path(sdk::view(event.text)) / "example.csv";
            table_ = std::ofstream(file_, std::ios::app);  // a resumed run has a table already
        } else if (event.kind == SLUICE_EVENT_STEP && event.step % every_ == 0) {
            table_ << event.step << ',' << sdk::scalar(event, "loss") << '\n';
        } else if (event.kind == SLUICE_EVENT_RUN_END) {
            table_.flush();
        }
        if (!table_.is_open() || !table_) {
            table_.clear();
            throw sdk::Failure(SLUICE_FAILED, "cannot write the table '" + file_.string() + "'");
        }
    }

private:
    std::int64_t every_;
    std::filesystem::path file_;
    std::ofstream table_;
};

constexpr sluice_component kComponents[] = {sdk::component<ExampleObserver>("com.acme.observer.example")};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
