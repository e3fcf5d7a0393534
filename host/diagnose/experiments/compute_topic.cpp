// Measures what the network costs: its batch, its number formats, its kernels, single layers and uploads.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>

#include "diagnose/experiments/topic.hpp"

namespace sluice::diagnose {
namespace {

constexpr const char* kPrecision = "16-bit numbers";
constexpr const char* kAllKernels = "all kernel providers";
constexpr const char* kNoRecompute = "no recompute";
constexpr const char* kPinned = "threads on cores";
constexpr const char* kNoUpload = "no upload";
constexpr const char* kUploadAlone = "upload alone";
constexpr double kComputeMatters = 0.3;  // share of a step from which the network is examined
constexpr double kStillPays = 0.04;      // gain from which the next larger batch is worth it
constexpr std::int64_t kFirstFactor =
    4;  // The batch is multiplied by it first; its gain decides whether others are tried.
constexpr std::int64_t kLargeKernel = 5;
constexpr std::int64_t kPlainKernel = 3;
constexpr double kDominates = 0.25;     // gain of a plain kernel from which the layer is what limits the training
constexpr double kShareForBatch = 0.5;  // of the memory that is left, which a larger batch may take
constexpr double kShareOfDevice = 0.9;  // the same of a device's own memory

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
     {kPinned, kWorthwhile, "threads", "the scheduler and device.pin place compute threads badly"},
     {kNoRecompute, kWorthwhile, "recompute", "backward recomputes activations that would fit into memory"}}};

double compute_share(const Facts& facts) {
    return share_of(facts, seconds_of(facts, profile::Stage::forward) + seconds_of(facts, profile::Stage::backward) +
                               seconds_of(facts, profile::Stage::optimizer) +
                               seconds_of(facts, profile::Stage::exchange));
}

std::string batch_name(std::int64_t factor) { return fmt::format("batch x{}", factor); }

// True if the memory of the device has room for so many times the samples. Weights count as if they grew too.
bool fits_device(const Facts& facts, std::int64_t factor) {
    if (facts.is_host_device) {
        const double more = static_cast<double>(factor - 1) * static_cast<double>(facts.resident);
        return more <= kShareForBatch * static_cast<double>(facts.available);
    }
    return static_cast<double>(factor) * facts.device_bytes <= kShareOfDevice * facts.device_room;
}

std::optional<Variant> batch_variant(const Evidence& evidence, std::int64_t factor) {
    const std::int64_t batch = factor * evidence.spec.data.batch;
    if (!fits_device(evidence.facts, factor) || static_cast<double>(batch) > evidence.facts.epoch_samples) {
        return std::nullopt;
    }
    return Variant{.name = batch_name(factor),
                   .what = fmt::format("a batch has {} samples", batch),
                   .sets = {fmt::format("data.batch={}", batch)},
                   .change = ChangeClass::other_results,
                   .batch = static_cast<double>(factor),
                   .cost = "takes more memory, and the learning rate has to be tuned anew",
                   .is_hint = factor != kFirstFactor};
}

// A convolution with a large kernel, and the key that changes it.
struct LargeKernel {
    std::string layer;  // as in the file: "conv2d" or its name
    std::string key;    // "model.layers.3.kernel"
    std::int64_t kernel = 0;
};

// The largest extent of a kernel that is a number or a list of them; 0: none is given.
std::int64_t largest_extent(const Value* kernel) {
    std::int64_t largest = 0;
    if (kernel == nullptr) {
        return largest;
    }
    for (const Value& one : kernel->as_array() != nullptr ? *kernel->as_array() : Array{*kernel}) {
        largest = std::max(largest, one.as_int() != nullptr ? *one.as_int() : 0);
    }
    return largest;
}

