// Source `csv_images`: the pictures that a CSV file lists, still encoded for a following `decode`, and their classes.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "classes.hpp"
#include "csv_table.hpp"
#include "shared_files/file_bytes.hpp"
#include "shared_files/file_identity.hpp"
#include "shared_files/log_once.hpp"
#include "shared_files/missing_files.hpp"
#include "shared_files/name_split.hpp"
#include "shared_files/near_names.hpp"
#include "shared_files/picture_folder.hpp"
#include "sluice/sdk/plugin.hpp"

namespace fs = std::filesystem;

namespace sluice::csv_images {
namespace {

// Picture's path -> class number, and -> weight.
using Labels = std::map<std::string, std::int64_t>;
using Weights = std::map<std::string, double>;

fs::path folder_of(const sdk::Options& options) {
    if (!options.has("folder")) {
        return fs::path(options.string("file")).parent_path();
    }
    shared_files::require_folder(options.string("folder"), "folder");
    return options.string("folder");
}

// Names a file that the user may have meant instead of `missing`, and how its name differs; empty: none found.
std::string near_file(const fs::path& missing) {
    if (const fs::path found = shared_files::near_path(missing); !found.empty()) {
        return "; the name of '" + found.string() + "' differs only " +
               shared_files::difference(missing.string(), found.string());
    }
    std::vector<std::string> names;
    std::error_code problem;
    fs::directory_iterator entry(missing.has_parent_path() ? missing.parent_path() : ".", problem);
    for (; !problem && entry != fs::directory_iterator(); entry.increment(problem)) {
        names.push_back(entry->path().filename().string());
    }
    std::ranges::sort(names);
    const std::string wanted = missing.filename().string();
    const auto has_stem = [&](const std::string& name) { return fs::path(name).stem() == wanted; };
    if (const auto found = std::ranges::find_if(names, has_stem); found != names.end() && !wanted.empty()) {
        return "; '" + (missing.parent_path() / *found).string() + "' is there: write names with their suffix";
    }
    return {};
}

// Suggests another value of option `folder` if the file exists relative to it; empty: none found.
std::string other_folder(const CsvTable& table, const fs::path& name) {
    std::error_code unused;
    for (const fs::path& folder : {fs::path("."), table.file().parent_path()}) {
        if (!name.empty() && fs::is_regular_file(folder / name, unused)) {
            return "; '" + (folder / name).lexically_normal().string() + "' is there: folder = \"" +
                   (folder.empty() ? "." : folder.string()) + "\" finds it";
        }
    }
    return {};
}

std::vector<std::string> missing_pictures(const CsvTable& table, std::size_t image, const fs::path& folder) {
    std::vector<std::string> missing;
    for (const CsvRow& row : table.rows()) {
        const fs::path file = folder / row.cells[image];
        const std::string why = shared_files::why_no_file(file);
        if (why.empty()) {
            continue;
        }
        missing.push_back(table.place(row.line) + why);
        if (missing.size() == 1) {  // the message has only the first in full
            const std::string other = other_folder(table, row.cells[image]);
            missing.front() += other.empty() ? near_file(file) : other;
        }
    }
    return missing;
}

Labels labels_of(const CsvTable& table, std::size_t image, const std::vector<std::int64_t>& numbers) {
    Labels labels;
    std::map<std::string, std::size_t> lines;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const CsvRow& row = table.rows()[i];
        const auto [first, is_new] = lines.emplace(row.cells[image], row.line);
        if (!is_new) {
            table.bad(row.line, "'" + first->first + "' is already in line " + std::to_string(first->second));
        }
        labels[row.cells[image]] = numbers[i];
    }
    return labels;
}

Weights weights_of(const CsvTable& table, std::size_t image, std::size_t weight) {
    Weights weights;
    for (const CsvRow& row : table.rows()) {
        const std::string& text = row.cells[weight];
        double value = 0.0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value < 0.0) {
            table.bad(row.line, "the weight '" + text + "' is not a number of at least 0");
        }
        weights[row.cells[image]] = value;
    }
    return weights;
}

NamedClasses classes_of(const sdk::Options& options, const CsvTable& table) {
    if (options.has("classes")) {
        return {table.file().string(), options.strings("classes"), true};
    }
    return {table.file().string(), sorted_classes(table, table.column(options.string("label"), "label"))};
}

