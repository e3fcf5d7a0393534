#include "example_set.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <limits>
#include <optional>
#include <system_error>
#include <thread>

#include "record_formats/damage.hpp"
#include "weights.hpp"

namespace sluice::records {
namespace {

constexpr std::size_t kMostThreads = 8;  // each reads one record length after another and waits for the disk

constexpr std::size_t kWaysIn = 512;  // entry points of all compressed files; 20 MiB of memory

// Calls `action` with the number of each file, on several threads. Rethrows the failure of the lowest number.
void for_each_file(std::size_t files, const std::function<void(std::size_t number)>& action) {
    std::vector<std::exception_ptr> failures(files);
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < files; i = next++) {
            try {
                action(i);
            } catch (...) {
                failures[i] = std::current_exception();
            }
        }
    };
    {
        std::vector<std::jthread> threads;
        try {
            while (threads.size() + 1 < std::min(kMostThreads, files)) {
                threads.emplace_back(work);
            }
        } catch (const std::system_error&) {
        }  // the threads that could be started do the work
        work();
    }
    if (const auto failure = std::ranges::find_if(failures, [](const auto& f) { return f != nullptr; });
        failure != failures.end()) {
        std::rethrow_exception(*failure);
    }
}

std::vector<std::unique_ptr<TfRecordFile>> open_all(const std::vector<std::filesystem::path>& paths) {
    std::vector<std::unique_ptr<TfRecordFile>> files(paths.size());
    for_each_file(paths.size(),
                  [&](std::size_t i) { files[i] = std::make_unique<TfRecordFile>(paths[i], kWaysIn / paths.size()); });
    return files;
}

}  // namespace

ExampleSet::ExampleSet(const std::vector<std::filesystem::path>& files, const sdk::Options& options)
    : files_(open_all(files)),
      first_class_(options.integer("first_class")),
      weight_(options.has("weights") ? options.string("weights") : "") {
    std::uint64_t records = 0;
    for (const auto& file : files_) {
        records += file->size();
        ends_.push_back(records);
    }
    if (records == 0) {
        throw Damage(files.front().string() + ": neither this file nor any other has a record");
    }
    choose_by_first(options);
}

// Chooses fields by the first readable record. Throws the damage of the first record if none of the first few of each
// file is readable.
void ExampleSet::choose_by_first(const sdk::Options& options) {
    constexpr std::uint64_t kTries = 16;
    std::optional<Damage> first;
    Bytes scratch;
    for (const auto& file : files_) {
        for (std::uint64_t number = 0; number < std::min(kTries, file->size()); ++number) {
            try {
                fields_ = choose_fields(options, Example::parse(file->read(number, scratch)));
                return;
            } catch (const Damage& damage) {
                first = first ? first : damage;
            }
        }
    }
    throw Damage(*first);
}

std::vector<std::string> ExampleSet::losses() const {
    std::vector<std::string> all;
    for (const auto& file : files_) {
        if (!file->lost().empty()) {
            all.push_back(file->lost());
        }
    }
    return all;
}

void ExampleSet::describe(const sdk::FieldSink& sink) const {
    for (const ExampleField& field : fields_) {
        describe_field(field, sink);
    }
}

void ExampleSet::read(std::uint64_t index, const sdk::SampleSink& sink, Bytes& scratch) const {
    const auto number = static_cast<std::size_t>(std::ranges::upper_bound(ends_, index) - ends_.begin());
    const TfRecordFile& file = *files_[number];
    const std::uint64_t record = index - (number == 0 ? 0 : ends_[number - 1]);
    const ByteSpan message = file.read(record, scratch);  // its errors contain the record's name
    sink.name(file.name(record));
    const Example example = Example::parse(message);
    for (std::uint32_t i = 0; i < fields_.size(); ++i) {
        read_field(fields_[i], example, first_class_, i, sink);
    }
}

void ExampleSet::classes(std::span<std::int64_t>) const {
    throw sdk::Failure(
        SLUICE_INVALID,
        "the classes in TFRecord files are known only after reading all records; `sluice prepare` makes files that "
        "list them");
}

void ExampleSet::weights(std::span<double> weights) const {
    std::ranges::fill(weights, std::numeric_limits<double>::quiet_NaN());
    for_each_file(files_.size(), [&](std::size_t i) {
        const TfRecordFile& file = *files_[i];
        const std::uint64_t first = ends_[i] - file.size();
        const std::uint64_t count = weights.size() - std::min<std::uint64_t>(first, weights.size());
        file.read_first(count, [&](std::uint64_t number, ByteSpan message) {
            const Example example = Example::parse(message);
            try {
                weights[first + number] = read_weight(weight_, example);
            } catch (const Damage& damage) {
                throw sdk::Failure(SLUICE_BAD_SAMPLE, file.name(number) + ": " + damage.what());
            }
            if (!is_weight(weights[first + number])) {
                refuse_weight(weights[first + number], file.name(number) + ": feature '" + weight_ + "'");
            }
        });
    });
}

std::string ExampleSet::mapping() const {
    std::string text;
    for (const ExampleField& field : fields_) {
        text += (text.empty() ? "" : ", ") + field.name + " = " + field.feature + " (" + field.kind + ")";
    }
    return text;
}

}  // namespace sluice::records
