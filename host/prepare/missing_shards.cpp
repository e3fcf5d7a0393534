#include "prepare/missing_shards.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/machine.hpp"
#include "base/sha256.hpp"
#include "base/text/counted.hpp"
#include "data/loader/stopped.hpp"
#include "prepare/output_file.hpp"
#include "record_formats/layout.hpp"

namespace sluice::prepare {
namespace {

// There are no batches here. Samples made ahead get half of their part of data.memory; the other half is for the sample
// that is being written.
std::uint64_t prefetch_bytes(const config::StreamSpec& made) {
    return made.batch_bytes.value_or(available_memory() / 4) / 2;
}

}  // namespace

bool MissingShards::write() {
    try {
        return write_all();
    } catch (const data::Stopped&) {
        return false;
    } catch (const Error& error) {
        throw Error(error.exit(),
                    fmt::format("{} ({} of {} complete; the same command continues from there)", error.what(),
                                written_.shards().size(),
                                counted(layout_.shards(), "file") + (layout_.shards() == 1 ? " is" : " are")));
    }
}

bool MissingShards::write_all() {
    const auto is_written = [&](std::size_t shard) { return written_.shards().contains(shard); };
    for (std::size_t first = 0; first < layout_.shards(); ++first) {
        if (is_written(first)) {
            continue;
        }
        std::size_t end = first + 1;
        while (end < layout_.shards() && !is_written(end)) {
            ++end;
        }
        if (!write_range(first, end)) {
            return false;
        }
        first = end;  // which exists already, or is the end
    }
    return true;
}

// Consecutive shards share the threads that make samples.
bool MissingShards::write_range(std::size_t first, std::size_t end) {
    const std::uint64_t first_sample = layout_.first(first);
    const std::uint64_t end_sample = layout_.end(end - 1);
    OrderedSamples samples(chain_, format_, first_sample, end_sample,
                           {.threads = request_.threads,
                            .prefetch_bytes = prefetch_bytes(request_.prefix.made),
                            .stall_seconds = request_.stall_seconds,
                            .stop = request_.stop});
    ProgressMeter meter(first_sample, end_sample);
    for (std::size_t shard = first; shard < end; ++shard) {
        if (!write_shard(shard, samples, meter)) {
            return false;
        }
    }
    return true;
}

bool MissingShards::write_shard(std::size_t shard, OrderedSamples& samples, ProgressMeter& meter) {
    ShardRecord record{.file = file_name(shard)};
    const std::filesystem::path path = request_.out / record.file;
    OutputFile file(path);
    const std::unique_ptr<ShardBody> body = format_.begin(file);
    std::string names;
    for (std::uint64_t index = layout_.first(shard); index < layout_.end(shard); ++index) {
        if (const auto sample = take(samples, index, record.skipped)) {
            body->add(*sample);
            names += sample->name + "\n";
            meter.add(sample->bytes.size());
            ++record.samples;
        }
        if (const std::string line = meter.line(index + 1); !line.empty()) {
            request_.progress(line);
        }
        if (request_.stop()) {
            return false;
        }
    }
    if (record.samples == 0 && !format_.may_be_empty()) {
        throw Error(Exit::data, fmt::format("{}: all samples of this file are bad, and an empty TFRecord file looks "
                                            "like one that was cut off; use --format records, --gzip or a larger "
                                            "--shard-size, with another --out",
                                            path.string()));
    }
    body->finish(manifest_of(shard));
    record.sha256 = file.finish();
    record.bytes = file.written();
    const std::string_view parts[] = {names};
    record.names_sha256 = sha256(parts);
    written_.add(shard, std::move(record));
    return true;
}

// Returns nothing if the sample is bad and may be left out; then logs it and adds it to `skipped`, the bad samples of
// this shard.
std::optional<records::PackedSample> MissingShards::take(OrderedSamples& samples, std::uint64_t index,
                                                         std::vector<SkippedSample>& skipped) const {
    try {
        return samples.take();
    } catch (const Error& error) {
        if (error.exit() != Exit::data || request_.skip_bad == 0) {
            throw;
        }
        const std::size_t bad = written_.skipped() + skipped.size() + 1;
        if (std::cmp_greater(bad, request_.skip_bad)) {
            throw Error(Exit::data, fmt::format("{}; that makes {} bad samples, but data.skip_bad = {}; repair the "
                                                "files or raise data.skip_bad",
                                                error.what(), bad, request_.skip_bad));
        }
        skipped.push_back({index, error.what()});
        log::warn(
            fmt::format("{}; it is left out (bad sample {} of at most {})", error.what(), bad, request_.skip_bad));
    }
    return std::nullopt;
}

std::string MissingShards::file_name(std::size_t shard) const {
    return fmt::format("{}-{:05}-of-{:05}{}", request_.purpose, shard, layout_.shards(), format_.suffix());
}

// Class names are not among the inputs, which already determine the number of each class.
std::string MissingShards::manifest_of(std::size_t shard) const {
    nlohmann::ordered_json manifest{{"inputs", inputs_}, {"number", shard}};
    if (!chain_.class_names().empty()) {
        manifest[records::kClassNames] = chain_.class_names();
    }
    return manifest.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace sluice::prepare
