// The contract of each table: one line per function with the rules that its header states. From it this file builds
// tables whose functions check a call and then call the plugin.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "call_checks/checked_call.hpp"
#include "call_checks/lend.hpp"
#include "call_checks/wrap.hpp"

namespace sluice::call_checks {

// A function of a table and its rules.
template <class Member>
struct Function {
    Member member;
    FunctionRules rules;

    constexpr Function(Member its_member, const char* name, Tag tag) : member(its_member) {
        rules.name = name;
        rules.tag = tag;
    }
    // The first `void *` is such a handle instead of the object.
    [[nodiscard]] constexpr Function on(Handle handle) const { return with(&FunctionRules::on, handle); }
    // Kinds of the second and third `void *`.
    [[nodiscard]] constexpr Function takes(Handle first, Handle second = Handle::none) const {
        return with(&FunctionRules::takes, std::array{first, second});
    }
    [[nodiscard]] constexpr Function makes(Handle handle) const { return with(&FunctionRules::makes, handle); }
    // The function destroys the handle that it takes, or the object.
    [[nodiscard]] constexpr Function ends(Handle handle) const { return with(&FunctionRules::ends, handle); }
    [[nodiscard]] constexpr Function does(Mark mark) const { return with(&FunctionRules::does, mark); }
    [[nodiscard]] constexpr Function once(Mark mark) const { return does(mark).with(&FunctionRules::is_once, true); }
    [[nodiscard]] constexpr Function after(Mark mark) const { return with(&FunctionRules::after, mark); }
    [[nodiscard]] constexpr Function fills(std::uint32_t count) const { return with(&FunctionRules::fills, count); }
    template <class Value>
    [[nodiscard]] constexpr Function with(Value FunctionRules::*field, Value value) const {
        Function copy = *this;
        copy.rules.*field = value;
        return copy;
    }
};

// Specialized for each table: kId is its interface id, kFunctions a tuple in the order of the table's functions.
template <class Table>
struct TableContract;

template <class Table, std::size_t Index>
constexpr const auto& function_of() {
    return std::get<Index>(TableContract<Table>::kFunctions);
}

// Array lengths of a call: its first and last 32-bit argument, or its 64-bit argument if it has no 32-bit one.
template <class... Args>
Lengths lengths_of(Args... args) {
    Lengths lengths;
    bool has_first = false;
    const auto look = [&](auto value) {
        if constexpr (std::is_same_v<decltype(value), std::uint32_t>) {
            lengths = {has_first ? lengths.first : value, value};
            has_first = true;
        } else if constexpr (std::is_same_v<decltype(value), std::uint64_t>) {
            lengths = has_first ? lengths : Lengths{value, value};
        }
    };
    (look(args), ...);
    return lengths;
}

template <class Table, std::size_t Index, class Member>
struct Trampoline;

template <class Table, std::size_t Index, class R, class... Args>
struct Trampoline<Table, Index, R (*Table::*)(Args...) noexcept> {
    // Stands in the table instead of the plugin's function.
    static R checked(Args... args) noexcept {
        static constexpr FunctionRules kRules = function_of<Table, Index>().rules;
        return run(kRules, nullptr, args...);
    }
    // Pass `component` for a function that gets neither an object nor a host; else null.
    static R run(const FunctionRules& rules, CheckedComponent* component, Args... args) noexcept {
        CheckedCall call(rules);
        call.created_by(component);
        Lender lender(call, lengths_of(args...));
        // Braces evaluate the arguments from first to last.
        const std::tuple<Args...> lent{lender(args)...};
        if constexpr (std::is_same_v<R, sluice_status>) {
            sluice_status status = SLUICE_FAILED;
            if (call.may_begin()) {
                status = std::apply(real(call), lent);
            }
            call.end(status);
            return status;
        } else if constexpr (std::is_void_v<R>) {
            if (call.may_begin() && is_there(lent)) {
                std::apply(real(call), lent);
            }
            sluice_status status = SLUICE_OK;
            call.end(status);
        } else {
            R result{};
            if (call.may_begin()) {
                result = std::apply(real(call), lent);
            }
            sluice_status status = SLUICE_OK;
            call.end(status);
            return result;
        }
    }

private:
    static auto real(const CheckedCall& call) {
        return call.component()->template real<Table>(TableContract<Table>::kId)->*function_of<Table, Index>().member;
    }
    // A plugin may return NULL for an object without state; destroy is not called for it.
    static bool is_there(const std::tuple<Args...>& lent) {
        constexpr FunctionRules kRules = function_of<Table, Index>().rules;
        if constexpr (kRules.ends == Handle::object) {
            return std::get<0>(lent) != nullptr;
        } else if constexpr (kRules.ends == Handle::context || kRules.ends == Handle::kernel) {
            return std::get<1>(lent) != nullptr;
        } else {
            return true;
        }
    }
};

// Copies `table` with checked functions; functions that are NULL stay NULL.
template <class Table>
std::shared_ptr<const void> make_table(CheckedComponent&, const void* table) {
    auto made = std::make_shared<Table>(*static_cast<const Table*>(table));
    const auto set = [&]<std::size_t... Index>(std::index_sequence<Index...>) {
        const auto one = [&](const auto& function, auto checked) {
            if (made.get()->*function.member != nullptr) {
                made.get()->*function.member = checked;
            }
        };
        (one(function_of<Table, Index>(),
             Trampoline<Table, Index, std::remove_cvref_t<decltype(function_of<Table, Index>().member)>>::checked),
         ...);
    };
    set(std::make_index_sequence<sizeof(Table) / sizeof(void*)>());
    return made;
}

template <class Table>
std::vector<CheckedFunction> list_functions() {
    return std::apply(
        [](const auto&... function) {
            return std::vector<CheckedFunction>{
                {TableContract<Table>::kId, function.rules.name, to_string(function.rules.tag)}...};
        },
        TableContract<Table>::kFunctions);
}

template <class Table>
Wrapper wrapper_of() {
    static_assert(std::tuple_size_v<decltype(TableContract<Table>::kFunctions)> == sizeof(Table) / sizeof(void*));
    return {TableContract<Table>::kId, make_table<Table>, list_functions<Table>};
}

}  // namespace sluice::call_checks