// The largest kernels of the network, largest first. A layer of a block counts once, however often the block is used.
std::vector<LargeKernel> large_kernels(const config::PipelineSpec& spec) {
    constexpr std::size_t kMost = 2;
    std::vector<LargeKernel> found;
    config::visit_layers(spec.model.layers, [&](const config::LayerSpec& layer) {
        const bool is_convolution = layer.type.find("conv") != std::string::npos;
        const std::int64_t size = is_convolution ? largest_extent(layer.options.find("kernel")) : 0;
        const std::string key = layer.key + ".kernel";
        if (size >= kLargeKernel && std::ranges::find(found, key, &LargeKernel::key) == found.end()) {
            found.push_back({.layer = layer.name.empty() ? layer.type : layer.name, .key = key, .kernel = size});
        }
    });
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
            .cost = "the network is another one",
            .starts_anew = true};
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
         .probe = best->variant.name,
         .fixes = {*best}});
}

void explain_one(const Evidence& evidence, std::vector<Finding>& findings, const std::string& name, double least,
                 Finding finding) {
    if (auto fix = fix_of(evidence, name, least)) {
        finding.without = fix->ratio;
        finding.probe = name;
        finding.fixes.push_back(std::move(*fix));
        findings.push_back(std::move(finding));
    }
}

void explain_upload(const Evidence& evidence, std::vector<Finding>& findings) {
    const Ratio ratio = ratio_without_upload(evidence);
    if (!is_gain(&ratio, kWorthwhile)) {
        return;
    }
    const Ratio* const alone = evidence.ratio_of(kUploadAlone);
    findings.push_back(
        {.cause = "upload",
         .subject = "",
         .sentence = "batches are uploaded more slowly than the device computes on them",
         .evidence = fmt::format(
             "without uploads a sample takes {:.2f} times as long{}", ratio.value,
             alone != nullptr ? fmt::format("; uploads alone take {:.2f} times as long as a step", alone->value) : ""),
         .without = ratio,
         .probe = kNoUpload});
}

void propose_upload(const Evidence& evidence, Proposals& proposals) {
    const std::string replay = "what_if.replay_batches=4";  // so that batches are not made either
    proposals.wanted.push_back(
        {.name = kNoUpload, .what = "batches are not uploaded", .sets = {"what_if.skip_upload=true", replay}});
    const Ratio ratio = ratio_without_upload(evidence);
    if (is_gain(&ratio, kWorthwhile)) {
        proposals.wanted.push_back({.name = kUploadAlone,
                                    .what = "the network computes nothing: batches are only uploaded",
                                    .sets = {"what_if.skip_network=true", replay},
                                    .is_hint = true});
    }
}

// Ever larger batches, as long as they pay.
void propose_batches(const Evidence& evidence, Proposals& proposals) {
    const bool pays = evidence.gain(batch_name(4)) >= kWorthOtherResults;
    for (const std::int64_t factor : {4, 2, 8, 16}) {
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
}

void propose_precision(const Evidence& evidence, Proposals& proposals) {
    if (evidence.spec.precision.use != "float32") {
        proposals.skipped.push_back({kPrecision, "the pipeline uses the policy " + evidence.spec.precision.use});
    } else if (!evidence.facts.has_fast_16_bits) {
        proposals.skipped.push_back({kPrecision, "this machine computes no faster with them"});
    } else {
        proposals.wanted.push_back(precision_variant(evidence));
    }
}

}  // namespace

bool batch_pays(const Evidence& evidence) {
    return is_gain(evidence.ratio_of(batch_name(kFirstFactor)), kWorthOtherResults);
}

Ratio ratio_without_upload(const Evidence& evidence) {
    const Ratio* const neither = evidence.ratio_of(kNoUpload);
    const Ratio* const replay = evidence.ratio_of("replay");
    if (neither == nullptr || replay == nullptr) {
        return neither != nullptr ? *neither : Ratio();
    }
    // The part of a replayed step that uploads take, as a part of the whole step.
    const Ratio part = quotient(*neither, *replay);
    const auto without = [&](double share) { return 1.0 - replay->value * (1.0 - share); };
    return {.value = without(part.value), .low = without(part.low), .high = without(part.high), .rounds = part.rounds};
}

