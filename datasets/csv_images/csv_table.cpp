#include "csv_table.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "file_kinds/file_kind.hpp"
#include "shared_files/counted.hpp"
#include "shared_files/working_folder.hpp"
#include "sluice/sdk/guard.hpp"

namespace fs = std::filesystem;

namespace sluice::csv_images {
namespace {

std::string at_line(const fs::path& file, std::size_t line) {
    return file.string() + ":" + std::to_string(line) + ": ";
}

std::string read_text(const fs::path& file) {
    std::error_code unused;
    if (fs::is_directory(file, unused)) {
        throw sdk::Failure(SLUICE_INVALID, "option 'file': '" + file.string() + "' is a folder");
    }
    std::ifstream stream(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream) {
        const std::string reason = std::generic_category().message(errno);
        throw sdk::Failure(SLUICE_INVALID, "option 'file': '" + file.string() + "' cannot be read: " + reason +
                                               shared_files::working_folder_text(file));
    }
    return text;
}

// Parses the text in one pass.
class Reader {
public:
    Reader(const fs::path& file, std::string_view text) : file_(file), text_(text) {
        constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
        if (text_.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
            at_ = kByteOrderMark.size();
        }
    }

    // False at the end of the text.
    bool next(CsvRow& row) {
        while (end_line()) {
        }
        if (at_ == text_.size()) {
            return false;
        }
        row = {line_, {cell()}};
        while (at_ < text_.size() && text_[at_] == ',') {
            ++at_;
            row.cells.push_back(cell());
        }
        if (at_ < text_.size() && !end_line()) {
            bad(line_, text_[at_] == '"' ? "a quote inside a cell that does not begin with one"
                                         : "a quoted cell continues after its closing quote");
        }
        return true;
    }

private:
    [[noreturn]] void bad(std::size_t line, const std::string& message) const {
        throw sdk::Failure(SLUICE_BAD_SAMPLE, at_line(file_, line) + message);
    }

    // Skips a line ending; false if there is none.
    bool end_line() {
        for (const std::string_view end : {"\n", "\r\n"}) {
            if (text_.substr(at_, end.size()) == end) {
                at_ += end.size();
                ++line_;
                return true;
            }
        }
        return false;
    }

    std::string cell() { return at_ < text_.size() && text_[at_] == '"' ? quoted_cell() : plain_cell(); }

    std::string plain_cell() {
        const std::size_t end = std::min(text_.find_first_of(",\"\n", at_), text_.size());
        std::string_view cell = text_.substr(at_, end - at_);
        if (end < text_.size() && text_[end] == '\n' && !cell.empty() && cell.back() == '\r') {
            cell.remove_suffix(1);
        }
        if (cell.find_first_of(std::string_view("\r\0", 2)) != cell.npos) {
            bad(line_, "a carriage return or a zero byte in a cell; text in UTF-8 with line feeds is needed");
        }
        at_ += cell.size();
        return std::string(cell);
    }

    // Reads a quoted cell, in which two quotes stand for one.
    std::string quoted_cell() {
        const std::size_t line = line_;
        std::string cell;
        for (;;) {
            const std::size_t begin = at_ + 1;
            const std::size_t end = text_.find('"', begin);
            if (end == text_.npos) {
                bad(line, "a quote opens a cell, and none closes it");
            }
            cell += text_.substr(begin, end - begin);
            at_ = end + 1;
            if (at_ == text_.size() || text_[at_] != '"') {
                line_ += static_cast<std::size_t>(std::count(cell.begin(), cell.end(), '\n'));
                return cell;
            }
            cell += '"';
        }
    }

    const fs::path& file_;
    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
};

}  // namespace

CsvTable::CsvTable(fs::path file) : file_(std::move(file)) {
    const std::string text = read_text(file_);
    if (const auto other = file_kinds::find_no_text(text)) {
        const auto end = text.begin() + static_cast<std::ptrdiff_t>(other->at);
        bad(static_cast<std::size_t>(std::count(text.begin(), end, '\n')) + 1,
            "not a CSV file but " + other->kind + "; text in UTF-8 is needed");
    }
    Reader reader(file_, text);
    if (!reader.next(names_)) {
        bad(1, "the file is empty; a line with the names of its columns is needed");
    }
    for (CsvRow row; reader.next(row);) {
        if (row.cells.size() != names_.cells.size()) {
            bad(row.line, shared_files::counted(row.cells.size(), "cell") + ", but the first line names " +
                              shared_files::counted(names_.cells.size(), "column"));
        }
        rows_.push_back(std::move(row));
    }
    if (rows_.empty()) {
        bad(names_.line, "there are no rows below the names of the columns");
    }
}

std::size_t CsvTable::column(const std::string& name, const std::string& option) const {
    const auto& names = names_.cells;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end() && std::find(found + 1, names.end(), name) == names.end()) {
        return static_cast<std::size_t>(found - names.begin());
    }
    std::string list;
    for (const std::string& each : names) {
        list += (list.empty() ? "'" : ", '") + each + "'";
    }
    const bool is_one = names.size() == 1 && names.front().find_first_of(";\t|") != std::string::npos;
    throw sdk::Failure(SLUICE_INVALID, at_line(file_, names_.line) +
                                           (found == names.end() ? "no column" : "two columns") + " '" + name +
                                           "' for option '" + option + "'; the columns are " + list +
                                           (is_one ? "; commas separate the cells of a line" : ""));
}

std::string CsvTable::place(std::size_t line) const { return at_line(file_, line); }

void CsvTable::bad(std::size_t line, const std::string& message) const {
    throw sdk::Failure(SLUICE_BAD_SAMPLE, place(line) + message);
}

}  // namespace sluice::csv_images
