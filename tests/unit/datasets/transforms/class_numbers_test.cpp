// Transforms `one_hot` and `label_map`.
#include "unit/datasets/transforms/transform_test.hpp"

namespace sluice::data {
namespace {

std::vector<float> vector_of(const Chain& chain, const std::string& field, std::uint64_t index) {
    Chain::Worker worker(chain);
    const auto numbers = field_of(worker.make(0, index), field).tensor.as<float>();
    return {numbers.begin(), numbers.end()};
}

std::int64_t class_of(const Chain& chain, std::uint64_t index) {
    Chain::Worker worker(chain);
    return field_of(worker.make(0, index), "label").tensor.as<std::int64_t>()[0];
}

TEST(one_hot, marks_the_class) {
    const Chain chain = chain_of("use = \"one_hot\", classes = 8");
    EXPECT_EQ(vector_of(chain, "label", 0), (std::vector<float>{1, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(vector_of(chain, "label", 7), (std::vector<float>{0, 0, 0, 0, 0, 0, 0, 1}));
    EXPECT_EQ(chain.fields()[3].role, SLUICE_FIELD_TENSOR);
    EXPECT_EQ(chain.fields().size(), 5U);
}

TEST(one_hot, writes_another_field_and_spreads_a_share) {
    const Chain chain = chain_of("use = \"one_hot\", classes = 4, to = \"target\", smoothing = 0.5");
    EXPECT_EQ(vector_of(chain, "target", 2), (std::vector<float>{0.125F, 0.125F, 0.625F, 0.125F}));
    EXPECT_EQ(class_of(chain, 2), 2);
}

TEST(one_hot, refuses_classes_and_fields_that_do_not_fit) {
    const Chain chain = chain_of("use = \"one_hot\", classes = 3");
    expect_contains(error_of([&] { vector_of(chain, "label", 3); }), {"sample 3", "'label' is 3", "from 0 to 2"});
    expect_contains(refusal("use = \"one_hot\""), {"needs option 'classes'"});
    expect_contains(refusal("use = \"one_hot\", classes = 3, from = \"map\""), {"'map' is a label map"});
    expect_contains(refusal("use = \"one_hot\", classes = 3, from = \"no\""), {"no field 'no'", "'label'"});
}

TEST(label_map, changes_class_numbers_and_label_maps) {
    const Chain chain = chain_of("use = \"label_map\", to = [1, 1, 0, 7, 2, 2, 2, 2]");
    const std::array<int, 8> table = {1, 1, 0, 7, 2, 2, 2, 2};
    for (std::uint64_t i = 0; i < 8; ++i) {
        EXPECT_EQ(class_of(chain, i), table[i]);
    }
    Image expected = given("map");
    for (std::uint8_t& number : expected.pixels) {
        number = static_cast<std::uint8_t>(table.at(number));
    }
    EXPECT_EQ(made(chain, "map"), expected);
    EXPECT_EQ(made(chain, "first"), given("first"));
}

TEST(label_map, writes_one_number_for_all_that_is_ignored) {
    const Chain chain = chain_of("use = \"label_map\", to = [0, -1, 1], ignore = 255");
    EXPECT_EQ(class_of(chain, 1), 255);
    EXPECT_EQ(class_of(chain, 2), 1);
    EXPECT_EQ(class_of(chain, 5), 255);
    Image expected = given("map");
    for (std::uint8_t& number : expected.pixels) {
        number = number == 0 ? 0 : number == 2 ? 1 : 255;
    }
    EXPECT_EQ(made(chain, "map"), expected);
    EXPECT_EQ(class_of(chain_of("use = \"label_map\", to = [4], ignore = -100, fields = [\"label\"]"), 1), -100);
}

TEST(label_map, refuses_what_its_table_does_not_know) {
    const Chain chain = chain_of("use = \"label_map\", to = [0, 1, 2], fields = [\"label\"]");
    expect_contains(error_of([&] { class_of(chain, 3); }), {"sample 3", "'label' has class 3", "0 to 2", "'ignore'"});
    const Chain of_map = chain_of("use = \"label_map\", to = [0, 1, 2], fields = [\"map\"]");
    expect_contains(error_of([&] { made(of_map, "map"); }), {"'map' has class", "'ignore'"});
    expect_contains(refusal("use = \"label_map\", to = [0, -1]"), {"'to' has a -1", "'ignore'"});
    expect_contains(refusal("use = \"label_map\", to = [0, 300]"), {"'map' is a label map", "0 to 255"});
    expect_contains(refusal("use = \"label_map\", to = [0], ignore = -1"), {"'map' is a label map", "0 to 255"});
    expect_contains(refusal("use = \"label_map\", to = [0], fields = [\"first\"]"), {"'first' is an image"});
}

}  // namespace
}  // namespace sluice::data
