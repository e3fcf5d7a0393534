#include "config/pipeline_text.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "config/merge.hpp"

namespace sluice::config {
namespace {

// Lines wider than this do not move the comments of their neighbours to the right.
constexpr std::size_t kWidestColumn = 88;

std::string key_text(const std::string& key) {
    const bool is_bare = !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
        return c < 0x80 && (std::isalnum(c) != 0 || c == '_' || c == '-');
    });
    return is_bare ? key : to_toml(Value{key, {}});
}

// Returns the number of characters of UTF-8 text.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string place_of(const Origin& origin, const RecordedOrigins& recorded) {
    const auto known = recorded.lines.find(origin.line);
    const bool is_known =
        origin.kind == Origin::Kind::file && origin.file == recorded.file && known != recorded.lines.end();
    return is_known ? known->second : to_string(origin);
}

// Collects the place of a value and the places of parts that did not come from a file, each once.
void collect_origins(const Value& value, const RecordedOrigins& recorded, std::vector<std::string>& places) {
    const std::string place = place_of(value.origin, recorded);
    const bool is_new = std::find(places.begin(), places.end(), place) == places.end();
    if (places.empty() || (value.origin.kind != Origin::Kind::file && is_new && !place.empty())) {
        places.push_back(place);
    }
    if (const Array* items = value.as_array()) {
        for (const Value& item : *items) {
            collect_origins(item, recorded, places);
        }
    } else if (const Table* table = value.as_table()) {
        for (const auto& [key, inner] : table->entries()) {
            collect_origins(inner, recorded, places);
        }
    }
}

std::string origins_text(const Value& value, const RecordedOrigins& recorded) {
    std::vector<std::string> places;
    collect_origins(value, recorded, places);
    std::string text;
    for (const std::string& place : places) {
        text += (text.empty() ? "" : ", ") + place;
    }
    // A TOML comment is one line without control characters.
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
    return text;
}

bool holds_tables(const Value& value) {
    const Array* items = value.as_array();
    return items != nullptr &&
           std::any_of(items->begin(), items->end(), [](const Value& item) { return item.as_table() != nullptr; });
}

class Writer {
public:
    Writer(Origins origins, const RecordedOrigins& recorded) : origins_(origins), recorded_(recorded) {}

    void table(const Table& table, const std::string& path) {
        std::vector<Line> lines;
        bool has_tables = false;
        for (const auto& [key, value] : table.entries()) {
            if (value.as_table() != nullptr) {
                has_tables = true;
            } else {
                add_value(lines, key_text(key), value);
            }
        }
        if (!path.empty() && (!lines.empty() || !has_tables)) {
            text_ += (text_.empty() ? "[" : "\n[") + path + "]\n";
        }
        append(lines);
        for (const auto& [key, value] : table.entries()) {
            if (const Table* inner = value.as_table()) {
                this->table(*inner, join_path(path, key_text(key)));
            }
        }
    }

    [[nodiscard]] std::string take() { return std::move(text_); }

private:
    struct Line {
        std::string text;
        std::string comment;  // empty: none
    };

    void add_value(std::vector<Line>& lines, const std::string& key, const Value& value) const {
        if (!holds_tables(value)) {
            lines.push_back({key + " = " + to_toml(value), origins_text(value, recorded_)});
            return;
        }
        lines.push_back({key + " = [", place_of(value.origin, recorded_)});
        for (const Value& item : *value.as_array()) {
            lines.push_back({"  " + to_toml(item) + ",", origins_text(item, recorded_)});
        }
        lines.push_back({"]", ""});
    }

    void append(const std::vector<Line>& lines) {
        std::size_t column = 0;
        for (const Line& line : lines) {
            const std::size_t wide = width(line.text);
            column = wide <= kWidestColumn ? std::max(column, wide) : column;
        }
        for (const Line& line : lines) {
            text_ += line.text;
            if (!line.comment.empty() && origins_ == Origins::as_comments) {
                const std::size_t wide = width(line.text);
                text_ += std::string(std::max(column, wide) - wide + 2, ' ') + "# " + line.comment;
            }
            text_ += '\n';
        }
    }

    Origins origins_;
    const RecordedOrigins& recorded_;
    std::string text_;
};

}  // namespace

std::string to_pipeline_toml(const Table& resolved, Origins origins, const RecordedOrigins& recorded) {
    Writer writer(origins, recorded);
    writer.table(resolved, "");
    return writer.take();
}

}  // namespace sluice::config
