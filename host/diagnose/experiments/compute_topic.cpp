// Measures what the network costs: its batch, its number formats, its kernels, single layers and uploads.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "diagnose/experiments/topic.hpp"

namespace sluice::diagnose {
namespace {

constexpr const char* kPrecision = "16-bit numbers";
constexpr const char* kAllKernels = "all kernel providers";
constexpr const char* kNoRecompute = "no recompute";
constexpr const char* kPinned = "pinned threads";
constexpr const char* kUploadOnce = "no upload";
constexpr double kComputeMatters = 0.3;  // share of a step from which the network is examined
constexpr double kStillPays = 0.04;      // gain from which the next larger batch is worth it
constexpr std::int64_t kLargeKernel = 5;
constexpr std::int64_t kPlainKernel = 3;
constexpr double kShareForBatch = 0.5;  // of the memory that is left, which a larger batch may take

// A setting that holds the network back, and the variant that changes it.
struct Setting {
    const char* variant;
    double least;  // gain from which it is worth a finding
    std::string_view cause;
    std::string_view sentence;
};

constexpr std::array<Setting, 4> kSettings{
    {{kPrecision, kWorthOtherResults, "precision",
      "the network computes with float32, and this machine is faster with 16-bit numbers"},
     {kAllKernels, kWorthwhile, "kernels", "device.kernels excludes faster kernels"},
     {kPinned, kWorthwhile, "threads", "compute threads move from core to core"},
     {kNoRecompute, kWorthwhile, "recompute", "backward recomputes activations that would fit into memory"}}};

double compute_share(const Facts& facts) {
    return share_of(facts, seconds_of(facts, profile::Stage::forward) + seconds_of(facts, profile::Stage::backward) +
                               seconds_of(facts, profile::Stage::optimizer) +
                               seconds_of(facts, profile::Stage::exchange));
}

std::string batch_name(std::int64_t factor) { return fmt::format("batch x{}", factor); }

std::optional<Variant> batch_variant(const Evidence& evidence, std::int64_t factor) {
    const std::int64_t batch = factor * evidence.spec.data.batch;
    const double more = static_cast<double>(factor - 1) * static_cast<double>(evidence.facts.resident);
    if (more > kShareForBatch * static_cast<double>(evidence.facts.available) ||
        static_cast<double>(batch) > evidence.facts.epoch_samples) {
        return std::nullopt;
    }
    return Variant{.name = batch_name(factor),
                   .what = fmt::format("a batch has {} samples", batch),
                   .sets = {fmt::format("data.batch={}", batch)},
                   .change = ChangeClass::other_results,
                   .batch = static_cast<double>(factor),
                   .cost = "takes more memory, and the learning rate has to be tuned anew"};
}

// A convolution with a large kernel, and the key that changes it.
struct LargeKernel {
    std::string layer;  // as in the file: "conv2d" or its name
    std::string key;    // "model.layers.3.kernel"
    std::int64_t kernel = 0;
};

void add_large_kernels(const std::vector<config::LayerSpec>& layers, const std::string& path,
                       std::vector<LargeKernel>& found) {
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const Value* const kernel = layers[i].options.find("kernel");
        const std::int64_t* const size = kernel != nullptr ? kernel->as_int() : nullptr;
        if (size != nullptr && *size >= kLargeKernel) {
            found.push_back({.layer = layers[i].name.empty() ? layers[i].type : layers[i].name,
                             .key = fmt::format("{}.layers.{}.kernel", path, i),
                             .kernel = *size});
        }
    }
}

// The largest kernels of the network, largest first.
std::vector<LargeKernel> large_kernels(const config::PipelineSpec& spec) {
    constexpr std::size_t kMost = 2;
    std::vector<LargeKernel> found;
    add_large_kernels(spec.model.layers, "model", found);
    for (const config::BlockSpec& block : spec.model.blocks) {
        add_large_kernels(block.layers, "model.blocks." + block.name, found);
    }
    std::ranges::stable_sort(found, std::ranges::greater{}, &LargeKernel::kernel);
    found.resize(std::min(found.size(), kMost));
    return found;
}

std::string kernel_name(const LargeKernel& one) { return fmt::format("plain kernel in {}", one.key); }

Variant kernel_variant(const LargeKernel& one) {
    return {.name = kernel_name(one),
            .what = fmt::format("the layer '{}' has a kernel of {}x{} instead of {}x{}", one.layer, kPlainKernel,
                                kPlainKernel, one.kernel, one.kernel),
            .sets = {fmt::format("{}={}", one.key, kPlainKernel)},
            .change = ChangeClass::other_results,
            .cost = "the network is another one"};
}

void explain_batch(const Evidence& evidence, std::vector<Finding>& findings) {
    std::optional<Fix> best;
    for (const std::int64_t factor : {2, 4, 8, 16}) {
        auto fix = fix_of(evidence, batch_name(factor), kWorthOtherResults);
        if (fix && (!best || fix->ratio.value < best->ratio.value - kStillPays)) {
            best = std::move(fix);
        }
    }
    if (!best) {
        return;
    }
    std::string evidence_text;
    for (const std::int64_t factor : {2, 4, 8, 16}) {
        if (const Ratio* const ratio = evidence.ratio_of(batch_name(factor))) {
            evidence_text +=
                fmt::format("{}with batches of {} a sample takes {:.2f} times as long",
                            evidence_text.empty() ? "" : "; ", factor * evidence.spec.data.batch, ratio->value);
        }
    }
    findings.push_back(
        {.cause = "small batch",
         .subject = "",
         .sentence = fmt::format("a batch of {} is too small to use the device", evidence.spec.data.batch),
         .evidence = evidence_text,
         .without = best->ratio,
         .fixes = {*best}});
}

void explain_one(const Evidence& evidence, std::vector<Finding>& findings, const std::string& name, double least,
                 Finding finding) {
    if (auto fix = fix_of(evidence, name, least)) {
        finding.without = fix->ratio;
        finding.fixes.push_back(std::move(*fix));
        findings.push_back(std::move(finding));
    }
}

}  // namespace

