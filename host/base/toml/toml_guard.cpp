#include "base/toml/toml_guard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "base/error.hpp"
#include "file_kinds/file_kind.hpp"

namespace sluice {
namespace {

constexpr std::size_t kMostParts = 64;
constexpr std::size_t kMostDepth = 64;

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
bool is_white(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool ends_value(char c) { return is_white(c) || c == ',' || c == ']' || c == '}' || c == '#'; }

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }  // continuation byte of UTF-8

// Returns the first character of `text`, which is UTF-8; the character is not ASCII.
std::string_view letter(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    return text.substr(0, first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2);
}

[[noreturn]] void refuse_at(std::string_view text, std::size_t at, const std::string& name, const std::string& why) {
    const auto before = text.substr(0, at);
    const auto line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    const auto letters = std::count_if(before.begin() + static_cast<std::ptrdiff_t>(line_start), before.end(),
                                       [](char c) { return !is_continuation(c); });
    throw Error(Exit::config, fmt::format("{}:{}:{}: {}", name, std::count(before.begin(), before.end(), '\n') + 1,
                                          letters + 1, why));
}

// Advice on quotes and spaces that word processors write.
std::string advice_for(std::string_view text) {
    for (const char* const quote : {"\u201C", "\u201D", "\u201E", "\u2018", "\u2019", "\u201A", "\u00AB", "\u00BB"}) {
        if (text.starts_with(quote)) {
            return "; write straight quotes (\")";
        }
    }
    return text.starts_with("\u00A0") ? "; it is a no-break space: write a plain one" : "";
}

// True for a path such as "C:\new" or "..\train", whose single backslash TOML turns into a control character.
bool is_path_of_controls(std::string_view inner) {
    const std::size_t slash = inner.find('\\');
    const std::string_view before = inner.substr(0, slash);
    const bool is_drive = before.size() == 2 && before[1] == ':' && std::isalpha(static_cast<unsigned char>(before[0]));
    return slash != inner.npos && slash + 1 < inner.size() && (is_drive || before == "." || before == "..") &&
           std::string_view("bfnrt").find(inner[slash + 1]) != std::string_view::npos;
}

class Scanner {
public:
    Scanner(std::string_view text, const std::string& name) : text_(text), name_(name) {
        if (text_.starts_with("\xEF\xBB\xBF")) {
            at_ = 3;
        }
    }

    void all() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '#') {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (c == '"' || c == '\'') {
                quoted(c);
                value_next_ = false;
            } else if (value_next_ && c != '[' && c != '{' && !ends_value(c)) {
                bare_value();
                value_next_ = false;
            } else {
                plain(c);
            }
        }
    }

private:
    void plain(char c) {
        expect_ascii("is allowed only in quotes or in a comment");
        count(c);
        follow(c);
        ++at_;
    }

    // Skips a value without quotes. toml++ reads it to its end, whatever quotes are in it, and after a date also the
    // time.
    void bare_value() {
        const std::size_t begin = at_;
        bare_word();
        constexpr std::size_t kDate = 10;  // "2026-11-24"
        if (at_ == begin + kDate && at_ < text_.size() && text_[at_] == ' ') {
            ++at_;
            bare_word();
        }
    }

    void bare_word() {
        while (at_ < text_.size() && !ends_value(text_[at_])) {
            expect_ascii("is not allowed in a value that does not begin with a quote");
            ++at_;
        }
    }

    // Tracks where a value can begin: after = and in arrays.
    void follow(char c) {
        const bool is_array = c == '[' && value_next_;
        if (c == '[' || c == '{') {
            open_ += is_array ? 'a' : c;
        } else if ((c == ']' || c == '}') && !open_.empty()) {
            open_.pop_back();
        }
        if (!is_white(c)) {
            value_next_ = c == '=' || is_array || (c == ',' && open_.ends_with('a'));
        }
    }

