// A case gets a component of a plugin, and a setup with its options. Each case runs in a process of its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "check/contract/setup.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::check {

// Thrown if a rule is broken. The message says how.
struct Broken : std::runtime_error {
    using std::runtime_error::runtime_error;
};
// Thrown if a case cannot be run here. The message says why.
struct CaseSkipped : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Throws Broken unless `kept`.
void expect(bool kept, const std::string& reason);

// The status and message that a call of a table returned.
struct Answer {
    sluice_status status = SLUICE_OK;
    std::string message;
};
Answer make_answer(sluice_status status, const sluice_error& error);
// Calls function(args..., &error).
template <class Function, class... Args>
Answer ask(Function function, Args... args) {
    sluice_error error{};
    const sluice_status status = function(args..., &error);
    return make_answer(status, error);
}

// An object of the component, with one simple way to use it.
class TestObject {
public:
    virtual ~TestObject() = default;
    // Uses the object and returns the result, which must be the same each time.
    virtual std::string use() = 0;
    // Returns why several objects must not be used on threads at once; empty: they may.
    [[nodiscard]] virtual std::string why_one_at_a_time() const { return {}; }
};

class Trial;

// Makes the objects of a kind.
struct ObjectFunctions {
    std::unique_ptr<TestObject> (*make_test_object)(Trial& trial);
    // Call create() and destroy() of the component's table. `create` throws CaseSkipped if a device is missing.
    Answer (*create)(Trial& trial, const sluice_value* options, void** self);
    void (*destroy)(Trial& trial, void* self);
};

class Trial {
public:
    struct CaseSettings {
        std::uint64_t seed = 1;
        std::chrono::duration<double> limit{60};  // time limit of a case
        double threads = 1.0;                     // factor for the running time of cases with several threads
        std::filesystem::path folder;             // parent of the scratch folder
    };
    // All arguments must outlive the trial. `notify` gets what the case does next, to report it if the process crashes.
    Trial(const registry::Registry& registry, const registry::ComponentManifest& manifest,
          const ObjectFunctions& objects, const Setup& setup, const CaseSettings& case_settings,
          std::function<void(const std::string&)> notify);

    [[nodiscard]] const registry::Registry& registry() const { return registry_; }
    [[nodiscard]] const registry::ComponentManifest& manifest() const { return manifest_; }
    [[nodiscard]] const Table& options() const { return setup_->options; }
    [[nodiscard]] const Setup& setup() const { return *setup_; }
    [[nodiscard]] const ScratchFolder& folder() const { return folder_; }

    // Loads the component at the first call. Its calls are checked if those of the registry are.
    const registry::Component& component();
    template <class Table>
    const Table& table() {
        return *static_cast<const Table*>(component().table);
    }

    // Makes an object of the component. Throws CaseSkipped if a device is missing.
    std::unique_ptr<TestObject> make();
    // Makes an object with another setup, whose files are in the same folder. Throws Error if the component refuses it.
    // Must not be called while other threads make objects.
    std::unique_ptr<TestObject> make(const Setup& other);
    // Calls create() of the table with these options. `self` is NULL if it fails.
    Answer create(const Table& options, void*& self);
    void destroy(void* self);

    // Returns the next random number below `bound`. The sequence depends on the seed and the component.
    std::uint64_t draw(std::uint64_t bound);
    [[nodiscard]] std::uint64_t seed() const { return settings_.seed; }
    [[nodiscard]] std::chrono::duration<double> limit() const { return settings_.limit; }
    [[nodiscard]] double thread_share() const { return settings_.threads; }

    // Sets what the case does now, which is reported if the process crashes.
    void doing(const std::string& what) const { notify_(what); }
    void warn(const std::string& what);
    // Sets the text that is reported if the case passes.
    void note(const std::string& what) { note_ = what; }
    [[nodiscard]] const std::string& note() const { return note_; }
    // Warns if a call has failed without a message.
    void expect_reason(const Answer& answer, const std::string& call);
    [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

private:
    const registry::Registry& registry_;
    const registry::ComponentManifest& manifest_;
    const ObjectFunctions& objects_;
    const Setup* setup_;
    const CaseSettings& settings_;
    std::uint64_t draws_ = 0;
    std::function<void(const std::string&)> notify_;
    std::vector<std::string> warnings_;
    std::string note_;
    ScratchFolder folder_;
    registry::Component component_{};
};

}  // namespace sluice::check