void propose_compute(const Evidence& evidence, Proposals& proposals) {
    const Facts& facts = evidence.facts;
    if (!facts.is_host_device) {
        proposals.wanted.push_back({.name = kUploadOnce,
                                    .what = "batches are not uploaded",
                                    .sets = {"what_if.skip_upload=true", "what_if.replay_batches=4"}});
    }
    if (compute_share(facts) < kComputeMatters) {
        proposals.skipped.push_back(
            {"network", fmt::format("it takes {:.0f} % of the time", 100.0 * compute_share(facts))});
        return;
    }
    // Other work would be spread over more samples by a larger batch, and hide what the network gains.
    if (std::ranges::any_of(proposals.wanted, [&](const Variant& one) { return !evidence.has_tried(one.name); })) {
        return;  // what comes beside the network is measured first
    }
    if (const char* const other = hides_network(evidence)) {
        proposals.skipped.push_back(
            {"network", fmt::format("'{}' gains {:.0f} %, which hides it; diagnose again after that is mended", other,
                                    100.0 * evidence.gain(other))});
        return;
    }
    for (const std::int64_t factor : {4, 2, 8, 16}) {
        const bool pays = evidence.gain(batch_name(4)) >= kWorthOtherResults;
        const bool is_next = factor == 4 || (factor < 16 && pays) ||
                             (pays && evidence.gain(batch_name(8)) >= evidence.gain(batch_name(4)) + kStillPays);
        if (!is_next) {
            continue;
        }
        if (auto variant = batch_variant(evidence, factor)) {
            proposals.wanted.push_back(std::move(*variant));
        } else {
            proposals.skipped.push_back({batch_name(factor), "it may not fit into memory, or is more than an epoch"});
        }
    }
    if (evidence.spec.precision.use != "float32") {
        proposals.skipped.push_back({kPrecision, "the pipeline uses the policy " + evidence.spec.precision.use});
    } else if (!facts.has_fast_16_bits) {
        proposals.skipped.push_back({kPrecision, "this machine computes no faster with them"});
    } else {
        const char* const policy = facts.is_host_device ? "mixed_bfloat16" : "mixed_float16";
        proposals.wanted.push_back({.name = kPrecision,
                                    .what = fmt::format("the precision policy is {}", policy),
                                    .sets = {fmt::format("precision.use=\"{}\"", policy)},
                                    .change = ChangeClass::other_results,
                                    .cost = "check the scores: diagnose precision compares the numbers"});
    }
    for (const LargeKernel& one : large_kernels(evidence.spec)) {
        proposals.wanted.push_back(kernel_variant(one));
    }
    if (!evidence.spec.kernels.empty()) {
        proposals.wanted.push_back({.name = kAllKernels,
                                    .what = "each layer takes the fastest of all installed kernels",
                                    .sets = {"device.kernels=\"auto\""},
                                    .change = ChangeClass::same_mathematics});
    }
    constexpr int kFewCores = 2;  // on so few, threads have no other place
    if (facts.is_host_device && facts.replicas == 1 && facts.cores > kFewCores && !evidence.spec.pin) {
        proposals.wanted.push_back({.name = kPinned,
                                    .what = "each compute thread stays on one core",
                                    .sets = {"device.pin=true"},
                                    .change = ChangeClass::same_bits});
    }
    if (evidence.spec.train.recompute != config::Recompute::none) {
        proposals.wanted.push_back({.name = kNoRecompute,
                                    .what = "backward recomputes no activations",
                                    .sets = {"train.recompute=\"none\""},
                                    .change = ChangeClass::same_bits,
                                    .cost = "takes more memory"});
    }
}

void explain_compute(const Evidence& evidence, std::vector<Finding>& findings) {
    explain_batch(evidence, findings);
    for (const LargeKernel& one : large_kernels(evidence.spec)) {
        const Ratio* const ratio = evidence.ratio_of(kernel_name(one));
        if (ratio != nullptr) {
            explain_one(evidence, findings, kernel_name(one), kWorthOtherResults,
                        {.cause = "layer",
                         .subject = one.layer,
                         .sentence = fmt::format("the {0}x{0} convolution '{1}' takes {2:.0f} % of the time",
                                                 one.kernel, one.layer, 100.0 * ratio->gain()),
                         .evidence = fmt::format("with {} = {} a sample takes {:.2f} times as long", one.key,
                                                 kPlainKernel, ratio->value),
                         .without = {}});
        }
    }
    if (const Ratio* const ratio = evidence.ratio_of(kUploadOnce); ratio != nullptr && ratio->gain() >= kWorthwhile) {
        findings.push_back(
            {.cause = "upload",
             .subject = "",
             .sentence = "batches are uploaded more slowly than the device computes on them",
             .evidence = fmt::format("without uploads a sample takes {:.2f} times as long", ratio->value),
             .without = *ratio});
    }
    for (const Setting& setting : kSettings) {
        explain_one(evidence, findings, setting.variant, setting.least,
                    {.cause = std::string(setting.cause),
                     .subject = "",
                     .sentence = std::string(setting.sentence),
                     .evidence = "",
                     .without = {}});
    }
}

}  // namespace sluice::diagnose
