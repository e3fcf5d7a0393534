// Chains with the plugin of the data tests, and functions that compare their samples.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/toml/toml.hpp"
#include "data/chain/chain.hpp"
#include "data/chain/chain_worker.hpp"
#include "data/loader/loader.hpp"
#include "registry/loading/registry.hpp"

namespace sluice::data {

inline registry::Registry& test_registry() {
    static registry::Registry instance(SLUICE_DATA_TEST_PLUGINS, {});
    return instance;
}

inline config::ComponentSpec component_spec(Table table) {
    config::ComponentSpec spec;
    const Value use = *table.find("use");
    spec.use = *use.as_string();
    spec.origin = use.origin;
    table.erase("use");
    spec.options = std::move(table);
    return spec;
}

// Reads "source = { use = ... }" and "map = [{ use = ... }, ...]".
inline config::StreamSpec stream_spec(std::string_view toml) {
    const Table table = parse_toml(toml, "test.toml");
    config::StreamSpec spec;
    const Value& source = *table.find("source");
    for (const Value& one : source.as_array() != nullptr ? *source.as_array() : Array{source}) {
        Table options = *one.as_table();
        const Value* const weight = options.find("weight");
        const std::optional<double> share = weight == nullptr ? std::nullopt : std::optional(*weight->as_float());
        options.erase("weight");
        spec.sources.push_back({component_spec(std::move(options)), share});
    }
    if (const Value* map = table.find("map")) {
        for (const Value& entry : *map->as_array()) {
            spec.map.push_back(component_spec(*entry.as_table()));
        }
    }
    return spec;
}

// Returns a text for make_chain(): the plugin's source of numbers, then `map`, such as "{ use = ... }, ...".
inline std::string with_map(std::string_view map, const std::string& options = "length = 23, wait_us = 200") {
    return "source = { use = \"test_numbers\", " + options + " }\nmap = [" + std::string(map) + "]";
}

inline Chain make_chain(std::string_view toml, std::uint64_t seed = 7) {
    return {stream_spec(toml), test_registry(), seed, "data.train"};
}

inline LoaderOptions shuffled(std::int64_t workers, std::int64_t prefetch = 2, std::int64_t batch = 4) {
    return {.batch = batch,
            .workers = workers,
            .prefetch = prefetch,
            .seed = 11,
            .shuffle = true,
            .fields = {"sum", "image", "label"}};
}

inline std::vector<std::uint8_t> bytes_of(const SampleField& field) {
    return {field.tensor.bytes.begin(), field.tensor.bytes.end()};
}

// Returns everything that a batch holds, as bytes.
inline std::string dump(const Batch& batch) {
    std::string text = std::to_string(batch.epoch) + "." + std::to_string(batch.number) + ":";
    for (const std::string& name : batch.names) {
        text += name + ",";
    }
    for (const NamedTensor& field : batch.fields) {
        text += field.name + to_string(field.tensor.spec);
        text.append(field.tensor.bytes.begin(), field.tensor.bytes.end());
    }
    return text;
}

inline std::vector<std::string> dump_next(Loader& loader, int count) {
    std::vector<std::string> batches;
    for (int i = 0; i < count; ++i) {
        batches.push_back(dump(loader.next()));
    }
    return batches;
}

// Expects that the first `count` batches have the same bytes for any workers, any prefetch and any start, and returns
// them. If `expected` is not empty, the bytes must also equal it.
inline std::vector<std::string> expect_same_for_any_threads(const Chain& chain, LoaderOptions options, int count,
                                                            std::vector<std::string> expected = {}) {
    for (const std::int64_t workers : {0, 1, 2, 7}) {
        for (const std::int64_t prefetch : {0, 1, 2, 5}) {
            options.workers = workers;
            options.prefetch = prefetch;
            Loader loader(chain, options);
            const std::vector<std::string> batches = dump_next(loader, count);
            expected = expected.empty() ? batches : expected;
            EXPECT_EQ(batches, expected) << workers << " workers, prefetch " << prefetch;
            const auto last = static_cast<std::ptrdiff_t>(loader.batches_per_epoch()) - 1;
            loader.seek(0, loader.batches_per_epoch() - 1);
            EXPECT_EQ(dump_next(loader, 3), std::vector(expected.begin() + last, expected.begin() + last + 3));
            loader.seek(1, 1);
            EXPECT_EQ(dump_next(loader, 1), std::vector(1, expected[loader.batches_per_epoch() + 1]));
        }
    }
    return expected;
}

// Returns the message of the Error that `function` throws, with its exit code in front: "2 test.toml:1: ...".
template <class Function>
std::string error_of(Function function) {
    try {
        function();
    } catch (const Error& error) {
        return std::to_string(static_cast<int>(error.exit())) + " " + error.what();
    }
    return "nothing was thrown";
}

inline void expect_contains(const std::string& text, std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) {
        EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is missing in: " << text;
    }
}

}  // namespace sluice::data
