#include "base/toml/formula.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "base/text/nearest.hpp"

namespace sluice {
namespace {

constexpr std::array<std::string_view, 15> kOperators = {"==", "!=", "<=", ">=", "//", "<", ">", "+",
                                                         "-",  "*",  "/",  "%",  "(",  ")", "'"};
constexpr std::array<std::string_view, 6> kComparisons = {"==", "!=", "<=", ">=", "<", ">"};
constexpr std::array<std::string_view, 4> kProducts = {"*", "//", "/", "%"};
constexpr int kDeepest = 64;  // nested parts of a formula

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
    return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

double floor_remainder(double a, double b) { return a - std::floor(a / b) * b; }

// Computes a formula as it reads it. Parts that are not chosen are read with `is_skipped_` set: their values are 0.
class FormulaReader {
public:
    FormulaReader(const std::string& text, const Origin& origin, const Table& parameters)
        : text_(text), origin_(origin), parameters_(parameters) {}

    Value read() {
        take("=");
        Value result = choice();
        if (skip_spaces(); at_ != text_.size()) {
            fail(fmt::format("'{}' is unexpected", text_.substr(at_)));
        }
        result.origin = origin_;
        return result;
    }

private:
    Value choice() {
        const Depth depth(*this);
        if (!take_word("if")) {
            return disjunction();
        }
        const bool is_true = truth(disjunction(), "if");
        expect_word("then");
        Value first = skipping(!is_true, &FormulaReader::choice);
        expect_word("else");
        Value second = skipping(is_true, &FormulaReader::choice);
        return is_true ? first : second;
    }

    Value disjunction() {
        Value left = conjunction();
        while (take_word("or")) {
            const bool was_true = truth(left, "or");
            const Value right = skipping(was_true, &FormulaReader::conjunction);
            left = {was_true || truth(right, "or"), {}};
        }
        return left;
    }

    Value conjunction() {
        Value left = negation();
        while (take_word("and")) {
            const bool was_true = truth(left, "and");
            const Value right = skipping(!was_true, &FormulaReader::negation);
            left = {was_true && truth(right, "and"), {}};
        }
        return left;
    }

    Value negation() {
        const Depth depth(*this);
        return take_word("not") ? Value{!truth(negation(), "not"), {}} : comparison();
    }

    Value comparison() {
        Value left = sum();
        for (const std::string_view op : kComparisons) {
            if (take(op)) {
                return {compares(op, left, sum()), {}};
            }
        }
        return left;
    }

    bool compares(std::string_view op, const Value& left, const Value& right) const {
        const bool is_equality = op == "==" || op == "!=";
        if (is_equality && (left.as_string() != nullptr || left.as_bool() != nullptr)) {
            if (left.data.index() != right.data.index() && !is_skipped_) {
                fail(fmt::format("{} is compared with {}", to_toml(left), to_toml(right)));
            }
            return (left.data.index() == right.data.index() && to_toml(left) == to_toml(right)) == (op == "==");
        }
        const double a = number(left, op);
        const double b = number(right, op);
        return op == "=="   ? a == b
               : op == "!=" ? a != b
               : op == "<=" ? a <= b
               : op == ">=" ? a >= b
               : op == "<"  ? a < b
                            : a > b;
    }

    Value sum() {
        Value left = product();
        for (;;) {
            if (take("+")) {
                left = combine("+", left, product());
            } else if (take("-")) {
                left = combine("-", left, product());
            } else {
                return left;
            }
        }
    }

    Value product() {
        Value left = sign();
        for (bool is_more = true; is_more;) {
            is_more = false;
            for (const std::string_view op : kProducts) {
                if (take(op)) {
                    left = combine(op, left, sign());
                    is_more = true;
                    break;
                }
            }
        }
        return left;
    }

    Value sign() {
        const Depth depth(*this);
        return take("-") ? combine("-", Value{std::int64_t{0}, {}}, sign()) : primary();
    }

    Value primary() {
        skip_spaces();
        if (take("(")) {
            Value inner = choice();
            expect(")");
            return inner;
        }
        if (take("'")) {
            const std::size_t end = text_.find('\'', at_);
            if (end == std::string::npos) {
                fail("the text has no closing quote");
            }
            Value text{text_.substr(at_, end - at_), {}};
            at_ = end + 1;
            return text;
        }
        const char next = at_ < text_.size() ? text_[at_] : ' ';
        if (std::isdigit(static_cast<unsigned char>(next)) != 0 || next == '.') {
            return literal();
        }
        const std::string name = word();
        if (name == "true" || name == "false") {
            return {name == "true", {}};
        }
        if (name.empty()) {
            fail(at_ == text_.size() ? "a value is missing at the end"
                                     : fmt::format("'{}' is unexpected", text_.substr(at_)));
        }
        return parameter(name);
    }

    Value literal() {
        const char* const begin = text_.data() + at_;
        const char* const end = text_.data() + text_.size();
        std::int64_t integer = 0;
        double number = 0.0;
        const auto whole = std::from_chars(begin, end, integer);
        const auto broken = std::from_chars(begin, end, number);
        const bool is_whole = whole.ec == std::errc{} && whole.ptr == broken.ptr;
        if (broken.ec != std::errc{}) {
            fail(fmt::format("'{}' is no number", text_.substr(at_)));
        }
        at_ += static_cast<std::size_t>(broken.ptr - begin);
        return is_whole ? Value{integer, {}} : Value{number, {}};
    }

    Value parameter(const std::string& name) const {
        if (const Value* const value = parameters_.find(name)) {
            return is_skipped_ ? Value{std::int64_t{0}, {}} : *value;
        }
        std::vector<std::string> known;
        for (const auto& [key, value] : parameters_.entries()) {
            known.push_back(key);
        }
        fail(fmt::format("there is no parameter '{}'{}", name, suggestion(name, known)));
    }

