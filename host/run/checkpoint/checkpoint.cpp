#include "run/checkpoint/checkpoint.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <sstream>

#include "base/error.hpp"
#include "base/text/counted.hpp"
#include "config/pipeline_text.hpp"
#include "data/loader/epoch_digest.hpp"
#include "run/checkpoint/safetensors.hpp"

namespace sluice::run {
namespace {

constexpr const char* kFormat = "sluice-checkpoint/1";
const std::string kAverage = "average/";  // prefix of the names of averages

// 17 digits are enough to read back the same double.
std::string exact(double value) { return fmt::format("{:.17g}", value); }

// Checked access to a checkpoint's metadata. The checksum detects damage, but not a file that another program wrote.
class Metadata {
public:
    Metadata(const SafetensorsFile& file, const std::filesystem::path& path) : values_(file.metadata), path_(path) {}

    [[nodiscard]] bool has(const std::string& key) const { return values_.contains(key); }
    [[nodiscard]] const std::string& text(const std::string& key) const {
        const auto at = values_.find(key);
        if (at == values_.end()) {
            throw Error(Exit::config,
                        fmt::format("{}: not a Sluice checkpoint: its metadata has no '{}'", path_.string(), key));
        }
        return at->second;
    }
    [[nodiscard]] std::uint64_t count(const std::string& key) const {
        constexpr std::uint64_t kMost = std::uint64_t{1} << 53;  // low enough that sums of counts do not overflow
        const auto value = parse<std::uint64_t>(key, kCount);
        expect(value <= kMost, key, kCount);
        return value;
    }
    [[nodiscard]] double number(const std::string& key) const {
        const auto value = parse<double>(key, "a number");
        expect(!std::isnan(value), key, "a number");
        return value;
    }
    [[nodiscard]] double finite(const std::string& key) const {
        const double value = number(key);
        expect(std::isfinite(value), key, "a finite number");
        return value;
    }
    void expect(bool is_right, const std::string& key, const std::string& right) const {
        if (!is_right) {
            throw Error(Exit::config, fmt::format("{}: its metadata has {} = '{}'; it must be {}", path_.string(), key,
                                                  text(key), right));
        }
    }

private:
    static constexpr const char* kCount = "a whole number from 0 to 2^53";

    template <class Number>
    [[nodiscard]] Number parse(const std::string& key, const char* right) const {
        const std::string& written = text(key);
        Number value{};
        const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), value);
        expect(error == std::errc() && end == written.data() + written.size(), key, right);
        return value;
    }

    const std::map<std::string, std::string>& values_;
    const std::filesystem::path& path_;
};

