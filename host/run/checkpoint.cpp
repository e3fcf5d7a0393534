#include "run/checkpoint.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <sstream>

#include "base/error.hpp"
#include "config/pipeline_text.hpp"
#include "run/safetensors.hpp"

namespace sluice::run {
namespace {

constexpr const char* kFormat = "sluice-checkpoint/1";
const std::string kAverage = "average/";  // before the name of what it is the average of

// Exact both ways: 17 digits name one double.
std::string exact(double value) { return fmt::format("{:.17g}", value); }

const std::string& need(const SafetensorsFile& file, const std::filesystem::path& path, const std::string& key) {
    const auto at = file.metadata.find(key);
    if (at == file.metadata.end()) {
        throw Error(Exit::config,
                    fmt::format("{}: not a checkpoint of ours: its metadata has no '{}'", path.string(), key));
    }
    return at->second;
}

// Every tensor of a checkpoint is float32.
void check_finite(const NamedBytes& tensor, std::uint64_t step) {
    for (std::size_t at = 0; at < tensor.bytes.size(); at += sizeof(float)) {
        float value = 0.0F;
        std::memcpy(&value, tensor.bytes.data() + at, sizeof(value));
        if (!std::isfinite(value)) {
            throw Error(Exit::diverged, fmt::format("after step {} '{}' holds {}, which is not finite; a lower "
                                                    "optimizer.rate is the usual cure",
                                                    step, tensor.name, value));
        }
    }
}

// Nothing where the loss never was scaled.
void write_loss_scale(const LossScale& scale, std::map<std::string, std::string>& metadata) {
    if (scale.value > 0.0 || scale.skipped > 0) {
        metadata["loss_scale"] = exact(scale.value);
        metadata["loss_scale_good_steps"] = std::to_string(scale.good_steps);
        metadata["loss_scale_skips_in_row"] = std::to_string(scale.skips_in_row);
        metadata["skipped_steps"] = std::to_string(scale.skipped);
    }
}

LossScale read_loss_scale(const SafetensorsFile& file, const std::filesystem::path& path) {
    if (!file.metadata.contains("loss_scale")) {
        return {};
    }
    return {.value = std::stod(need(file, path, "loss_scale")),
            .good_steps = std::stoull(need(file, path, "loss_scale_good_steps")),
            .skips_in_row = std::stoull(need(file, path, "loss_scale_skips_in_row")),
            .skipped = std::stoull(need(file, path, "skipped_steps"))};
}

std::string_view bytes_of(const WeightTensor& tensor) {
    return {reinterpret_cast<const char*>(tensor.data), byte_count(tensor.spec)};
}

// All weights, those of another memory in `copies`.
std::vector<NamedBytes> in_host_memory(Replica& replica, std::vector<std::string>& copies) {
    const registry::Device& device = replica.device();
    const std::vector<WeightTensor> tensors = replica.weights().tensors();
    copies.resize(device.is_host_memory() ? 0 : tensors.size());
    std::vector<NamedBytes> named;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        std::string_view bytes = bytes_of(tensors[i]);
        if (!device.is_host_memory()) {
            copies[i].resize(bytes.size());
            device.copy(copies[i].data(), tensors[i].data, bytes.size(), replica.stream());
            bytes = copies[i];
        }
        named.push_back({tensors[i].name, tensors[i].spec, bytes});
    }
    device.wait(replica.stream());
    return named;
}

}  // namespace

