#include "prepare/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/byte_size.hpp"
#include "base/counted.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"
#include "base/sha256.hpp"
#include "data/cache/cache.hpp"
#include "data/loader/loader.hpp"
#include "prepare/folder_lock.hpp"
#include "prepare/ordered_samples.hpp"
#include "prepare/output_file.hpp"
#include "prepare/reading_lines.hpp"
#include "prepare/shard_format.hpp"
#include "prepare/written_files.hpp"
#include "registry/optional/identity.hpp"
#include "registry/optional/sampling.hpp"

namespace sluice::prepare {
namespace {

using nlohmann::ordered_json;

constexpr std::uint64_t kFirstSamples = 16;  // samples that are made first, spread evenly over the data

struct FirstSamples {
    double mean_bytes = 0.0;
    std::string sha256;  // of those samples, to detect a changed source
};

std::string_view text_of(const records::Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Skips bad samples: they are reported when they are written.
FirstSamples probe(const data::Chain& chain, const ShardFormat& format) {
    data::Chain::Worker worker(chain);
    const std::uint64_t count = std::min(kFirstSamples, chain.length());
    FirstSamples probe;
    std::string sums;
    std::uint64_t good = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t index = i * chain.length() / count;
        try {
            const records::PackedSample sample = format.pack(worker.make(0, index), index);
            const std::string_view parts[] = {sample.name, "\n", text_of(sample.bytes)};
            sums += sha256(parts);
            probe.mean_bytes += static_cast<double>(sample.bytes.size());
            ++good;
        } catch (const Error& error) {
            if (error.exit() != Exit::data || (good == 0 && i + 1 == count)) {
                throw;
            }
            sums += "bad";
        }
    }
    probe.mean_bytes /= static_cast<double>(good);
    const std::string_view all[] = {sums};
    probe.sha256 = sha256(all);
    return probe;
}

std::string source_of(const config::StreamSpec& made) {
    std::string all;
    for (const config::SourceSpec& source : made.sources) {
        all += (all.empty() ? "" : ", ") + to_toml(source.component);
    }
    return made.sources.size() == 1 ? all : "[" + all + "]";
}

registry::Source open_source(const config::ComponentSpec& wanted, const registry::Registry& registry) {
    const registry::Component component = registry.find(registry::Kind::source, wanted.use, wanted.origin);
    return {component, registry.options(component, wanted), wanted.origin};
}

// The weight of each sample if the pipeline draws samples by weights; otherwise empty.
std::vector<double> weights_of(const config::StreamSpec& made, const registry::Registry& registry) {
    std::vector<double> weights;
    if (made.sampling.use == "weights") {
        for (const config::SourceSpec& one : made.sources) {
            const auto more = registry::sample_weights(open_source(one.component, registry), made.sampling.origin);
            weights.insert(weights.end(), more.begin(), more.end());
        }
    }
    return weights;
}

ordered_json inputs_of(const Request& request, const data::Chain& chain, const FirstSamples& probe,
                       std::span<const double> weights) {
    const double per_shard = static_cast<double>(request.shard_bytes) / std::max(probe.mean_bytes, 1.0);
    const auto samples = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(per_shard), 1, chain.length());
    std::vector<std::string> map;
    std::ranges::transform(request.prefix.made.map, std::back_inserter(map),
                           [](const config::ComponentSpec& entry) { return to_toml(entry); });
    ordered_json inputs{
        {"data", request.purpose}, {"source", source_of(request.prefix.made)}, {"map", map}, {"seed", request.seed}};
    if (!weights.empty()) {
        const std::string_view bytes[] = {{reinterpret_cast<const char*>(weights.data()), weights.size_bytes()}};
        inputs["weights_sha256"] = sha256(bytes);
    }
    inputs.update({{"format", request.format + (request.gzip ? ".gz" : "")},
                   {"samples", chain.length()},
                   {"samples_in_a_file", samples},
                   {"shards", (chain.length() + samples - 1) / samples},
                   {"probe_sha256", probe.sha256}});
    return inputs;
}

// Fingerprints of data and code, which could give other bytes for the same inputs. Only the manifest of the folder has
// them, not the files of records.
ordered_json identity_of(const Request& request, const registry::Registry& registry) {
    using registry::Kind;
    const config::StreamSpec& made = request.prefix.made;
    std::string code;
    std::string data;  // identity of the sources that report one
    for (const config::SourceSpec& one : made.sources) {
        const config::ComponentSpec& wanted = one.component;
        const registry::Source source = open_source(wanted, registry);
        const registry::Component& component = source.object().component();
        code += registry::code_identity(component, registry.options(component, wanted));
        data += data.empty() ? "" : " ";
        data += registry::has_data_identity(source) ? registry::data_identity(source, wanted.origin) : "";
    }
    for (const config::ComponentSpec& entry : made.map) {
        const registry::Component transform = registry.find(Kind::transform, entry.use, entry.origin);
        code += registry::code_identity(transform, registry.options(transform, entry));
    }
    const std::string_view all[] = {code};
    return {{"source_data", data}, {"code_sha256", sha256(all)}};
}

// "1234 of 5000 samples, 88 samples/s, 12.1 MiB/s, 43 s left"
class Meter {
public:
    Meter(std::uint64_t first, std::uint64_t end) : first_(first), end_(end) {}
    void add(std::uint64_t bytes) { bytes_ += bytes; }
    // Empty if less than 0.2 s have passed since the last line.
    std::string line(std::uint64_t done) {
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::milliseconds(200)) {
            return {};
        }
        last_ = now;
        const double seconds = std::chrono::duration<double>(now - start_).count();
        const double rate = static_cast<double>(done - first_) / seconds;
        return fmt::format("{} of {}, {:.0f} samples/s, {}/s, {:.0f} s left", done, counted(end_, "sample"), rate,
                           format_size(static_cast<std::uint64_t>(static_cast<double>(bytes_) / seconds)),
                           static_cast<double>(end_ - done) / std::max(rate, 1e-3));
    }

private:
    std::uint64_t first_;
    std::uint64_t end_;
    std::uint64_t bytes_ = 0;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point last_ = start_;
};

