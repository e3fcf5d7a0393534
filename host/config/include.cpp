#include "config/include.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text/nearest.hpp"
#include "base/toml/toml.hpp"
#include "config/environment_variables.hpp"
#include "config/installed_files.hpp"
#include "config/merge.hpp"

namespace sluice::config {
namespace {

namespace fs = std::filesystem;

// Returns "; did you mean 'deblur.toml'?" from the pipelines in the folder of a missing file.
std::string nearest_file(const fs::path& missing) {
    std::vector<std::string> names;
    const fs::path folder = missing.has_parent_path() ? missing.parent_path() : fs::path(".");
    std::error_code none;
    for (fs::directory_iterator at(folder, none), end; at != end; at.increment(none)) {
        if (at->path().extension() == ".toml") {
            names.push_back(at->path().filename().string());
        }
    }
    std::sort(names.begin(), names.end());
    return suggestion(missing.filename().string(), names);
}

class IncludeReader {
public:
    Table read(const fs::path& file) {
        open_.push_back({file, canonical(file)});
        Table own = parse(file);
        Table merged;
        if (const Value* include = own.find("include")) {
            merged = read_all(*include, file);
            own.erase("include");
        }
        merge_over(merged, std::move(own));
        open_.pop_back();
        return merged;
    }

private:
    struct OpenFile {
        fs::path name;  // as the user or the include gave it
        fs::path canonical;
    };

    // Returns `file` itself if it cannot be resolved.
    static fs::path canonical(const fs::path& file) {
        std::error_code problem;
        const fs::path found = fs::weakly_canonical(file, problem);
        return problem ? file : found;
    }

    Table parse(const fs::path& file) const {
        std::error_code problem;
        if (const fs::file_status status = fs::status(file, problem); !fs::is_regular_file(status)) {
            throw Error(Exit::config,
                        fmt::format("{}: {}{}", file.string(),
                                    fs::status_known(status) ? "there is no such pipeline file" + nearest_file(file)
                                                             : problem.message(),
                                    chain()));
        }
        const std::string text = read_file(file);
        if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
            throw Error(Exit::config, fmt::format("{}: the file is empty{}", file.string(), chain()));
        }
        try {
            return parse_toml(text, file.string());
        } catch (const Error& bad) {
            throw Error(Exit::config, bad.what() + chain());
        }
    }

    Table read_all(Value include, const fs::path& from) {
        expand_environment(include);
        if (include.as_string() != nullptr) {
            include.data = Array{include};
        }
        const Array* files = include.as_array();
        if (files == nullptr) {
            refuse(include);
        }
        Table merged;
        for (const Value& file : *files) {
            if (file.as_string() == nullptr) {
                refuse(file);
            }
            merge_over(merged, read_one(*file.as_string(), file.origin, from));
        }
        return merged;
    }

    Table read_one(const std::string& written, const Origin& origin, const fs::path& from) {
        fs::path file = (from.parent_path() / written).lexically_normal();
        std::error_code problem;
        const fs::file_status status = fs::status(file, problem);
        // A file that includes its own name means the installed pipeline of that name.
        if (!fs::is_regular_file(status) || canonical(file) == open_.back().canonical) {
            const auto installed = installed_pipeline(written);
            if (!installed && fs::is_regular_file(status)) {
                throw Error(Exit::config, fmt::format("{}: cannot include \"{}\": this is the file itself{}",
                                                      to_string(origin), written, chain()));
            }
            if (!installed) {
                throw Error(Exit::config,
                            fmt::format("{}: cannot include \"{}\": {}{}", to_string(origin), written,
                                        fs::status_known(status)
                                            ? fmt::format("there is no file {}{}", file.string(), nearest_file(file))
                                            : fmt::format("{}: {}", file.string(), problem.message()),
                                        chain()));
            }
            file = *installed;
        }
        const fs::path found = canonical(file);
        if (std::any_of(open_.begin(), open_.end(), [&](const OpenFile& one) { return one.canonical == found; })) {
            throw Error(Exit::config, fmt::format("{}: cannot include \"{}\": that file includes this one{}",
                                                  to_string(origin), written, chain()));
        }
        sites_.push_back(origin);
        Table table = read(file);
        sites_.pop_back();
        return table;
    }

    [[noreturn]] void refuse(const Value& include) const {
        throw Error(Exit::config,
                    fmt::format("{}: include is {} ({}); a file's name, or an array of them, is needed{}",
                                to_string(include.origin), kind_name(include), to_toml(include), chain()));
    }

    // Lists the includes that led to the file being read, the nearest first.
    [[nodiscard]] std::string chain() const {
        std::string text;
        for (auto site = sites_.rbegin(); site != sites_.rend(); ++site) {
            text += "\n  included from " + to_string(*site);
        }
        return text;
    }

    std::vector<OpenFile> open_;
    std::vector<Origin> sites_;
};

}  // namespace

Table read_with_includes(const fs::path& file) { return IncludeReader().read(file); }

}  // namespace sluice::config