bool is_sha256(const std::string& text) {
    constexpr std::size_t kDigits = 64;
    return text.size() == kDigits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// Every tensor of a checkpoint is float32.
void check_finite(const NamedBytes& tensor, std::uint64_t step) {
    for (std::size_t at = 0; at < tensor.bytes.size(); at += sizeof(float)) {
        float value = 0.0F;
        std::memcpy(&value, tensor.bytes.data() + at, sizeof(value));
        if (!std::isfinite(value)) {
            throw Error(Exit::diverged, fmt::format("after step {} '{}' holds {}, which is not finite; a lower "
                                                    "optimizer.rate usually helps",
                                                    step, tensor.name, value));
        }
    }
}

// Writes nothing if the loss never was scaled.
void write_loss_scale(const LossScale& scale, std::map<std::string, std::string>& metadata) {
    if (scale.value > 0.0 || scale.skipped > 0) {
        metadata["loss_scale"] = exact(scale.value);
        metadata["loss_scale_good_steps"] = std::to_string(scale.good_steps);
        metadata["loss_scale_skips_in_row"] = std::to_string(scale.skips_in_row);
        metadata["skipped_steps"] = std::to_string(scale.skipped);
    }
}

LossScale read_loss_scale(const Metadata& metadata) {
    if (!metadata.has("loss_scale")) {
        return {};
    }
    return {.value = metadata.number("loss_scale"),
            .good_steps = metadata.count("loss_scale_good_steps"),
            .skips_in_row = metadata.count("loss_scale_skips_in_row"),
            .skipped = metadata.count("skipped_steps")};
}

data::LoaderState read_data_past(const Metadata& metadata, std::uint64_t batch) {
    data::LoaderState past;
    if (metadata.has("data_digest")) {
        past.digest_state = metadata.text("data_digest");
        metadata.expect(data::EpochDigest::of_state(past.digest_state).has_value(), "data_digest",
                        "the hexadecimal state of a SHA-256");
        past.digested = metadata.has("data_digest_batches") ? metadata.count("data_digest_batches") : batch;
        metadata.expect(past.digested <= batch, "data_digest", "of at most the epoch's " + counted(batch, "batch"));
    }
    if (metadata.has("bad_samples")) {
        std::istringstream indices(metadata.text("bad_samples"));
        past.bad_samples.assign(std::istream_iterator<std::uint64_t>(indices), {});
        metadata.expect(indices.eof(), "bad_samples", "whole numbers with spaces between them");
    }
    return past;
}

// Checkpoints of earlier versions have no class names, and neither have data whose source names no classes.
data::ClassNames read_class_names(const Metadata& metadata) {
    if (!metadata.has("class_names")) {
        return {};
    }
    auto names = data::class_names_of(metadata.text("class_names"));
    metadata.expect(names.has_value(), "class_names",
                    "as JSON, for each field, a list of names: {\"label\": [\"cat\"]}");
    return std::move(*names);
}

DataFingerprint read_data_fingerprint(const Metadata& metadata) {
    DataFingerprint fingerprint;
    if (metadata.has("data_order")) {  // missing in checkpoints of earlier versions
        fingerprint.order = metadata.text("data_order");
        std::istringstream beginning(metadata.text("data_beginning"));
        metadata.expect(
            static_cast<bool>(beginning >> fingerprint.batches >> fingerprint.sha256) && is_sha256(fingerprint.sha256),
            "data_beginning", "a number of batches and a SHA-256");
    }
    return fingerprint;
}

// A run that resumed from an impossible position would train past its end.
void expect_place(const Metadata& metadata, const Progress& progress) {
    metadata.expect(progress.batch <= progress.epoch_batches, "batch",
                    fmt::format("at most epoch_batches = {}", progress.epoch_batches));
    metadata.expect(progress.epoch <= progress.step, "epoch", fmt::format("at most step = {}", progress.step));
    if (progress.best) {
        metadata.expect(progress.best_step <= progress.step, "best_step",
                        fmt::format("at most step = {}", progress.step));
    }
    if (progress.loss_scale.skipped > 0) {
        metadata.expect(progress.loss_scale.skipped <= progress.step, "skipped_steps",
                        fmt::format("at most step = {}", progress.step));
    }
}

Progress read_progress(const Metadata& metadata) {
    Progress progress;
    progress.step = metadata.count("step");
    progress.epoch = metadata.count("epoch");
    progress.batch = metadata.count("batch");
    progress.epoch_batches = metadata.count("epoch_batches");
    progress.epoch_loss = {metadata.number("epoch_loss_sum"), metadata.finite("epoch_loss_weight")};
    metadata.expect(progress.epoch_loss.weight >= 0.0, "epoch_loss_weight", "a number from 0");
    const std::string& owes = metadata.text("owes_evaluation");
    metadata.expect(owes == "0" || owes == "1", "owes_evaluation", "0 or 1");
    progress.owes_evaluation = owes == "1";
    progress.plateau.waited = metadata.count("plateau_waited");
    progress.plateau.scale = metadata.finite("plateau_scale");
    metadata.expect(progress.plateau.scale > 0.0, "plateau_scale", "a number above 0");
    progress.loader_state = read_data_past(metadata, progress.batch);
    progress.data = read_data_fingerprint(metadata);
    progress.class_names = read_class_names(metadata);
    progress.loss_scale = read_loss_scale(metadata);
    if (metadata.has("plateau_best")) {
        progress.plateau.best = metadata.finite("plateau_best");
    }
    if (metadata.has("best")) {
        progress.best = metadata.finite("best");
        progress.best_step = metadata.count("best_step");
    }
    if (metadata.has("validation_sha256")) {
        progress.validation_sha256 = metadata.text("validation_sha256");
        metadata.expect(is_sha256(progress.validation_sha256), "validation_sha256", "a SHA-256");
    }
    expect_place(metadata, progress);
    return progress;
}

std::string_view bytes_of(const WeightTensor& tensor) {
    return {reinterpret_cast<const char*>(tensor.data), byte_count(tensor.spec)};
}

// Returns all weights. If they are in device memory, `copies` receives and owns their values.
std::vector<NamedBytes> in_host_memory(Replica& replica, std::vector<std::string>& copies) {
    const registry::Device& device = *replica.runner().device();
    const std::vector<WeightTensor> tensors = replica.network().weights().tensors();
    copies.resize(device.is_host_memory() ? 0 : tensors.size());
    std::vector<NamedBytes> named;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        std::string_view bytes = bytes_of(tensors[i]);
        if (!device.is_host_memory()) {
            copies[i].resize(bytes.size());
            device.copy(copies[i].data(), tensors[i].data, bytes.size(), replica.runner().stream());
            bytes = copies[i];
        }
        named.push_back({tensors[i].name, tensors[i].spec, bytes});
    }
    replica.runner().wait();
    return named;
}

}  // namespace