std::string shard_name(const Request& request, const ShardFormat& format, std::size_t number, std::size_t count) {
    return fmt::format("{}-{:05}-of-{:05}{}", request.purpose, number, count, format.suffix());
}

// Returns nothing if the sample is bad and may be left out; then logs it and adds it to `skipped`. `before`: samples
// left out of earlier files.
std::optional<records::PackedSample> take(OrderedSamples& samples, std::uint64_t index, std::int64_t most,
                                          std::size_t before, std::vector<SkippedSample>& skipped) {
    try {
        return samples.take();
    } catch (const Error& error) {
        if (error.exit() != Exit::data || most == 0) {
            throw;
        }
        if (std::cmp_greater_equal(before + skipped.size(), most)) {
            throw Error(Exit::data, fmt::format("{}; that makes {} bad samples, but data.skip_bad = {}; repair the "
                                                "files or raise data.skip_bad",
                                                error.what(), before + skipped.size() + 1, most));
        }
        skipped.push_back({index, error.what()});
        log::warn(fmt::format("{}; it is left out (bad sample {} of at most {})", error.what(), before + skipped.size(),
                              most));
    }
    return std::nullopt;
}

// There are no batches here. Samples made ahead get half of their part of data.memory; the other half is for the sample
// that is being written.
std::uint64_t ahead_bytes(const config::StreamSpec& made) {
    return made.batch_bytes.value_or(available_memory() / 4) / 2;
}

// All files of one preparation are made with these.
struct Preparation {
    const Request& request;
    const ShardFormat& format;
    const ordered_json& inputs;
    const data::ClassNames& class_names;
    WrittenFiles& done;
    std::size_t count;        // number of files
    std::uint64_t in_a_file;  // samples, at most
};

