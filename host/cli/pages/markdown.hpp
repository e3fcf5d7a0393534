// Lays out a page of the documentation for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sluice::cli {

struct PageLayout {
    std::size_t width = 100;  // in columns
    bool is_bold = false;     // headings in bold, which only a terminal understands
};

// Wraps paragraphs, lists and the cells of tables; indents code; shows links by their text. It knows the Markdown that
// our own pages use: ATX headings, fenced code, lists, tables with pipes, inline code and links.
std::string lay_out_page(std::string_view markdown, const PageLayout& layout);

}  // namespace sluice::cli
