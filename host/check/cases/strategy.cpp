// Cases for strategies: replicas on threads of this process. Some are missing, or start another collective than the
// others.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <thread>

#include "base/random.hpp"
#include "check/cases/strategy_replicas.hpp"
#include "check/contract/cases.hpp"

namespace sluice::check {
namespace {

using Clock = std::chrono::steady_clock;

// On a CPU the calls themselves wait for other replicas. Elsewhere streams wait later, which these cases cannot see.
void expect_cpu(const StrategyReplicas& team) {
    if (!team.is_on_cpu()) {
        throw CaseSkipped("streams of the strategy's devices wait, not the calls, so this cannot be seen here");
    }
}

void expect_several(const StrategyReplicas& team) {
    expect_cpu(team);
    if (team.size() < 2) {
        throw CaseSkipped("the strategy has only one replica");
    }
}

template <class T>
Ranges<T> random_ranges(std::size_t replicas, std::size_t count) {
    Ranges<T> ranges(replicas, std::vector<T>(count));
    for (std::size_t replica = 0; replica < replicas; ++replica) {
        for (std::size_t i = 0; i < count; ++i) {
            const auto bits = static_cast<double>(random_bits({1, replica, 0}, i) >> 11) * 0x1p-52 - 1.0;
            ranges[replica][i] = static_cast<T>(bits * std::exp2(static_cast<double>(i % 20) - 10.0));
        }
    }
    return ranges;
}

// Sums in the order of kind/strategy.h: sum(0, n) = sum(0, m) + sum(m, n), with m the largest power of two below n.
template <class T>
T sum_of(const Ranges<T>& ranges, std::size_t element, std::size_t begin, std::size_t count) {
    if (count == 1) {
        return ranges[begin][element];
    }
    const std::size_t left = std::bit_floor(count - 1);
    return sum_of(ranges, element, begin, left) + sum_of(ranges, element, begin + left, count - left);
}

// Returns the sum of the magnitudes of all terms.
template <class T>
double size_of(const Ranges<T>& ranges, std::size_t element) {
    double size = 0.0;
    for (const auto& range : ranges) {
        size += std::abs(static_cast<double>(range[element]));
    }
    return size;
}

template <class T>
void expect_right(const StrategyReplicas& team, std::uint32_t kind, std::size_t slice) {
    const std::size_t replicas = team.size();
    const Ranges<T> before = random_ranges<T>(replicas, replicas * slice);
    const Ranges<T> after = team.exchange(before, {.kind = kind});
    const auto right = [&](std::size_t i) -> T {
        T value = sum_of(before, i, 0, replicas);
        if (kind == SLUICE_COLLECTIVE_MEAN) {
            return static_cast<T>(value * (1.0 / static_cast<double>(replicas)));
        }
        if (kind == SLUICE_COLLECTIVE_MAX) {
            value = before[0][i];
            for (const auto& range : before) {
                value = std::max(value, range[i]);
            }
        }
        return kind == SLUICE_COLLECTIVE_ALL_GATHER ? before[i / slice][i] : value;
    };
    // A mean may divide or multiply by the inverse. Devices other than the CPU may sum in another order.
    const bool is_exact = kind > SLUICE_COLLECTIVE_REDUCE_SCATTER || kind == SLUICE_COLLECTIVE_MAX ||
                          (team.is_on_cpu() && kind != SLUICE_COLLECTIVE_MEAN);
    for (std::size_t replica = 0; replica < replicas; ++replica) {
        for (std::size_t i = 0; i < after[replica].size(); ++i) {
            if (kind == SLUICE_COLLECTIVE_REDUCE_SCATTER && i / slice != replica) {
                continue;
            }
            const T found = after[replica][i];
            const T wanted = right(i);
            const double allowed =
                is_exact ? 0.0 : size_of(before, i) * (sizeof(T) == sizeof(float) ? 0x1p-22 : 0x1p-51);
            expect(std::abs(static_cast<double>(found) - static_cast<double>(wanted)) <= allowed,
                   fmt::format("with {} replicas, replica {} gets {} as element {} of a collective of kind {}; "
                               "expected {}, summed in the order of the header",
                               replicas, replica, found, i, kind, wanted));
        }
    }
}

void sums_in_the_order_of_the_header(Trial& trial) {
    for (const std::int64_t replicas : {1, 2, 4}) {
        const StrategyReplicas team(trial, replicas);
        for (const std::size_t slice : {std::size_t{1}, std::size_t{17}, std::size_t{5003}}) {
            for (const std::uint32_t kind : {SLUICE_COLLECTIVE_SUM, SLUICE_COLLECTIVE_MEAN, SLUICE_COLLECTIVE_MAX,
                                             SLUICE_COLLECTIVE_REDUCE_SCATTER, SLUICE_COLLECTIVE_ALL_GATHER}) {
                trial.doing(fmt::format("collective {} of {} replicas and {} elements each", kind, replicas, slice));
                expect_right<float>(team, kind, slice);
                expect_right<double>(team, kind, slice);
            }
        }
        trial.note(fmt::format("with up to {} replicas", team.size()));
    }
}

void rounds_alike_on_a_narrow_wire(Trial& trial) {
    const StrategyReplicas team(trial, 2);
    const std::size_t replicas = team.size();
    Ranges<float> ranges = random_ranges<float>(replicas, replicas * 5003);
    const Ranges<float> before = ranges;
    const auto answers = StrategyReplicas::on_threads(
        team.size(), [&](std::uint32_t i) { return team.run_collective(i, ranges[i], {.is_narrow = true}); });
    if (std::ranges::all_of(answers, [](const Answer& a) { return a.status == SLUICE_UNSUPPORTED; })) {
        throw CaseSkipped("the strategy does not support bfloat16 as the wire type");
    }
    for (const Answer& answer : answers) {
        expect(answer.status == SLUICE_OK, fmt::format("a sum sent as bfloat16 fails: {}", answer.message));
    }
    for (const auto& range : ranges) {
        expect(range == ranges.front(), "replicas get different sums if they are sent as bfloat16");
        for (std::size_t i = 0; i < range.size(); ++i) {
            const double off = static_cast<double>(range[i] - sum_of(before, i, 0, replicas));
            expect(std::abs(off) <= size_of(before, i) * 0x1p-7,
                   "a sum sent as bfloat16 has a larger error than that type explains");
        }
    }
}

void takes_several_at_once(Trial& trial) {
    const StrategyReplicas team(trial, 2);
    expect_cpu(team);
    const std::uint32_t replicas = team.size();
    constexpr std::size_t kMany = 20;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kMany; ++i) {
        names.push_back(fmt::format("range {} of {}", i + 1, kMany));
    }
    for (int turn = 0; turn < 3; ++turn) {
        std::vector<Ranges<float>> all(kMany, random_ranges<float>(replicas, 257));
        const auto answers = StrategyReplicas::on_threads(replicas, [&](std::uint32_t replica) {
            for (std::size_t i = 0; i < kMany; ++i) {
                Answer answer = team.start(replica, all[i][replica], {.name = names[i]});
                if (answer.status != SLUICE_OK) {
                    return answer;
                }
            }
            return team.finish(replica);
        });
        const Ranges<float> before = random_ranges<float>(replicas, 257);
        expect(answers.front().status == SLUICE_OK, "many collectives at once fail: " + answers.front().message);
        for (const Ranges<float>& ranges : all) {
            expect(ranges.back()[3] == sum_of(before, 3, 0, replicas),
                   "one of many collectives at once gives a wrong sum");
        }
    }
}

void returns_where_nothing_was_started(Trial& trial) {
    const StrategyReplicas team(trial, 2);
    const auto begin = Clock::now();
    const Answer answer = team.finish(0, 5.0);
    expect(answer.status == SLUICE_OK && Clock::now() - begin < std::chrono::seconds(2),
           fmt::format("finish() waits or fails although nothing was started: {}", answer.message));
}

void starts_without_the_others(Trial& trial) {
    const StrategyReplicas team(trial, 2);
    expect_cpu(team);
    expect_several(team);
    Ranges<float> ranges = random_ranges<float>(team.size(), 64);
    trial.doing("start() of the first replica, before the others call it");
    const auto begin = Clock::now();
    const Answer first = team.start(0, ranges[0], {});
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    expect(first.status == SLUICE_OK, "start() of the first replica fails: " + first.message);
    expect(seconds < 1.5,
           fmt::format("start() waits for the other replicas: it took {:.1f} s before they called it", seconds));
    const auto answers = StrategyReplicas::on_threads(team.size(), [&](std::uint32_t i) {
        const Answer started = i == 0 ? Answer() : team.start(i, ranges[i], {});
        return started.status == SLUICE_OK ? team.finish(i) : started;
    });
    for (const Answer& answer : answers) {
        expect(answer.status == SLUICE_OK, "a collective that one replica started early fails: " + answer.message);
    }
}

// The last replica does not call start().
void names_who_does_not_come(Trial& trial) {
    const StrategyReplicas team(trial, 4);
    expect_several(team);
    const std::uint32_t absent = team.size() - 1;
    Ranges<float> ranges = random_ranges<float>(absent + 1, 64);
    constexpr double kSeconds = 1.0;
    const auto begin = Clock::now();
    const auto answers = StrategyReplicas::on_threads(absent, [&](std::uint32_t i) {
        const Answer started = team.start(i, ranges[i], {.name = "the missed one"});
        return started.status == SLUICE_OK ? team.finish(i, kSeconds) : started;
    });
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    for (const Answer& answer : answers) {
        expect(answer.status == SLUICE_REPLICA_LOST,
               fmt::format("finish() returns status {} if a replica is missing; expected SLUICE_REPLICA_LOST",
                           answer.status));
        expect(
            answer.message.find(std::to_string(absent)) != std::string::npos &&
                answer.message.find("the missed one") != std::string::npos,
            fmt::format(
                "finish() reports '{}'; expected the number of the missing replica, {}, and the name 'the missed one'",
                answer.message, absent));
    }
    expect(seconds < kSeconds + 5.0, fmt::format("finish() waited {:.1f} s instead of {} s", seconds, kSeconds));
}

void names_who_is_out_of_step(Trial& trial) {
    const StrategyReplicas team(trial, 2);
    expect_several(team);
    Ranges<float> ranges = random_ranges<float>(team.size(), 64);
    const auto answers = StrategyReplicas::on_threads(team.size(), [&](std::uint32_t i) {
        const Answer started = team.start(i, ranges[i], {.name = i == 0 ? "losses" : "statistics"});
        return started.status == SLUICE_OK ? team.finish(i, 5.0) : started;
    });
    const auto one = std::ranges::find(answers, std::int32_t{SLUICE_REPLICA_LOST}, &Answer::status);
    expect(one != answers.end(), "no replica gets an error, although they started different collectives");
    expect(one->message.find("losses") != std::string::npos && one->message.find("statistics") != std::string::npos,
           fmt::format("replicas started 'losses' and 'statistics', but the error does not name both: '{}'",
                       one->message));
    expect(answers[1].status != SLUICE_OK,
           "a replica that started another collective than the first one gets no error");
}

void ends_waits_at_abort(Trial& trial) {
    const StrategyReplicas team(trial, 4);
    expect_several(team);
    const std::uint32_t present = team.size() - 1;
    Ranges<float> ranges = random_ranges<float>(present + 1, 64);
    std::jthread abort([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        const std::string reason = "the user has had enough";
        team.strategy().abort(reason);
    });
    const auto begin = Clock::now();
    const auto answers = StrategyReplicas::on_threads(present, [&](std::uint32_t i) {
        const Answer started = team.start(i, ranges[i], {});
        return started.status == SLUICE_OK ? team.finish(i, 4.0) : started;
    });
    abort.join();
    for (const Answer& answer : answers) {
        expect(answer.status == SLUICE_REPLICA_LOST && answer.message.find("had enough") != std::string::npos,
               fmt::format("after abort('the user has had enough') a wait returns status {}, '{}'; expected "
                           "SLUICE_REPLICA_LOST with the reason",
                           answer.status, answer.message));
    }
    expect(Clock::now() - begin < std::chrono::seconds(10), "abort() does not end the waits of replicas");
    const Answer late = team.start(0, ranges[0], {});
    expect(late.status == SLUICE_REPLICA_LOST || team.finish(0, 2.0).status == SLUICE_REPLICA_LOST,
           "start() and finish() succeed after abort()");
}

void refuses_unknown_kinds(Trial& trial) {
    const StrategyReplicas team(trial, 1);
    Ranges<float> ranges = random_ranges<float>(team.size(), 64);
    const auto answers = StrategyReplicas::on_threads(
        team.size(), [&](std::uint32_t i) { return team.run_collective(i, ranges[i], {.kind = 99}); });
    expect(answers.front().status == SLUICE_UNSUPPORTED,
           fmt::format("a collective of the unknown kind 99 returns status {}; expected SLUICE_UNSUPPORTED",
                       answers.front().status));
}

void strategy_takes_structs_of_any_size(Trial& trial) {
    const StrategyReplicas team(trial, 2);
    const Ranges<float> before = random_ranges<float>(team.size(), 64);
    expect(team.exchange(before, {.is_larger = true}) == team.exchange(before, {}),
           "start() gives another result with a larger sluice_collective");
    for (const bool is_larger : {false, true}) {
        SizedStruct<sluice_topology> topology(is_larger);
        expect(
            ask(team.strategy().object().table()->topology, team.strategy().object().self(), &topology.value).status ==
                    SLUICE_OK &&
                topology.is_intact() && topology.value.world_replicas == team.strategy().topology().world_replicas,
            "topology() writes past the struct_size of sluice_topology, or changes struct_size");
    }
}

class StrategyTestObject final : public TestObject {
public:
    explicit StrategyTestObject(Trial& trial) : team_(trial, 2) {}
    std::string use() override {
        std::string text;
        for (const auto& range : team_.exchange(random_ranges<float>(team_.size(), 100), {})) {
            text.append(reinterpret_cast<const char*>(range.data()), range.size() * sizeof(float));
        }
        return text;
    }
    [[nodiscard]] std::string why_one_at_a_time() const override {
        return team_.is_on_cpu() ? "" : "strategies that share devices may wait for each other forever";
    }

private:
    StrategyReplicas team_;
};

Answer create_strategy(Trial& trial, const sluice_value* options, void** self) {
    return ask(trial.table<sluice_strategy>().create, trial.component().host, options, count_local_replicas(trial, 2),
               self);
}

std::unique_ptr<TestObject> make_strategy_test_object(Trial& trial) {
    return std::make_unique<StrategyTestObject>(trial);
}

constexpr Case kStrategyCases[] = {
    {"strategy.sums", "Collectives give what the header says, to the bit, for 1, 2 and 4 replicas.",
     sums_in_the_order_of_the_header},
    {"strategy.narrow", "A sum sent as bfloat16 is the same on all replicas.", rounds_alike_on_a_narrow_wire},
    {"strategy.many", "Many collectives can be in flight at once.", takes_several_at_once},
    {"strategy.starts", "start() returns without waiting for the other replicas.", starts_without_the_others},
    {"strategy.nothing_started", "finish() returns at once if nothing was started.", returns_where_nothing_was_started},
    {"strategy.absent", "A missing replica is named in time, with the collective that it missed.",
     names_who_does_not_come},
    {"strategy.out_of_step", "Replicas that start different collectives get an error with both names.",
     names_who_is_out_of_step},
    {"strategy.abort", "abort() ends all waits, now and later, with its reason.", ends_waits_at_abort},
    {"strategy.unknown", "An unknown kind of collective gives SLUICE_UNSUPPORTED.", refuses_unknown_kinds},
    {"strategy.struct_sizes",
     "Larger structs of a newer host are accepted, and nothing is written after their known part.",
     strategy_takes_structs_of_any_size},
};

}  // namespace

const KindCases& strategy_cases() {
    static constexpr KindCases kStrategy{{make_strategy_test_object, create_strategy, destroy_plain<sluice_strategy>},
                                         kStrategyCases};
    return kStrategy;
}

}  // namespace sluice::check