// The manifest of one file. Class names are not among the inputs, which already determine the number of each class.
std::string manifest_of(const Preparation& preparation, std::size_t number) {
    ordered_json manifest{{"inputs", preparation.inputs}, {"number", number}};
    if (!preparation.class_names.empty()) {
        manifest[records::kClassNames] = preparation.class_names;
    }
    return manifest.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

// The samples of consecutive files, while they are made.
struct FileRange {
    std::uint64_t end;
    OrderedSamples samples;
    Meter meter;
};

// Writes one file. Returns false if it was stopped before the file was complete.
bool write_shard(const Preparation& preparation, FileRange& range, std::size_t number) {
    const Request& request = preparation.request;
    const std::uint64_t first = number * preparation.in_a_file;
    const std::uint64_t end = std::min(first + preparation.in_a_file, range.end);
    ShardRecord record{.file = shard_name(request, preparation.format, number, preparation.count)};
    OutputFile file(request.out / record.file);
    const std::unique_ptr<ShardBody> body = preparation.format.begin(file);
    std::string names;
    for (std::uint64_t index = first; index < end; ++index) {
        if (const auto sample =
                take(range.samples, index, request.skip_bad, preparation.done.skipped(), record.skipped)) {
            body->add(*sample);
            names += sample->name + "\n";
            range.meter.add(sample->bytes.size());
            ++record.samples;
        }
        if (const std::string line = range.meter.line(index + 1); !line.empty()) {
            request.progress(line);
        }
        if (request.stop()) {
            return false;
        }
    }
    if (record.samples == 0 && !preparation.format.may_be_empty()) {
        throw Error(Exit::data, fmt::format("{}: all samples of this file are bad, and an empty TFRecord file looks "
                                            "like one that was cut off; use --format records, --gzip or a larger "
                                            "--shard-size, with another --out",
                                            (request.out / record.file).string()));
    }
    body->finish(manifest_of(preparation, number));
    record.sha256 = file.finish();
    record.bytes = file.written();
    const std::string_view parts[] = {names};
    record.names_sha256 = sha256(parts);
    preparation.done.add(number, std::move(record));
    return true;
}

// Writes the missing files. Returns false if it was stopped before the last one was complete.
bool write_shards(const Preparation& preparation, const data::Chain& chain) {
    const Request& request = preparation.request;
    for (std::size_t number = 0; number < preparation.count; ++number) {
        std::size_t end = number;  // end of a run of missing files
        while (end < preparation.count && !preparation.done.shards().contains(end)) {
            ++end;
        }
        if (end == number) {
            continue;
        }
        const std::uint64_t first = number * preparation.in_a_file;
        const std::uint64_t last = std::min(end * preparation.in_a_file, chain.length());
        FileRange range{last,
                        {chain,
                         preparation.format,
                         first,
                         last,
                         {.threads = request.threads,
                          .ahead_bytes = ahead_bytes(request.prefix.made),
                          .stall_seconds = request.stall_seconds,
                          .stop = request.stop}},
                        {first, last}};
        for (; number < end; ++number) {
            if (!write_shard(preparation, range, number)) {
                return false;
            }
        }
    }
    return true;
}

}  // namespace

Prepared prepare(const Request& request, const registry::Registry& registry) {
    const data::Chain chain(without_weights(request.prefix.made), registry, request.seed, "data." + request.purpose);
    const std::vector<double> weights = weights_of(request.prefix.made, registry);
    const std::unique_ptr<ShardFormat> format = make_format(request.format, request.gzip, chain.fields(), weights);
    const ordered_json inputs = inputs_of(request, chain, probe(chain, *format), weights);
    const FolderLock lock(request.out);
    ordered_json all_inputs = inputs;
    all_inputs.update(identity_of(request, registry));
    WrittenFiles done(request.out, all_inputs);
    Prepared prepared{.source = {}, .map = {}};
    const bool is_compared =
        (done.is_whole() && !request.verify) || done.drop_changed(request.verify, request.stop, request.progress);
    prepared.is_whole = is_compared && done.is_whole();
    prepared.files_before = done.shards().size();
    if (is_compared && !prepared.is_whole) {
        const Preparation preparation{request,
                                      *format,
                                      inputs,
                                      chain.class_names(),
                                      done,
                                      inputs["shards"].get<std::size_t>(),
                                      inputs["samples_in_a_file"].get<std::uint64_t>()};
        try {
            prepared.is_whole = write_shards(preparation, chain);
        } catch (const data::Stopped&) {
            prepared.is_whole = false;
        } catch (const Error& error) {
            throw Error(error.exit(), fmt::format("{} ({} of {} complete; the same command continues from there)",
                                                  error.what(), done.shards().size(),
                                                  counted(inputs["shards"].dump(), "file") +
                                                      (inputs["shards"] == 1 ? " is" : " are")));
        }
        if (prepared.is_whole) {
            done.finish();
        }
    }
    for (const auto& [number, shard] : done.shards()) {
        prepared.samples += shard.samples;
        prepared.bytes += shard.bytes;
    }
    prepared.skipped = done.skipped();
    prepared.files = done.shards().size();
    prepared.source = source_line(request.out, *format);
    prepared.map = map_line(request.prefix);
    return prepared;
}

}  // namespace sluice::prepare
