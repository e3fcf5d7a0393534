// Cases for sources whose files are cut, removed or changed.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "base/error.hpp"
#include "check/cases/source_samples.hpp"
#include "registry/optional/identity.hpp"

namespace sluice::check {
namespace {

// Cuts the files of an open source, then removes them. The source may return samples that it kept, but must not make up
// any.
void names_what_it_cannot_read(Trial& trial) {
    const std::vector<std::filesystem::path> files = trial.folder().files();
    if (files.empty()) {
        throw CaseSkipped("no option of the source names a file here");
    }
    const registry::Source source = open_source(trial);
    const registry::WorkerContext context = source.make_context();
    const std::vector<std::uint64_t> indices = some_samples(trial, source);
    const auto before = read_in_order(open_source(trial), indices);  // by another object: `source` keeps none
    const auto names_a_file = [&](const std::string& text) {
        return std::ranges::any_of(
            files, [&](const auto& file) { return text.find(file.filename().string()) != std::string::npos; });
    };
    const auto read_all = [&](const std::string& what, bool is_kept_alone) {
        for (const std::uint64_t index : indices) {
            const std::string call = fmt::format("read() of sample {} after its files were {}", index, what);
            trial.doing(call);
            SampleBuffer buffer;
            const RawSampleSink sink(buffer, false);
            const Answer answer = ask(source.object().table()->read, source.object().self(), context.get(), index,
                                      std::uint64_t{1}, sink.abi());
            trial.expect_reason(answer, call);
            expect(answer.status == SLUICE_OK || names_a_file(answer.message) || names_a_file(buffer.name()),
                   fmt::format("{} fails and names no file: '{}'", call, answer.message));
            expect(answer.status != SLUICE_OK || !is_kept_alone || buffer.digest() == before.at(index),
                   call + " succeeds with other bytes than before; it must fail instead of making up a sample");
        }
    };
    for (const auto& file : files) {
        std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
    }
    // An encoded field is a copy of the file; the decoder finds out that it was cut.
    read_all("cut",
             std::ranges::count(source.fields(), std::int32_t{SLUICE_FIELD_ENCODED}, &registry::Field::role) == 0);
    for (const auto& file : files) {
        std::filesystem::remove(file);
    }
    read_all("removed", true);
}

// Changes the file's time, and one bit of its second-to-last byte: the last byte may end a line.
void change(const std::filesystem::path& file) {
    if (const auto size = static_cast<std::streamoff>(std::filesystem::file_size(file)); size > 1) {
        std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
        stream.seekg(size - 2);
        const int byte = stream.get();
        stream.seekp(size - 2);
        stream.put(static_cast<char>(byte ^ 1));
    }
    std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) + std::chrono::seconds(3));
}

void reports_changed_files(Trial& trial) {
    const std::vector<std::filesystem::path> files = trial.folder().files();
    const registry::Source source = open_source(trial);
    if (files.empty() || !registry::has_data_identity(source)) {
        throw CaseSkipped("the source has no files here, or does not serve sluice.identity/1");
    }
    const std::string first = registry::data_identity(source, {});
    expect(registry::data_identity(open_source(trial), {}) == first, "identity() gives two results for the same files");
    std::ranges::for_each(files, change);
    std::string second;
    try {
        second = registry::data_identity(open_source(trial), {});
    } catch (const Error& error) {
        throw CaseSkipped(fmt::format("the source refuses the files after one bit was changed: {}", error.what()));
    }
    expect(second != first, "identity() is the same after its files were changed");
}

constexpr Case kSourceFilesCases[] = {
    {"source.unreadable",
     "A file that is cut or removed meanwhile is an error that names it, and no sample is made up.",
     names_what_it_cannot_read},
    {"source.identity", "The identity of the data changes with the files, and only then.", reports_changed_files},
};

}  // namespace

std::span<const Case> source_file_cases() { return kSourceFilesCases; }

}  // namespace sluice::check
