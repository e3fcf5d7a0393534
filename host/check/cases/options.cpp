// Cases for every kind: the options of the manifest's schema.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "check/contract/cases.hpp"
#include "registry/manifest/schema_check.hpp"

namespace sluice::check {
namespace {

using registry::OptionSchema;

void makes_an_object(Trial& trial) { trial.make(); }

void expect_refused(Trial& trial, const std::string& name, const Value& value) {
    Table options = trial.options();
    options.set(name, value);
    try {
        registry::complete(trial.manifest().options, options, "it", {});
    } catch (const Error&) {
        return;
    }
    throw Broken(fmt::format("the schema accepts {} = {}", name, to_toml(value)));
}

Value in_an_array(const OptionSchema& option, const Value& item) {
    const auto size = static_cast<std::size_t>(option.array_size);
    return option.is_array ? Value{Array(std::max<std::size_t>(size, 1), item), {}} : item;
}

void refuses_what_the_schema_excludes(Trial& trial) {
    expect_refused(trial, "no_such_option", {true, {}});
    for (const OptionSchema& option : trial.manifest().options) {
        const bool is_text = option.type == OptionSchema::Type::string;
        expect_refused(trial, option.name,
                       in_an_array(option, is_text ? Value{true, {}} : Value{std::string("x"), {}}));
        if (is_text && !option.choices.empty()) {
            expect_refused(trial, option.name, in_an_array(option, {std::string("no such choice"), {}}));
        }
        for (const double beyond : {option.min.value_or(NAN) - 1.0, option.max.value_or(NAN) + 1.0}) {
            if (std::isfinite(beyond) && std::abs(beyond) < 1e15) {
                const bool is_whole = option.type == OptionSchema::Type::integer;
                expect_refused(
                    trial, option.name,
                    in_an_array(option, is_whole ? Value{static_cast<std::int64_t>(beyond), {}} : Value{beyond, {}}));
            }
        }
    }
}

// Values at the ends of the range that the schema accepts.
std::vector<Value> ends_of(const OptionSchema& option) {
    std::vector<Value> ends;
    const auto add_number = [&](double end) {
        if (option.type == OptionSchema::Type::integer) {
            constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
            constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
            ends.push_back({end >= 0x1p63 ? kMost : end < -0x1p63 ? kLeast : static_cast<std::int64_t>(end), {}});
        } else {
            ends.push_back({end, {}});
        }
    };
    switch (option.type) {
        case OptionSchema::Type::boolean:
            return {{false, {}}, {true, {}}};
        case OptionSchema::Type::integer:
        case OptionSchema::Type::number:
            add_number(option.min.value_or(-1e300));
            add_number(option.max.value_or(1e300));
            if (option.min.value_or(-1.0) <= 0.0 && option.max.value_or(1.0) >= 0.0) {
                add_number(0.0);
            }
            return ends;
        case OptionSchema::Type::string:
            break;
    }
    return option.choices.empty() ? std::vector<Value>{{std::string(), {}}, {std::string(5000, 'x'), {}}}
                                  : option.choices;
}

void try_value(Trial& trial, const std::string& name, const Value& value) {
    Table options = trial.options();
    options.set(name, value);
    std::string text = to_toml(value);
    text = text.size() > 60 ? text.substr(0, 60) + "..." : text;
    const std::string call = fmt::format("create() with {} = {}", name, text);
    trial.doing(call);
    void* self = nullptr;
    const Answer answer = trial.create(registry::complete(trial.manifest().options, options, "it", {}), self);
    trial.expect_reason(answer, call);
    expect(answer.status != SLUICE_CANCELLED && answer.status != SLUICE_REPLICA_LOST,
           fmt::format("{} returns status {}; expected SLUICE_INVALID for a wrong option", call, answer.status));
    if (answer.status == SLUICE_FAILED) {
        trial.warn(fmt::format("{} returns SLUICE_FAILED ('{}'); expected SLUICE_INVALID for a wrong option", call,
                               answer.message));
    }
    trial.destroy(self);
}

void takes_or_refuses_the_ends(Trial& trial) {
    trial.make();
    for (const OptionSchema& option : trial.manifest().options) {
        for (const Value& end : ends_of(option)) {
            try_value(trial, option.name, in_an_array(option, end));
        }
        if (option.is_array && option.array_size == 0) {
            try_value(trial, option.name, {Array{}, {}});
        }
    }
}

constexpr Case kOptionsCases[] = {
    {"options.schema", "The schema refuses unknown names, wrong types and values out of range before create().",
     refuses_what_the_schema_excludes},
    {"creates", "An object can be made with the options of the manifest's checks, or with the defaults.",
     makes_an_object, true},
    {"options.ends",
     "create() accepts each option at both ends of its range or refuses it with a reason, and never crashes.",
     takes_or_refuses_the_ends},
};

}  // namespace

std::span<const Case> option_cases() { return kOptionsCases; }

}  // namespace sluice::check