void save_checkpoint(const std::filesystem::path& file, const config::PipelineSpec& spec, const Progress& progress,
                     Replica& replica, WholeStates* states) {
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
    if (!progress.data_past.digest_state.empty()) {
        metadata["data_digest"] = progress.data_past.digest_state;
        metadata["data_digest_batches"] = std::to_string(progress.data_past.digested);
    }
    if (!progress.data.sha256.empty()) {
        metadata["data_order"] = progress.data.order;
        metadata["data_beginning"] = fmt::format("{} {}", progress.data.batches, progress.data.sha256);
    }
    if (!progress.data_past.bad_samples.empty()) {
        metadata["bad_samples"] = fmt::format("{}", fmt::join(progress.data_past.bad_samples, " "));
    }
    if (progress.plateau.best) {
        metadata["plateau_best"] = exact(*progress.plateau.best);
    }
    if (progress.best) {
        metadata["best"] = exact(*progress.best);
        metadata["best_step"] = std::to_string(progress.best_step);
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
    if (const std::string format = need(file, path, "format"); format != kFormat) {
        throw Error(Exit::config,
                    fmt::format("{}: its format is '{}'; this host reads '{}'", path.string(), format, kFormat));
    }
    need(file, path, "sha256");
    CheckpointInfo info;
    info.file = path;
    info.pipeline = need(file, path, "pipeline");
    info.pipeline_name = need(file, path, "pipeline_name");
    info.progress.step = std::stoull(need(file, path, "step"));
    info.progress.epoch = std::stoull(need(file, path, "epoch"));
    info.progress.batch = std::stoull(need(file, path, "batch"));
    info.progress.epoch_batches = std::stoull(need(file, path, "epoch_batches"));
    info.progress.epoch_loss = {std::stod(need(file, path, "epoch_loss_sum")),
                                std::stod(need(file, path, "epoch_loss_weight"))};
    info.progress.owes_evaluation = need(file, path, "owes_evaluation") == "1";
    info.choices = need(file, path, "choices");
    info.progress.plateau.waited = std::stoull(need(file, path, "plateau_waited"));
    info.progress.plateau.scale = std::stod(need(file, path, "plateau_scale"));
    if (file.metadata.contains("data_digest")) {
        info.progress.data_past.digest_state = need(file, path, "data_digest");
        info.progress.data_past.digested = file.metadata.contains("data_digest_batches")
                                               ? std::stoull(need(file, path, "data_digest_batches"))
                                               : info.progress.batch;
    }
    if (file.metadata.contains("data_order")) {  // what earlier versions wrote has none
        info.progress.data.order = need(file, path, "data_order");
        std::istringstream(need(file, path, "data_beginning")) >> info.progress.data.batches >>
            info.progress.data.sha256;
    }
    if (file.metadata.contains("bad_samples")) {
        std::istringstream indices(need(file, path, "bad_samples"));
        info.progress.data_past.bad_samples.assign(std::istream_iterator<std::uint64_t>(indices), {});
    }
    if (file.metadata.contains("chosen_policy")) {
        info.chosen_policy = need(file, path, "chosen_policy");
    }
    info.progress.loss_scale = read_loss_scale(file, path);
    if (file.metadata.contains("plateau_best")) {
        info.progress.plateau.best = std::stod(need(file, path, "plateau_best"));
    }
    if (file.metadata.contains("best")) {
        info.progress.best = std::stod(need(file, path, "best"));
        info.progress.best_step = std::stoull(need(file, path, "best_step"));
    }
    return info;
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

// Of the optimizer, those that the replica keeps.
void load_states(const std::filesystem::path& path, const SafetensorsFile& file, Replica& replica) {
    WholeStates states(replica.weights());
    for (const WeightTensor& tensor : states.tensors()) {
        const NamedBytes* const stored = file.find(tensor.name);
        expect_fits(path, stored, tensor);
        std::memcpy(tensor.data, stored->bytes.data(), stored->bytes.size());
    }
    states.put(replica.device(), replica.stream());
}

}  // namespace

void load_checkpoint(const std::filesystem::path& path, Replica& replica, WeightChoice choice) {
    const SafetensorsFile file = read_safetensors(path);
    const bool takes_average = replica.plan().graph.mode != plan::Mode::train && choice == WeightChoice::average;
    bool has_average = true;
    for (const WeightTensor& tensor : replica.weights().tensors()) {
        const NamedBytes* stored = takes_average ? file.find(kAverage + tensor.name) : nullptr;
        stored = stored != nullptr ? stored : file.find(tensor.name);
        if (stored == nullptr && tensor.name.starts_with(kAverage)) {
            has_average = false;
            continue;
        }
        expect_fits(path, stored, tensor);
        replica.device().copy(tensor.data, stored->bytes.data(), stored->bytes.size(), replica.stream());
    }
    if (replica.weights().buckets().are_shared()) {
        load_states(path, file, replica);
    }
    replica.device().wait(replica.stream());
    if (!has_average) {
        replica.weights().restart_average(replica.stream());
    }
    replica.parameters_changed();
}

}  // namespace sluice::run
