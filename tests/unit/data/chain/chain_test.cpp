// Chains: their fields and stages, and what their samples depend on.
#include "data/chain/chain.hpp"

#include "unit/data/data_test_chain.hpp"

namespace sluice::data {
namespace {

constexpr std::string_view kNoisy = R"(source = { use = "test_numbers" }
map = [{ use = "test_noise" }, { use = "test_sum" }])";
constexpr std::string_view kCachedNoise = R"(source = { use = "test_numbers" }
map = [{ use = "test_noise" }, { use = "cache" }, { use = "test_sum" }])";

std::vector<std::uint8_t> image_of(const Chain& chain, std::uint64_t epoch, std::uint64_t index) {
    return bytes_of(Chain::Worker(chain).make(epoch, index).fields.at(0));
}

TEST(chain, replaces_fields_in_place_and_appends_new_ones) {
    const Chain chain = make_chain(kNoisy);
    std::vector<std::string> names;
    for (const registry::Field& field : chain.fields()) {
        names.push_back(field.name);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"image", "label", "file", "sum"}));
    EXPECT_EQ(chain.length(), 10U);
    EXPECT_EQ(chain.stages(), (std::vector<std::string>{"test_numbers", "test_noise", "test_sum"}));
    EXPECT_EQ(make_chain(kCachedNoise).stages(),
              (std::vector<std::string>{"test_numbers", "test_noise", "cache", "test_sum"}));
}

TEST(chain, draws_by_seed_epoch_and_index_only) {
    const Chain chain = make_chain(kNoisy);
    EXPECT_EQ(image_of(chain, 1, 4), image_of(make_chain(kNoisy), 1, 4));
    EXPECT_NE(image_of(chain, 1, 4), image_of(chain, 2, 4));
    EXPECT_NE(image_of(chain, 1, 4), image_of(make_chain(kNoisy, 8), 1, 4));
}

// Earlier stages may have run in `host prepare`, so they must not change later draws.
TEST(chain, draws_the_same_whatever_stands_before) {
    const auto image = [](std::string_view map) { return image_of(make_chain(with_map(map)), 1, 4); };
    const std::string noise = R"({ use = "test_noise" })";
    const std::string sum = R"({ use = "test_sum" })";
    EXPECT_EQ(image(sum + ", " + noise), image(noise));
    // Two transforms of one name draw twice, and the last one draws as if it were alone.
    const std::vector<std::uint8_t> plain = image(sum);
    const std::vector<std::uint8_t> once = image(noise);
    const std::vector<std::uint8_t> twice = image(noise + ", " + noise);
    int different = 0;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        const auto last = static_cast<std::uint8_t>(once[i] - plain[i]);
        different += static_cast<std::uint8_t>(twice[i] - plain[i] - last) != last ? 1 : 0;
    }
    EXPECT_GT(different, 30);
}

TEST(chain, draws_once_for_all_epochs_before_a_cache) {
    const Chain cached = make_chain(kCachedNoise);
    const std::vector<std::uint8_t> first = image_of(cached, 0, 4);
    EXPECT_EQ(image_of(cached, 3, 4), first);
    EXPECT_EQ(image_of(make_chain(kNoisy), 0, 4), first);
}

TEST(chain, reads_a_cached_sample_once) {
    const Chain again = make_chain(R"(source = { use = "test_numbers", changing = true })");
    EXPECT_NE(image_of(again, 0, 4), image_of(again, 1, 4));
    const Chain cached = make_chain(R"(source = { use = "test_numbers", changing = true }
                                       map = [{ use = "cache" }])");
    EXPECT_EQ(image_of(cached, 0, 4), image_of(cached, 1, 4));
    const Chain tiny = make_chain(R"(source = { use = "test_numbers", changing = true }
                                     map = [{ use = "cache", budget = "10 B" }])");
    EXPECT_NE(image_of(tiny, 0, 4), image_of(tiny, 1, 4));
}

TEST(chain, changes_nothing_after_the_cache_by_having_one) {
    const Chain plain = make_chain(R"(source = { use = "test_numbers" }
                                      map = [{ use = "test_noise" }])");
    const Chain cached = make_chain(R"(source = { use = "test_numbers" }
                                       map = [{ use = "cache" }, { use = "test_noise" }])");
    for (const std::uint64_t epoch : {0, 1, 2}) {
        EXPECT_EQ(image_of(cached, epoch, 4), image_of(plain, epoch, 4));
    }
}

TEST(chain, allows_one_cache) {
    expect_contains(error_of([] {
                        make_chain(
                            "source = { use = \"test_numbers\" }\n"
                            "map = [{ use = \"cache\" },\n{ use = \"cache\" }]");
                    }),
                    {"2 test.toml:3", "data.train", "second 'cache'"});
}

TEST(chain, refuses_an_empty_source) {
    expect_contains(error_of([] { make_chain("source = { use = \"test_numbers\", length = 0 }"); }),
                    {"3 test.toml:1", "test_numbers", "no samples"});
}

}  // namespace
}  // namespace sluice::data