Variant precision_variant(const Evidence& evidence) {
    const char* const policy = evidence.facts.is_host_device ? "mixed_bfloat16" : "mixed_float16";
    return {.name = kPrecision,
            .what = fmt::format("the precision policy is {}", policy),
            .sets = {fmt::format("precision.use=\"{}\"", policy)},
            .change = ChangeClass::other_results,
            .cost = "check the scores: diagnose precision compares the numbers"};
}

std::vector<Variant> setting_variants(const Evidence& evidence) {
    const Facts& facts = evidence.facts;
    std::vector<Variant> variants;
    if (!evidence.spec.kernels.empty()) {
        variants.push_back({.name = kAllKernels,
                            .what = "each layer takes the fastest of all installed kernels",
                            .sets = {"device.kernels=\"auto\""},
                            .change = ChangeClass::same_mathematics});
    }
    constexpr int kFewCores = 2;  // on so few, threads have no other place
    if (facts.is_host_device && facts.replicas == 1 && facts.cores > kFewCores) {
        variants.push_back({.name = kPinned,
                            .what = evidence.spec.pin ? "compute threads may change their cores"
                                                      : "each compute thread stays on one core",
                            .sets = {fmt::format("device.pin={}", !evidence.spec.pin)},
                            .change = ChangeClass::same_bits});
    }
    if (evidence.spec.train.recompute != config::Recompute::none) {
        variants.push_back({.name = kNoRecompute,
                            .what = "backward recomputes no activations",
                            .sets = {"train.recompute=\"none\""},
                            .change = ChangeClass::same_bits,
                            .cost = "takes more memory"});
    }
    return variants;
}

void propose_compute(const Evidence& evidence, Proposals& proposals) {
    const Facts& facts = evidence.facts;
    if (!facts.is_host_device) {
        propose_upload(evidence, proposals);
    }
    if (compute_share(facts) < kComputeMatters) {
        proposals.skipped.push_back(
            {"network", fmt::format("it takes {:.0f} % of the time", 100.0 * compute_share(facts))});
        return;
    }
    // Other work would be spread over more samples by a larger batch, and hide what the network gains.
    if (std::ranges::any_of(proposals.wanted, [&](const Variant& one) { return !evidence.has_tried(one.name); })) {
        return;  // All other work is measured before the network.
    }
    if (const char* const other = hides_network(evidence)) {
        proposals.skipped.push_back(
            {"network", fmt::format("'{}' shows a cost that hides it; diagnose again after that is mended", other)});
        return;
    }
    propose_batches(evidence, proposals);
    propose_precision(evidence, proposals);
    for (const LargeKernel& one : large_kernels(evidence.spec)) {
        proposals.wanted.push_back(kernel_variant(one));
    }
    std::ranges::move(setting_variants(evidence), std::back_inserter(proposals.wanted));
}

void explain_compute(const Evidence& evidence, std::vector<Finding>& findings) {
    explain_batch(evidence, findings);
    explain_upload(evidence, findings);
    for (const LargeKernel& one : large_kernels(evidence.spec)) {
        const Ratio* const ratio = evidence.ratio_of(kernel_name(one));
        if (ratio != nullptr) {
            explain_one(evidence, findings, kernel_name(one), kDominates,
                        {.cause = "layer",
                         .subject = one.layer,
                         .sentence = fmt::format("the {0}x{0} kernel of the convolution '{1}'", one.kernel, one.layer),
                         .evidence = fmt::format("with {} = {} a sample takes {:.2f} times as long", one.key,
                                                 kPlainKernel, ratio->value)});
        }
    }
    for (const Setting& setting : kSettings) {
        explain_one(evidence, findings, setting.variant, setting.least,
                    {.cause = std::string(setting.cause),
                     .subject = "",
                     .sentence = std::string(setting.sentence),
                     .evidence = ""});
    }
}

}  // namespace sluice::diagnose
