#include "markup.hpp"

#include <algorithm>
#include <cctype>

namespace sluice::file_kinds {
namespace {

constexpr std::string_view kHtml = "an HTML page (a download has to fetch the file itself)";
constexpr std::string_view kXml = "an XML document";

// Elements with which pages or fragments of HTML begin.
constexpr std::string_view kElements[] = {"html",   "head",  "body",     "title",  "meta",    "link",    "base",
                                          "script", "style", "noscript", "div",    "table",   "iframe",  "center",
                                          "font",   "form",  "main",     "header", "section", "article", "nav",
                                          "h1",     "h2",    "h3",       "p",      "br"};

// Letter case does not matter.
bool begins_with(std::string_view text, std::string_view word) {
    return text.size() >= word.size() && std::equal(word.begin(), word.end(), text.begin(), [](char a, char b) {
               return a == std::tolower(static_cast<unsigned char>(b));
           });
}

// True if the text begins with a tag of this element, as "<p>" or "<p class=a>", but not "<path>".
bool begins_with_tag(std::string_view text, std::string_view element) {
    if (!text.starts_with('<') || !begins_with(text.substr(1), element)) {
        return false;
    }
    const std::string_view rest = text.substr(1 + element.size());
    return rest.empty() || std::string_view(" \t\r\n\f/>").find(rest.front()) != std::string_view::npos;
}

std::string_view without_spaces(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\f"), text.size()));
    return text;
}

// Removes spaces and comments from the front. Nothing is left if a comment does not end.
std::string_view without_comments(std::string_view text) {
    for (text = without_spaces(text); text.starts_with("<!--"); text = without_spaces(text)) {
        const std::size_t end = text.find("-->", 4);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 3);
    }
    return text;
}

bool is_html(std::string_view text) {
    return begins_with(text, "<!doctype html") ||
           std::ranges::any_of(kElements, [&](std::string_view element) { return begins_with_tag(text, element); });
}

}  // namespace

std::string_view markup_kind(std::string_view begin) {
    begin.remove_prefix(begin.starts_with("\xEF\xBB\xBF") ? 3 : 0);
    const std::string_view text = without_comments(begin);
    if (text.empty() && without_spaces(begin).starts_with("<!--")) {
        return "an HTML or XML document";
    }
    if (begins_with(text, "<?xml")) {
        const std::size_t end = std::min(text.find("?>"), text.size() - 2);
        return is_html(without_comments(text.substr(end + 2))) ? kHtml : kXml;
    }
    if (begins_with(text, "<svg") || begins_with(text, "<!doctype svg")) {
        return kXml;
    }
    return is_html(text) ? kHtml : std::string_view();
}

}  // namespace sluice::file_kinds