    Value combine(std::string_view op, const Value& left, const Value& right) {
        if (is_skipped_) {
            return {std::int64_t{0}, {}};
        }
        const bool divides = op == "/" || op == "//" || op == "%";
        if (divides && number(right, op) == 0.0) {
            fail("it divides by zero");
        }
        if (left.as_int() == nullptr || right.as_int() == nullptr || op == "/") {
            return {number_of(op, number(left, op), number(right, op)), {}};
        }
        const std::int64_t a = *left.as_int();
        const std::int64_t b = *right.as_int();
        std::int64_t result = 0;
        const bool overflows = op == "+"   ? __builtin_add_overflow(a, b, &result)
                               : op == "-" ? __builtin_sub_overflow(a, b, &result)
                               : op == "*" ? __builtin_mul_overflow(a, b, &result)
                                           : b == -1 && a == std::numeric_limits<std::int64_t>::min();
        if (overflows) {
            fail(fmt::format("{} {} {} is too large for an integer", a, op, b));
        }
        if (divides) {
            result = op == "//" ? floor_quotient(a, b) : a - floor_quotient(a, b) * b;
        }
        return {result, {}};
    }

    static double number_of(std::string_view op, double a, double b) {
        return op == "+"    ? a + b
               : op == "-"  ? a - b
               : op == "*"  ? a * b
               : op == "/"  ? a / b
               : op == "//" ? std::floor(a / b)
                            : floor_remainder(a, b);
    }

    [[nodiscard]] double number(const Value& value, std::string_view op) const {
        if (is_skipped_) {
            return 1.0;
        }
        if (value.as_int() == nullptr && value.as_float() == nullptr) {
            fail(fmt::format("'{}' needs numbers, and {} is {}", op, to_toml(value), kind_name(value)));
        }
        return value.as_int() != nullptr ? static_cast<double>(*value.as_int()) : *value.as_float();
    }

    [[nodiscard]] bool truth(const Value& value, std::string_view op) const {
        if (is_skipped_) {
            return false;
        }
        if (value.as_bool() == nullptr) {
            fail(fmt::format("'{}' needs true or false, and {} is {}", op, to_toml(value), kind_name(value)));
        }
        return *value.as_bool();
    }

    Value skipping(bool is_skipped, Value (FormulaReader::*part)()) {
        const bool before = std::exchange(is_skipped_, is_skipped_ || is_skipped);
        Value value = (this->*part)();
        is_skipped_ = before;
        return value;
    }

    void skip_spaces() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
            ++at_;
        }
    }

    // Takes the operator if it is the longest that comes next.
    bool take(std::string_view wanted) {
        skip_spaces();
        const std::string_view left = std::string_view(text_).substr(at_);
        for (const std::string_view one : kOperators) {  // longer operators come first
            if (wanted != "=" && left.starts_with(one)) {
                at_ += one == wanted ? one.size() : 0;
                return one == wanted;
            }
        }
        if (!left.starts_with(wanted)) {
            return false;
        }
        at_ += wanted.size();
        return true;
    }

    void expect(std::string_view wanted) {
        if (!take(wanted)) {
            fail(fmt::format("'{}' is missing{}", wanted, place()));
        }
    }

    // Reads a name or word; empty if none comes next.
    std::string word() {
        skip_spaces();
        std::size_t end = at_;
        while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 || text_[end] == '_')) {
            ++end;
        }
        return text_.substr(std::exchange(at_, end), end - at_);
    }

    bool take_word(std::string_view wanted) {
        const std::size_t before = at_;
        if (word() == wanted) {
            return true;
        }
        at_ = before;
        return false;
    }

    void expect_word(std::string_view wanted) {
        if (!take_word(wanted)) {
            fail(fmt::format("'{}' is missing{}", wanted, place()));
        }
    }

    [[nodiscard]] std::string place() const {
        return at_ == text_.size() ? std::string(" at the end") : fmt::format(" before '{}'", text_.substr(at_));
    }

    [[noreturn]] void fail(const std::string& why) const {
        throw Error(Exit::config,
                    fmt::format("{}: the formula \"{}\" cannot be computed: {}", to_string(origin_), text_, why));
    }

    // Counts nested parts, so that a hostile formula cannot overflow the stack.
    class Depth {
    public:
        explicit Depth(FormulaReader& reader) : reader_(reader) {
            if (++reader_.depth_ > kDeepest) {
                reader_.fail(fmt::format("it has more than {} nested parts", kDeepest));
            }
        }
        ~Depth() { --reader_.depth_; }
        Depth(const Depth&) = delete;
        Depth& operator=(const Depth&) = delete;

    private:
        FormulaReader& reader_;
    };

    const std::string& text_;
    const Origin& origin_;
    const Table& parameters_;
    std::size_t at_ = 0;
    int depth_ = 0;
    bool is_skipped_ = false;
};

}  // namespace

Value substitute(const Value& written, const Table& parameters) {
    if (const std::string* const text = written.as_string(); text != nullptr && text->starts_with('=')) {
        return FormulaReader(*text, written.origin, parameters).read();
    }
    Value result = written;
    if (auto* const items = std::get_if<Array>(&result.data)) {
        for (Value& item : *items) {
            item = substitute(item, parameters);
        }
    } else if (auto* const table = std::get_if<Table>(&result.data)) {
        for (auto& [key, inner] : table->entries()) {
            inner = substitute(inner, parameters);
        }
    }
    return result;
}

}  // namespace sluice
