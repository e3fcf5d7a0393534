// What a case of the contract is given: a component of a plugin, in a process of its own, and a set of options.
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
#include "registry/objects/objects.hpp"

namespace sluice::check {

// A rule is broken: how.
struct Broken : std::runtime_error {
    using std::runtime_error::runtime_error;
};
// The rule cannot be shown here: why not.
struct NotShown : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Throws Broken unless `kept`.
void expect(bool kept, const std::string& reason);

// How a call of a table ended.
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

// An object of the component, and something plain that is done with it.
class Exercise {
public:
    virtual ~Exercise() = default;
    // What came of it; the same each time.
    virtual std::string use() = 0;
    // Why several must not be used on threads at once; empty if they may.
    [[nodiscard]] virtual std::string why_one_at_a_time() const { return {}; }
};

class Trial {
public:
    struct Terms {
        std::uint64_t seed = 1;
        std::chrono::duration<double> limit{60};  // of a case
        double threads = 1.0;                     // share of the usual time that is spent on threads at once
        std::filesystem::path folder;             // for files
    };
    // All outlive it. tell: gets what is being done, for where the process ends in it.
    Trial(const registry::Registry& registry, const registry::ComponentManifest& manifest, const Setup& setup,
          const Terms& terms, std::function<void(const std::string&)> tell);

    [[nodiscard]] const registry::Registry& registry() const { return registry_; }
    [[nodiscard]] const registry::ComponentManifest& manifest() const { return manifest_; }
    [[nodiscard]] const Table& options() const { return setup_->options; }
    [[nodiscard]] const Setup& setup() const { return *setup_; }
    [[nodiscard]] const ScratchFolder& folder() const { return folder_; }

    // Loaded when it is first asked for. Its calls are checked where those of the registry are.
    const registry::Component& component();
    template <class Table>
    const Table& table() {
        return *static_cast<const Table*>(component().table);
    }

    // Of the kind of the component. Throws NotShown where a device is missing.
    std::unique_ptr<Exercise> make();
    // With another setup, which lies in the same folder. Throws Error where it does not fit. Not while others make
    // some.
    std::unique_ptr<Exercise> make(const Setup& other);
    // Calls create() of its table with other options; `self` is NULL where that fails.
    Answer create(const Table& options, void*& self);
    void destroy(void* self);

    // The next number below `bound` that follows from the seed.
    std::uint64_t draw(std::uint64_t bound);
    [[nodiscard]] std::uint64_t seed() const { return terms_.seed; }
    [[nodiscard]] std::chrono::duration<double> limit() const { return terms_.limit; }
    [[nodiscard]] double thread_share() const { return terms_.threads; }

    void doing(const std::string& what) const { tell_(what); }
    void warn(const std::string& what);
    // What is worth saying of a case that has passed.
    void note(const std::string& what) { note_ = what; }
    [[nodiscard]] const std::string& note() const { return note_; }
    // Warns where a call has failed and does not say why.
    void expect_reason(const Answer& answer, const std::string& call);
    [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

private:
    const registry::Registry& registry_;
    const registry::ComponentManifest& manifest_;
    const Setup* setup_;
    const Terms& terms_;
    std::uint64_t draws_ = 0;
    std::function<void(const std::string&)> tell_;
    std::vector<std::string> warnings_;
    std::string note_;
    ScratchFolder folder_;
    registry::Component component_{};
};

}  // namespace sluice::check
