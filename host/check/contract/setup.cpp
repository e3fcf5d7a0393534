#include "check/contract/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/temporary_folder.hpp"
#include "registry/manifest/schema_check.hpp"
#include "run/predict/png_file.hpp"

namespace sluice::check {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostCopied = std::uintmax_t{64} << 20;  // bytes

Value fitting_item(const registry::OptionSchema& option) {
    if (!option.choices.empty()) {
        return option.choices.front();
    }
    // 4 is small, and differs from most defaults.
    const double number = std::clamp(4.0, option.min.value_or(-1e300), option.max.value_or(1e300));
    switch (option.type) {
        case registry::OptionSchema::Type::boolean:
            return {true, {}};
        case registry::OptionSchema::Type::integer:
            return {static_cast<std::int64_t>(number), {}};
        case registry::OptionSchema::Type::number:
            return {number, {}};
        case registry::OptionSchema::Type::string:
            break;
    }
    return {std::string("check"), {}};
}

std::uintmax_t size_of(const fs::path& path) {
    if (!fs::is_directory(path)) {
        return fs::file_size(path);
    }
    std::uintmax_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
        bytes += entry.is_regular_file() ? entry.file_size() : 0;
    }
    return bytes;
}

// Replaces a path of the user by that of a copy, which cases may damage. A path with more than kMostCopied bytes is
// used in place.
void resolve_path(Value& value, std::vector<fs::path>& copies) {
    const std::string* text = value.as_string();
    std::error_code none;
    if (text == nullptr || text->empty() || !fs::exists(*text, none)) {
        return;
    }
    const fs::path path = fs::canonical(*text);
    if (size_of(path) > kMostCopied) {
        value.data = path.string();
        return;
    }
    copies.push_back(path);
    value.data = path.filename().string();
}

// Lists the options that are not defaults, cut to 100 characters: "size = [4, 4], mode = "exact"".
std::string text_of(const registry::Schema& schema, const Table& options) {
    std::string text;
    for (const auto& [key, value] : options.entries()) {
        const auto option = std::ranges::find(schema, key, &registry::OptionSchema::name);
        if (option->default_value && to_toml(*option->default_value) == to_toml(value)) {
            continue;
        }
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", key, to_toml(value));
    }
    constexpr std::size_t kMost = 100;
    return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

Setup make_setup(const registry::ComponentManifest& component, const Table& written, const Table& given) {
    Setup setup;
    Table options = written;
    for (const auto& [key, value] : given.entries()) {
        Value own = value;
        resolve_path(own, setup.copies);
        options.set(key, own);
    }
    const std::string owner = fmt::format("{} '{}'", registry::to_string(component.kind), component.provides);
    setup.options = registry::complete(component.options, options, owner, {});
    return setup;
}

// Makes a picture with smooth areas and edges. A grey one has only four values, like class numbers.
HostTensor make_picture(const registry::CheckFile& file) {
    const std::int64_t channels = file.picture[2];
    HostTensor picture{make_spec(kUint8, file.picture), {}};
    const std::uint64_t variety = stable_hash(file.name);
    for (std::int64_t y = 0; y < file.picture[0]; ++y) {
        for (std::int64_t x = 0; x < file.picture[1]; ++x) {
            for (std::int64_t c = 0; c < channels; ++c) {
                const auto number = static_cast<std::uint64_t>(7 * x + 5 * y + 31 * c + (x / 5) * (y / 3)) + variety;
                picture.bytes.push_back(static_cast<std::uint8_t>(channels == 1 ? number / 16 % 4 : number));
            }
        }
    }
    return picture;
}

}  // namespace

Value fitting_value(const registry::OptionSchema& option) {
    if (option.default_value) {
        return *option.default_value;
    }
    Value item = fitting_item(option);
    if (!option.is_array) {
        return item;
    }
    constexpr std::size_t kSome = 4;
    return {Array(option.array_size > 0 ? static_cast<std::size_t>(option.array_size) : kSome, item), {}};
}

std::vector<Setup> make_setups(const registry::ComponentManifest& component, const Table& given) {
    std::vector<Setup> setups;
    constexpr std::size_t kMost = 3;  // setups of a layer; its other checks are for kernels
    for (const registry::CheckCase& check : component.checks) {
        const bool is_layer = component.kind == registry::Kind::layer;
        if (is_layer && (!check.then.empty() || setups.size() == kMost)) {
            continue;
        }
        Setup setup = make_setup(component, check.options, given);
        setup.files = check.files;
        setup.inputs = check.inputs;
        setups.push_back(std::move(setup));
    }
    for (Setup& setup : setups) {
        const std::string text = text_of(component.options, setup.options);
        setup.name = setups.size() > 1 && !text.empty() ? "with " + text : "";
    }
    if (setups.empty()) {
        Table written;
        for (const registry::OptionSchema& option : component.options) {
            if (option.required && given.find(option.name) == nullptr) {
                written.set(option.name, fitting_value(option));
            }
        }
        setups.push_back(make_setup(component, written, given));
        setups.back().is_guessed = given.empty();
    }
    return setups;
}

ScratchFolder::ScratchFolder(const Setup& setup, const fs::path& parent)
    : path_(new_folder(parent, "")), before_(fs::current_path()) {
    for (const registry::CheckFile& file : setup.files) {
        fs::create_directories((path_ / file.name).parent_path());
        if (file.picture.empty()) {
            std::ofstream(path_ / file.name, std::ios::binary) << file.text;
        } else {
            run::write_png(path_ / file.name, make_picture(file));
        }
    }
    for (const fs::path& original : setup.copies) {
        fs::copy(original, path_ / original.filename(), fs::copy_options::recursive);
    }
    fs::current_path(path_);
}

ScratchFolder::~ScratchFolder() {
    std::error_code none;
    fs::current_path(before_, none);
}

std::vector<fs::path> ScratchFolder::files() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(path_)) {
        if (entry.is_regular_file()) {
            files.push_back(entry.path());
        }
    }
    std::ranges::sort(files);
    return files;
}

}  // namespace sluice::check