    // Limits the parts of a key, which dots join, and the depth of brackets with the keys whose values they are.
    void count(char c) {
        const bool opens = c == '[' || c == '{';
        const bool closes = c == ']' || c == '}';
        if (c == '.' && ++dots_ == kMostParts) {
            refuse(fmt::format("a key has more than {} parts", kMostParts));
        }
        if (opens) {
            depths_.push_back(depth() + 1 + key_dots_);
            if (depth() > kMostDepth) {
                refuse(fmt::format("keys and brackets are nested more than {} deep", kMostDepth));
            }
        } else if (closes && !depths_.empty()) {
            depths_.pop_back();
        }
        if (opens || closes || c == '=' || c == ',' || c == '\n') {
            key_dots_ = c == '=' ? dots_ : 0;
            dots_ = 0;
        }
    }

    [[nodiscard]] std::size_t depth() const { return depths_.empty() ? 0 : depths_.back(); }

    void quoted(char quote) {
        const std::string mark(3, quote);
        const bool long_text = text_.substr(at_).starts_with(mark);
        const std::string_view end = long_text ? std::string_view(mark) : std::string_view(mark).substr(0, 1);
        if (quote == '"' && !long_text) {
            expect_no_path();
        }
        at_ += end.size();
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (text_.substr(at_).starts_with(end)) {
                at_ += end.size();
                // Up to two quotes before the closing three belong to the text.
                for (int i = 0; long_text && i < 2 && at_ < text_.size() && text_[at_] == quote; ++i) {
                    ++at_;
                }
                return;
            }
            if (c == '\n' && !long_text) {
                return;  // never closed: toml++ reports it better
            }
            ++at_;
            if (c == '\\' && quote == '"') {
                escaped(long_text);
            }
        }
    }

    void expect_no_path() const {
        const std::string_view inner = text_.substr(at_ + 1, text_.find_first_of("\"\n", at_ + 1) - at_ - 1);
        if (is_path_of_controls(inner)) {
            refuse(
                fmt::format("\"{0}\" is a path whose {1} is a control character; write \\\\ for a backslash, or put "
                            "the string in single quotes: '{0}'",
                            inner, inner.substr(inner.find('\\'), 2)));
        }
    }

    // Skips what follows a backslash.
    void escaped(bool long_text) {
        if (at_ == text_.size()) {
            return;
        }
        if (!long_text) {
            ++at_;
            return;
        }
        const bool line_goes_on = is_white(text_[at_]);
        while (at_ < text_.size() && is_white(text_[at_])) {
            ++at_;
        }
        if (at_ < text_.size()) {
            expect_ascii(
                "cannot be the first character after a backslash at the end of a line; write it as \\u and its number");
        }
        at_ += line_goes_on ? 0 : 1;
    }

    void expect_ascii(std::string_view why) const {
        if (is_ascii(text_[at_])) {
            return;
        }
        refuse(fmt::format("'{}' {}{}", letter(text_.substr(at_)), why, advice_for(text_.substr(at_))));
    }

    [[noreturn]] void refuse(const std::string& why) const { refuse_at(text_, at_, name_, why); }

    std::string_view text_;
    const std::string& name_;
    std::size_t at_ = 0;
    std::size_t dots_ = 0;             // in the current key
    std::size_t key_dots_ = 0;         // in the key whose value comes next
    std::vector<std::size_t> depths_;  // depth of each open bracket, with its keys
    std::string open_;                 // open brackets: 'a' for an array, '[' for the name of a table, '{'
    bool value_next_ = false;          // the next token is a value, not a key
};

}  // namespace

void guard_toml(std::string_view text, const std::string& name) {
    if (const auto other = file_kinds::find_no_text(text)) {
        const std::string what = fmt::format("not a TOML file but {}; text in UTF-8 is needed", other->kind);
        if (other->at == 0) {
            throw Error(Exit::config, fmt::format("{}: {}", name, what));
        }
        refuse_at(text, other->at, name, what);
    }
    Scanner(text, name).all();
}

}  // namespace sluice
