// objects.beside: two objects exist at once, with equal or with different options. The expected result of each comes
// from a process that never had another object. This finds data that all objects of a plugin share and the first one
// sets.
#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <thread>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "check/cases/child_process.hpp"
#include "check/contract/cases.hpp"
#include "check/contract/setup_candidates.hpp"

namespace sluice::check {
namespace {

std::string hash_of(const std::string& text) {
    Sha256 hash;
    hash.add({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    return hash.finish();
}

// Uses the object and returns a hash of the result.
std::string result_of(TestObject& object) { return hash_of(object.use()); }

// Waits for the next second of the clock, because some plugins take seeds from time(). Waits only once for all setups.
void wait_for_next_second() {
    static const bool has_begun = [] {
        constexpr std::chrono::milliseconds kLate(20);  // time() lags behind by at most this
        const auto next = std::chrono::ceil<std::chrono::seconds>(std::chrono::system_clock::now());
        std::this_thread::sleep_until(next + kLate);
        return true;
    }();
    static_cast<void>(has_begun);
}

void same_from_two_objects(Trial& trial, const std::string& alone) {
    const auto first = trial.make();
    expect(result_of(*first) == alone,
           "an object gives another result in another process, a moment later; the result must depend on options and "
           "seeds only");
    const auto second = trial.make();
    expect(result_of(*second) == alone, "a second object gives another result while the first one exists");
    expect(result_of(*first) == alone, "the first object gives another result after a second one was made");
    auto third = trial.make();
    third->use();
    third.reset();
    expect(result_of(*second) == alone, "an object gives another result after another object was destroyed");
}

// Another setup, and the result of its object alone.
struct Other {
    Setup setup;
    std::string alone;
};

// Returns the first setup of `neighbour` that the component accepts; nullopt if it accepts none.
std::optional<Other> find_other(Trial& trial, const SetupCandidates& neighbour) {
    for (const Setup& setup : neighbour) {
        const Finding finding = in_child_process(trial, [&](const auto&) { return result_of(*trial.make(setup)); });
        expect(!is_fault(finding.result),
               fmt::format("an object made {}, without any other: {}", setup.name, finding.reason));
        if (finding.result == Result::passed) {
            return Other{setup, finding.reason};
        }
    }
    return std::nullopt;
}

void same_beside(Trial& trial, const std::string& alone, const Other& other) {
    const auto first = trial.make();
    auto second = trial.make(other.setup);
    const auto expect_same = [&](TestObject& object, const std::string& right, const char* which) {
        const std::string where = fmt::format("the second was made {}", other.setup.name);
        try {
            expect(result_of(object) == right,
                   fmt::format("{} object gives another result than alone ({})", which, where));
        } catch (const Error& error) {
            throw Broken(fmt::format("{} object fails ({}): {}", which, where, error.what()));
        }
    };
    expect_same(*first, alone, "the first");
    expect_same(*second, other.alone, "the second");
    expect_same(*first, alone, "the first");
    second.reset();
    expect_same(*first, alone, "the first");
}

}  // namespace

void objects_do_not_interfere(Trial& trial) {
    const std::string alone =
        expect_passed(in_child_process(trial, [&](const auto&) { return result_of(*trial.make()); }));
    std::vector<Other> others;
    for (const SetupCandidates& neighbour : make_setup_candidates(trial.manifest(), trial.setup())) {
        if (auto other = find_other(trial, neighbour)) {
            others.push_back(std::move(*other));
        }
    }
    wait_for_next_second();
    const auto use_all = [&](const auto& doing) {
        same_from_two_objects(trial, alone);
        for (const Other& other : others) {
            doing(fmt::format("next to an object made {}", other.setup.name));
            same_beside(trial, alone, other);
        }
        return std::string();
    };
    // This part runs in its own process too, so that the next setup starts in a process that has used no objects. It is
    // most of the case's work, so it gets twice the limit.
    constexpr int kLimitFactor = 2;
    expect_passed(in_child_process(trial, use_all, kLimitFactor));
    trial.note(fmt::format("next to objects of {} other setups", others.size()));
}

}  // namespace sluice::check