// Checks that other csv_images sources of the pipeline give the classes the same numbers. If another file cannot be
// read, only a warning is logged; the source that reads that file compares it, if this run has one.
void expect_agreement_with_others(const sdk::Host& host, const sdk::Options& options, const NamedClasses& own) {
    const sluice_value* const others = options.find("others");
    for (std::uint64_t i = 0; others != nullptr && i < others->count; ++i) {
        const sdk::Options other(&others->as.items[i]);
        const bool same_file = other.string("file") == own.file && other.string("label") == options.string("label");
        if (same_file && !own.is_given && !other.has("classes")) {
            continue;
        }
        NamedClasses its;
        try {
            its = other.has("classes") ? NamedClasses{other.string("file"), other.strings("classes"), true}
                                       : classes_of(other, CsvTable(other.string("file")));
        } catch (const sdk::Failure& failure) {
            host.warn("could not check that classes have the same numbers as in '" + own.file + "': " + failure.what());
            continue;
        }
        expect_agreement(own, its);
    }
}

// Logs the classes, and warns of doubtful names unless option `classes` gave them.
void log_classes(const sdk::Host& host, const NamedClasses& classes, const std::vector<std::int64_t>& numbers) {
    shared_files::info_once(host, classes.file + ": " + describe_classes(classes.classes, numbers));
    if (!classes.is_given) {
        for (const std::string& doubt : doubtful_classes(classes.classes, numbers)) {
            shared_files::warn_once(host, classes.file + ": " + doubt);
        }
    }
}

class CsvImages : public sdk::Source, public sdk::Identity, public sdk::Sampling, public sdk::ClassNames {
public:
    CsvImages(const sdk::Host& host, const sdk::Options& options)
        : file_(options.string("file")), folder_(folder_of(options)) {
        const CsvTable table(file_);
        const std::size_t image = table.column(options.string("image"), "image");
        const std::size_t label = table.column(options.string("label"), "label");
        NamedClasses classes = classes_of(options, table);
        const std::vector<std::int64_t> numbers = number_classes(table, label, classes.classes);
        labels_ = labels_of(table, image, numbers);
        expect_agreement_with_others(host, options, classes);
        log_classes(host, classes, numbers);
        class_names_ = std::move(classes.classes);
        if (options.has("weights")) {
            weights_ = weights_of(table, image, table.column(options.string("weights"), "weights"));
        }
        shared_files::report_missing(host, options, missing_pictures(table, image, folder_), table.rows().size());
        for (const auto& [name, number] : labels_) {
            names_.push_back(name);
        }
        names_ = shared_files::split_by_name(std::move(names_), shared_files::read_split(options));
        if (const auto limit = options.maybe_integer("limit")) {
            names_.resize(std::min(names_.size(), static_cast<std::size_t>(*limit)));
        }
    }

    void describe(const sdk::FieldSink& sink) const override {
        sink.field("image", SLUICE_FIELD_ENCODED, shared_files::encoded_spec());
        sink.field("label", SLUICE_FIELD_CLASS, sdk::make_spec(sdk::kInt64, {}));
        sink.length(names_.size());
    }

    void read(sdk::WorkerContext&, std::uint64_t index, std::uint64_t, const sdk::SampleSink& sink) const override {
        const std::string& name = names_.at(index);
        const fs::path file = folder_ / name;
        sink.name(file.string());
        shared_files::read_file(file, 0, sink);
        *sink.allocate<std::int64_t>(1, sdk::make_spec(sdk::kInt64, {})) = labels_.at(name);
    }

    // The table is part of the identity, because the labels come from it.
    [[nodiscard]] std::array<std::uint64_t, 2> identity() const override {
        std::vector<std::string> files = names_;
        files.push_back(shared_files::absolute_name(file_));
        return shared_files::file_identity(folder_, files);
    }

    void classes(std::span<std::int64_t> classes) const override {
        std::ranges::transform(names_, classes.begin(), [this](const std::string& name) { return labels_.at(name); });
    }

    void weights(std::span<double> weights) const override {
        if (weights_.empty()) {
            throw sdk::Failure(SLUICE_INVALID, "option 'weights' is not set; it names the column with the weights");
        }
        std::ranges::transform(names_, weights.begin(), [this](const std::string& name) { return weights_.at(name); });
    }

    [[nodiscard]] std::string_view class_name(std::uint32_t field, std::uint64_t number) const noexcept override {
        constexpr std::uint32_t kLabel = 1;  // in describe()
        return field == kLabel && number < class_names_.size()
                   ? std::string_view(class_names_[static_cast<std::size_t>(number)])
                   : std::string_view();
    }

private:
    fs::path file_;
    fs::path folder_;
    Labels labels_;                         // of all pictures in the file
    Weights weights_;                       // of all pictures in the file; empty without option `weights`
    std::vector<std::string> class_names_;  // indexed by class number
    std::vector<std::string> names_;        // pictures of the split, sorted; paths relative to folder_
};

constexpr sluice_component kComponents[] = {sdk::component<CsvImages>("sluice.source.csv_images")};

}  // namespace
}  // namespace sluice::csv_images

SLUICE_DEFINE_PLUGIN(sluice::csv_images::kComponents)
