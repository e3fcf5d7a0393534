// What a source makes of the files of a test.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "data_test_chain.hpp"
#include "folder_test.hpp"

namespace sluice::data {

// The name of a sample, and the number in its last field where that is a class number, else 0.
using Made = std::pair<std::string, std::int64_t>;

class SourceTest : public FolderTest {
protected:
    // Of a source such as "use = \"photos\", folder = \"p\"", its samples in their order.
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

    // The exit code and the message of a source that cannot be opened.
    static std::string refusal(const std::string& source) {
        return error_of([&] { make_chain("source = { " + source + " }"); });
    }
};

}  // namespace sluice::data
