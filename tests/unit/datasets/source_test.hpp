// Helpers for tests of sources: samples, messages and bad samples.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "unit/captured_log.hpp"
#include "unit/data/data_test_chain.hpp"
#include "unit/folder_test.hpp"

namespace sluice::data {

// The name of a sample, and the class number in its last field. The number is 0 if that field is no class.
using Made = std::pair<std::string, std::int64_t>;

class SourceTest : public FolderTest {
protected:
    // Returns the samples of a source such as "use = \"photos\", folder = \"p\"", in order.
    static std::vector<Made> samples(const std::string& source) {
        const Chain chain = make_chain("source = { " + source + " }");
        Chain::Worker worker(chain);
        std::vector<Made> made;
        for (std::uint64_t i = 0; i < chain.length(); ++i) {
            const Sample& sample = worker.make(0, i);
            const SampleField& last = sample.fields.back();
            made.emplace_back(sample.name, last.role == SLUICE_FIELD_CLASS ? last.tensor.as<std::int64_t>()[0] : 0);
        }
        return made;
    }

    // Returns the exit code and the message of a source that cannot be opened.
    static std::string refusal(const std::string& source) {
        return error_of([&] { make_chain("source = { " + source + " }"); });
    }

    // Returns the samples that are bad if at most `may_be` samples may be.
    static std::vector<std::uint64_t> bad_samples(const std::string& source, std::int64_t may_be) {
        const Chain chain = make_chain("source = { " + source + " }");
        Loader loader(chain, {.shuffle = true, .skip_bad = may_be, .fields = {}});
        dump_next(loader, static_cast<int>(loader.batches_per_epoch()));
        return loader.state().bad_samples;
    }

    // Expects that `source`, which lacks files, reports `message`, and that `samples` are bad with missing_is_bad =
    // true.
    static void expect_missing(const std::string& source, const std::vector<std::uint64_t>& samples,
                               const std::string& message) {
        const auto count = static_cast<std::int64_t>(samples.size());
        const std::string counted = source + ", missing_is_bad = true";
        expect_contains(refusal(source),
                        {"3 ", message, "missing_is_bad = true counts what is missing as bad samples"});
        const CapturedLog log;
        EXPECT_EQ(bad_samples(counted, count), samples);
        const std::string log_text = log.take();
        expect_contains(log_text, {message, count > 1 ? "each counts as a bad sample" : "it counts as a bad sample"});
        expect_contains(log_text, {"(bad sample " + std::to_string(count) + " of at most"});
        expect_contains(error_of([&] { bad_samples(counted, count - 1); }),
                        {"3 data.train: sample ", count > 1 ? "raise data.skip_bad" : ""});
    }
};

}  // namespace sluice::data
