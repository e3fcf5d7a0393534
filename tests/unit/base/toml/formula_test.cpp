// Formulas: what they compute, and what is said of those that are wrong.
#include "base/toml/formula.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/error.hpp"
#include "base/toml/toml.hpp"

namespace sluice {
namespace {

Value computed(const std::string& formula) {
    const Table parameters = parse_toml("n = 7\nx = 0.5\nyes = true\nname = 'same'\nsizes = [1, 2]", "parameters");
    return substitute({formula, {Origin::Kind::file, "a.toml", 3, 4}}, parameters);
}

std::string text_of(const std::string& formula) {
    try {
        return to_toml(computed(formula));
    } catch (const Error& error) {
        EXPECT_EQ(error.exit(), Exit::config);
        return error.what();
    }
}

TEST(Formula, formulas_compute_with_integers_and_numbers) {
    EXPECT_EQ(text_of("= 4 * n"), "28");
    EXPECT_EQ(text_of("=2 + 3 * n - 1"), "22");
    EXPECT_EQ(text_of("= (2 + 3) * n"), "35");
    EXPECT_EQ(text_of("= n / 2"), "3.5");
    EXPECT_EQ(text_of("= n // 2"), "3");
    EXPECT_EQ(text_of("= -n // 2"), "-4");
    EXPECT_EQ(text_of("= -n % 4"), "1");
    EXPECT_EQ(text_of("= 7.5 // 2"), "3.0");
    EXPECT_EQ(text_of("= x * 2"), "1.0");
    EXPECT_EQ(text_of("= 1e3 - 1"), "999.0");
}

TEST(Formula, formulas_choose) {
    EXPECT_EQ(text_of("= if n > 5 then 'valid' else name"), "\"valid\"");
    EXPECT_EQ(text_of("= if not yes then 1 else if n == 7 then 2 else 3"), "2");
    EXPECT_EQ(text_of("= n >= 7 and x < 1 or false"), "true");
    EXPECT_EQ(text_of("= name == 'same'"), "true");
    EXPECT_EQ(text_of("= name != 'same'"), "false");
    EXPECT_EQ(text_of("= n == 7.0"), "true");
    EXPECT_EQ(text_of("= sizes"), "[1, 2]");
}

// The part that is not chosen may be impossible.
TEST(Formula, formulas_compute_only_what_is_chosen) {
    EXPECT_EQ(text_of("= if n == 0 then 1 // 0 else 5"), "5");
    EXPECT_EQ(text_of("= yes or 1 // 0 > 0"), "true");
    EXPECT_EQ(text_of("= not yes and name > 0"), "false");
}

TEST(Formula, formulas_are_found_in_tables_and_arrays) {
    const Table parameters = parse_toml("n = 2", "parameters");
    const Value written{parse_toml("a = { b = [1, '= n + 1', 'same'] }", "text"), {}};
    EXPECT_EQ(to_toml(substitute(written, parameters)), "{ a = { b = [1, 3, \"same\"] } }");
    EXPECT_EQ(to_string(computed("= n").origin), "a.toml:3:4");
}

TEST(Formula, wrong_formulas_are_named) {
    const auto message = [](const std::string& formula, const std::string& why) {
        return "a.toml:3:4: the formula \"" + formula + "\" cannot be computed: " + why;
    };
    for (const auto& [formula, why] : std::vector<std::pair<std::string, std::string>>{
             {"= m", "there is no parameter 'm'; did you mean 'n'?"},
             {"= 2 *", "a value is missing at the end"},
             {"= 2 * * 3", "'* 3' is unexpected"},
             {"= (2", "')' is missing at the end"},
             {"= 2 3", "'3' is unexpected"},
             {"= n // 0", "it divides by zero"},
             {"= name + 1", "'+' needs numbers, and \"same\" is a string"},
             {"= if n then 1 else 2", "'if' needs true or false, and 7 is an integer"},
             {"= if yes 1 else 2", "'then' is missing before '1 else 2'"},
             {"= name == 1", "\"same\" is compared with 1"},
             {"= 'same", "the text has no closing quote"},
             {"= 9223372036854775807 + 1", "9223372036854775807 + 1 is too large for an integer"},
             {"=", "a value is missing at the end"}}) {
        EXPECT_EQ(text_of(formula), message(formula, why));
    }
    const std::string deep = "= " + std::string(1000, '(') + "1" + std::string(1000, ')');
    EXPECT_EQ(text_of(deep), message(deep, "it has more than 64 nested parts"));
}

}  // namespace
}  // namespace sluice
