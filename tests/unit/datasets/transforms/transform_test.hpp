// Helpers for tests of transforms on pictures whose pixels are known.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "unit/data/data_test_chain.hpp"

namespace sluice::data {

// A copy of one field, as a picture.
struct Image {
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::int64_t channels = 1;
    std::vector<std::uint8_t> pixels;
    bool operator==(const Image&) const = default;
    [[nodiscard]] int at(std::int64_t y, std::int64_t x, std::int64_t c = 0) const {
        return pixels.at(static_cast<std::size_t>((y * width + x) * channels + c));
    }
    void add(double value) { pixels.push_back(static_cast<std::uint8_t>(value)); }
};

inline const SampleField& field_of(const Sample& sample, std::string_view name) {
    for (const SampleField& field : sample.fields) {
        if (field.name == name) {
            return field;
        }
    }
    throw std::runtime_error("no field " + std::string(name));
}

inline Image image_of(const Sample& sample, std::string_view name) {
    const SampleField& field = field_of(sample, name);
    const sluice_tensor_spec& spec = field.tensor.spec;
    return {spec.shape[0], spec.shape[1], spec.rank == 3 ? spec.shape[2] : 1, bytes_of(field)};
}

inline registry::Registry& registry_with_pictures() {
    static const std::array<std::filesystem::path, 1> more = {SLUICE_TRANSFORM_TEST_PLUGINS};
    static registry::Registry plugins(SLUICE_DATA_TEST_PLUGINS, more);
    return plugins;
}

// `map` is "use = \"resize\", size = [4, 4]", or several with " }, { " between them. `source` has options of the
// pictures.
inline Chain chain_of(const std::string& map, const std::string& source = "", std::uint64_t seed = 7) {
    const std::string text = "source = { use = \"test_pictures\"" + (source.empty() ? "" : ", " + source) + " }\n" +
                             (map.empty() ? "" : "map = [{ " + map + " }]");
    return {stream_spec(text), registry_with_pictures(), seed, "data.train"};
}

// Decodes the picture files in folder "p". `between`, such as "{ use = ... }, ", comes before the last transform.
inline Chain chain_of_files(const std::string& last, const std::string& between = "") {
    return make_chain("source = { use = \"photos\", folder = \"p\" }\nmap = [{ use = \"decode\" }, " + between + "{ " +
                      last + " }]");
}

inline Image made(const Chain& chain, std::string_view field, std::uint64_t epoch = 0, std::uint64_t index = 0) {
    return image_of(Chain::Worker(chain).make(epoch, index), field);
}

// Returns a field as the source makes it.
inline Image given(std::string_view field, const std::string& source = "", std::uint64_t index = 0) {
    return made(chain_of("", source), field, 0, index);
}

inline std::string refusal(const std::string& map, const std::string& source = "") {
    return error_of([&] { chain_of(map, source); });
}

inline int greatest_difference(const Image& a, const Image& b) {
    EXPECT_EQ(a.height, b.height);
    EXPECT_EQ(a.width, b.width);
    EXPECT_EQ(a.channels, b.channels);
    int most = a.pixels.size() == b.pixels.size() ? 0 : 256;
    for (std::size_t i = 0; i < a.pixels.size() && most < 256; ++i) {
        most = std::max(most, std::abs(int{a.pixels[i]} - int{b.pixels[i]}));
    }
    return most;
}

inline double mean_difference(const Image& a, const Image& b) {
    double sum = 0.0;
    EXPECT_EQ(a.pixels.size(), b.pixels.size());
    for (std::size_t i = 0; i < std::min(a.pixels.size(), b.pixels.size()); ++i) {
        sum += std::abs(int{a.pixels[i]} - int{b.pixels[i]});
    }
    return sum / static_cast<double>(a.pixels.size());
}

// Expects that draws depend on seed, epoch and sample, and on nothing else.
inline void expect_draws_by_key(const std::string& map, std::string_view field) {
    const Chain chain = chain_of(map);
    const Chain other_seed = chain_of(map, "", 8);
    const auto all = [&](const Chain& of, std::uint64_t epoch) {
        std::vector<Image> images;
        for (std::uint64_t i = 0; i < of.length(); ++i) {
            images.push_back(made(of, field, epoch, i));
        }
        return images;
    };
    EXPECT_EQ(all(chain, 1), all(chain_of(map), 1));
    EXPECT_NE(all(chain, 1), all(chain, 2));
    EXPECT_NE(all(chain, 1), all(other_seed, 1));
}

}  // namespace sluice::data
