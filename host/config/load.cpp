#include "config/load.hpp"

#include <utility>

#include "base/error.hpp"
#include "base/toml/toml.hpp"
#include "config/include.hpp"
#include "config/keys.hpp"
#include "config/model_file.hpp"
#include "config/override.hpp"
#include "config/read_pipeline.hpp"
#include "config/table_reader.hpp"

namespace sluice::config {
namespace {

// Applies `sets`. Those that choose the model come first, so that the others can change the layers of its file.
void apply_all(Table& written, std::span<const std::string> sets) {
    const auto chooses_model = [](const std::string& set) {
        return set.starts_with("model=") || set.starts_with("model.use=");
    };
    for (const std::string& set : sets) {
        if (chooses_model(set)) {
            apply_set(written, set);
        }
    }
    expand_model(written);
    for (const std::string& set : sets) {
        if (!chooses_model(set)) {
            apply_set(written, set);
        }
    }
}

// Adds to the error of an unknown key where that key belongs.
PipelineSpec read(Table written, const std::filesystem::path& file, Training training) {
    try {
        return read_pipeline(std::move(written), file, training);
    } catch (const UnknownKey& unknown) {
        throw Error(Exit::config, unknown.what() + unknown_key_hint(unknown.key(), unknown.known(), unknown.path()));
    }
}

}  // namespace

PipelineSpec load_pipeline(const std::filesystem::path& file, std::span<const std::string> sets) {
    Table written = read_with_includes(file);
    apply_all(written, sets);
    return read(std::move(written), file, Training::needed);
}

PipelineSpec load_pipeline(const std::filesystem::path& file, std::span<const std::string> sets,
                           const Shorthand& shorthand) {
    Table written = read_with_includes(file);
    apply_all(written, sets);
    apply_set(written, shorthand.set, shorthand.option);
    return read(std::move(written), file, Training::needed);
}

PipelineSpec load_input(const std::filesystem::path& file, std::span<const std::string> sets) {
    Table written = read_with_includes(file);
    apply_all(written, sets);
    return read(std::move(written), file, Training::optional);
}

PipelineSpec load_pipeline_text(std::string_view text, const std::string& name, std::span<const std::string> sets) {
    Table written = parse_toml(text, name);
    apply_all(written, sets);
    return read(std::move(written), name, Training::needed);
}

}  // namespace sluice::config