void save_checkpoint(const std::filesystem::path& file, const config::PipelineSpec& spec, const Progress& progress,
                     Replica& replica, FullOptimizerStates* states) {
    std::map<std::string, std::string> metadata{
        {"format", kFormat},
        {"pipeline", config::to_pipeline_toml(spec.resolved, config::Origins::leave_out)},
        {"pipeline_name", spec.name},
        {"step", std::to_string(progress.step)},
        {"epoch", std::to_string(progress.epoch)},
        {"batch", std::to_string(progress.batch)},
        {"epoch_batches", std::to_string(progress.epoch_batches)},
        {"epoch_loss_sum", exact(progress.epoch_loss.sum)},
        {"epoch_loss_weight", exact(progress.epoch_loss.weight)},
        {"choices", replica.choices().used()},
        {"owes_evaluation", progress.owes_evaluation ? "1" : "0"},
        {"plateau_waited", std::to_string(progress.plateau.waited)},
        {"plateau_scale", exact(progress.plateau.scale)},
    };
    if (!replica.chosen_policy().empty()) {
        metadata["chosen_policy"] = replica.chosen_policy();
    }
    if (!progress.loader_state.digest_state.empty()) {
        metadata["data_digest"] = progress.loader_state.digest_state;
        metadata["data_digest_batches"] = std::to_string(progress.loader_state.digested);
    }
    if (!progress.data.sha256.empty()) {
        metadata["data_order"] = progress.data.order;
        metadata["data_beginning"] = fmt::format("{} {}", progress.data.batches, progress.data.sha256);
    }
    if (!progress.class_names.empty()) {
        metadata["class_names"] = data::to_json(progress.class_names);
    }
    if (!progress.loader_state.bad_samples.empty()) {
        metadata["bad_samples"] = fmt::format("{}", fmt::join(progress.loader_state.bad_samples, " "));
    }
    if (progress.plateau.best) {
        metadata["plateau_best"] = exact(*progress.plateau.best);
    }
    if (progress.best) {
        metadata["best"] = exact(*progress.best);
        metadata["best_step"] = std::to_string(progress.best_step);
    }
    if (!progress.validation_sha256.empty()) {
        metadata["validation_sha256"] = progress.validation_sha256;
    }
    write_loss_scale(progress.loss_scale, metadata);
    std::vector<std::string> copies;
    std::vector<NamedBytes> tensors = in_host_memory(replica, copies);
    if (states != nullptr) {
        for (const WeightTensor& tensor : states->tensors()) {
            tensors.push_back({tensor.name, tensor.spec, bytes_of(tensor)});
        }
        std::ranges::sort(tensors, {}, &NamedBytes::name);
    }
    for (const NamedBytes& tensor : tensors) {
        check_finite(tensor, progress.step);
    }
    write_safetensors(file, std::move(metadata), tensors);
}

CheckpointInfo inspect_checkpoint(const std::filesystem::path& path) {
    const SafetensorsFile file = read_safetensors(path);
    const Metadata metadata(file, path);
    metadata.expect(metadata.text("format") == kFormat, "format",
                    fmt::format("'{}' for this version of Sluice", kFormat));
    static_cast<void>(metadata.text("sha256"));
    return {.file = path,
            .pipeline = metadata.text("pipeline"),
            .pipeline_name = metadata.text("pipeline_name"),
            .choices = metadata.text("choices"),
            .chosen_policy = metadata.has("chosen_policy") ? metadata.text("chosen_policy") : "",
            .progress = read_progress(metadata)};
}

namespace {

void expect_fits(const std::filesystem::path& path, const NamedBytes* stored, const WeightTensor& tensor) {
    if (stored == nullptr) {
        throw Error(Exit::config, fmt::format("{}: has no tensor '{}', which the pipeline's model needs", path.string(),
                                              tensor.name));
    }
    if (!(stored->spec == tensor.spec)) {
        throw Error(Exit::config, fmt::format("{}: tensor '{}' is {}; the pipeline's model needs {}", path.string(),
                                              tensor.name, to_string(stored->spec), to_string(tensor.spec)));
    }
}

// Loads the slices of the optimizer states that the replica keeps.
void load_states(const std::filesystem::path& path, const SafetensorsFile& file, Replica& replica) {
    FullOptimizerStates states(replica.network().weights());
    for (const WeightTensor& tensor : states.tensors()) {
        const NamedBytes* const stored = file.find(tensor.name);
        expect_fits(path, stored, tensor);
        std::memcpy(tensor.data, stored->bytes.data(), stored->bytes.size());
    }
    states.put(*replica.runner().device(), replica.runner().stream());
}

}  // namespace

void load_checkpoint(const std::filesystem::path& path, Replica& replica, WeightChoice choice) {
    const SafetensorsFile file = read_safetensors(path);
    const NetworkRunner& runner = replica.runner();
    Weights& weights = replica.network().weights();
    const bool takes_average =
        replica.network().plan().graph.mode != plan::Mode::train && choice == WeightChoice::average;
    bool has_average = true;
    for (const WeightTensor& tensor : weights.tensors()) {
        const NamedBytes* stored = takes_average ? file.find(kAverage + tensor.name) : nullptr;
        stored = stored != nullptr ? stored : file.find(tensor.name);
        if (stored == nullptr && tensor.name.starts_with(kAverage)) {
            has_average = false;
            continue;
        }
        expect_fits(path, stored, tensor);
        runner.device()->copy(tensor.data, stored->bytes.data(), stored->bytes.size(), runner.stream());
    }
    if (weights.buckets().are_shared()) {
        load_states(path, file, replica);
    }
    runner.wait();
    if (!has_average) {
        weights.restart_average(runner.stream());
    }
    weights.mark_changed();
}

}  // namespace sluice::run
