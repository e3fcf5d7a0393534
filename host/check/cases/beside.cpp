// objects.beside: two objects at a time, of the same options and of others. What each gives alone is found in a process
// of its own, in which there never was another: what a plugin keeps for all its objects is often set by the first.
#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <thread>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "check/cases/own_process.hpp"
#include "check/contract/cases.hpp"
#include "check/contract/neighbours.hpp"

namespace sluice::check {
namespace {

std::string hash_of(const std::string& text) {
    Sha256 hash;
    hash.add({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    return hash.finish();
}

// A hash of what comes of an object of the setup.
std::string result_of(Exercise& object) { return hash_of(object.use()); }

// Seeds are taken from the clock in seconds. Once, for all sets of options.
void let_a_second_begin() {
    static const bool has_begun = [] {
        constexpr std::chrono::milliseconds kLate(20);  // by which time() lags behind at most
        const auto next = std::chrono::ceil<std::chrono::seconds>(std::chrono::system_clock::now());
        std::this_thread::sleep_until(next + kLate);
        return true;
    }();
    static_cast<void>(has_begun);
}

void same_from_two_objects(Trial& trial, const std::string& alone) {
    const auto first = trial.make();
    expect(
        result_of(*first) == alone,
        "an object gives something else in another process, a moment later: options and seeds alone say what it gives");
    const auto second = trial.make();
    expect(result_of(*second) == alone, "a second object beside the first gives something else");
    expect(result_of(*first) == alone, "the first object gives something else once there is a second");
    auto third = trial.make();
    third->use();
    third.reset();
    expect(result_of(*second) == alone, "an object gives something else after another one was destroyed");
}

// An object of another setup, and what it gives alone.
struct Other {
    Setup setup;
    std::string alone;
};

// The first that fits.
std::optional<Other> find_other(Trial& trial, const Neighbour& neighbour) {
    for (const Setup& setup : neighbour) {
        const Finding finding = in_own_process(trial, [&](const auto&) { return result_of(*trial.make(setup)); });
        expect(!is_fault(finding.result), fmt::format("an object {}, alone: {}", setup.name, finding.reason));
        if (finding.result == Result::passed) {
            return Other{setup, finding.reason};
        }
    }
    return std::nullopt;
}

void same_beside(Trial& trial, const std::string& alone, const Other& other) {
    const auto first = trial.make();
    auto second = trial.make(other.setup);
    const auto expect_same = [&](Exercise& object, const std::string& right, const char* which) {
        const std::string where = fmt::format("where one is made {}", other.setup.name);
        try {
            expect(result_of(object) == right,
                   fmt::format("{} object gives something else than alone {}", which, where));
        } catch (const Error& error) {
            throw Broken(fmt::format("{} object fails {}: {}", which, where, error.what()));
        }
    };
    expect_same(*first, alone, "the first");
    expect_same(*second, other.alone, "the second");
    expect_same(*first, alone, "the first");
    second.reset();
    expect_same(*first, alone, "the first");
}

}  // namespace

void live_beside_each_other(Trial& trial) {
    const std::string alone =
        expect_passed(in_own_process(trial, [&](const auto&) { return result_of(*trial.make()); }));
    std::vector<Other> others;
    for (const Neighbour& neighbour : make_neighbours(trial.manifest(), trial.setup())) {
        if (auto other = find_other(trial, neighbour)) {
            others.push_back(std::move(*other));
        }
    }
    let_a_second_begin();
    const auto use_all = [&](const auto& doing) {
        same_from_two_objects(trial, alone);
        for (const Other& other : others) {
            doing(fmt::format("beside an object {}", other.setup.name));
            same_beside(trial, alone, other);
        }
        return std::string();
    };
    // Here too, so that the next set of options finds a process without a past. Most of what the case does is done
    // there.
    constexpr int kPatience = 2;
    expect_passed(in_own_process(trial, use_all, kPatience));
    trial.note(fmt::format("beside {} other ways to make one", others.size()));
}

}  // namespace sluice::check
