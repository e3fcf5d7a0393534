// Batches with and without mixup or cutmix, for comparison.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>

#include "data/loader/loader.hpp"
#include "unit/datasets/transforms/transform_test.hpp"

namespace sluice::data {

inline const std::string kOneHot = "use = \"one_hot\", classes = 8";

// Batches have 8 samples in the order of the source, and sample i has class i.
inline LoaderOptions mixing_options(const std::vector<std::string>& fields) {
    return {.batch = 8, .workers = 0, .prefetch = 2, .seed = 7, .fields = fields};
}

// Two loaders of the same samples, one without a transform and one with it.
struct Compared {
    Compared(const std::string& without, const std::string& with, const std::string& source,
             const std::vector<std::string>& fields)
        : plain(chain_of(without, source)),
          chain(chain_of(with, source)),
          before(plain, mixing_options(fields)),
          after(chain, mixing_options(fields)) {}
    Chain plain;
    Chain chain;
    Loader before;
    Loader after;
};

inline const HostTensor& tensor_of(const Batch& batch, std::string_view name) {
    return std::ranges::find(batch.fields, name, &NamedTensor::name)->tensor;
}

// The partner and the own share of a sample, as labels of one_hot show them. An unmixed sample has the share 1.
struct Mixed {
    std::size_t partner;
    float share;
};

inline std::vector<Mixed> mixed_labels(const Batch& batch) {
    const std::span<const float> labels = tensor_of(batch, "label").as<float>();
    std::vector<Mixed> mixed;
    for (std::size_t i = 0; i < static_cast<std::size_t>(batch.count); ++i) {
        const std::span<const float> row = labels.subspan(8 * i, 8);
        Mixed found{.partner = i, .share = row[i]};
        for (std::size_t c = 0; c < 8; ++c) {
            if (c != i && row[c] != 0.0F) {
                EXPECT_EQ(found.partner, i) << "the label has a third class";
                EXPECT_EQ(row[c], 1.0F - row[i]);
                found.partner = c;
            }
        }
        mixed.push_back(found);
    }
    return mixed;
}

// Returns the share of a batch, or nothing if no sample was mixed.
inline std::optional<float> share_of(const Batch& batch) {
    for (const Mixed& mixed : mixed_labels(batch)) {
        if (mixed.share != 1.0F) {
            return mixed.share;
        }
    }
    return std::nullopt;
}

inline void expect_mixed_by_epoch(const std::string& map, const std::vector<std::string>& fields) {
    const auto found = expect_same_for_any_threads(chain_of(map, "length = 20"), mixing_options(fields), 7);
    EXPECT_NE(found[0].substr(found[0].find(':')), found[3].substr(found[3].find(':')));  // batches of two epochs
}

// With 9 samples, the second batch has only one.
inline void expect_one_left_alone(const std::string& map) {
    Compared loaders("", map, "length = 9", {"first"});
    EXPECT_NE(dump_next(loaders.after, 1), dump_next(loaders.before, 1));
    EXPECT_EQ(dump_next(loaders.after, 1), dump_next(loaders.before, 1));
}

inline std::string mixing_refusal(const std::string& map, const std::vector<std::string>& fields,
                                  const std::string& source = "") {
    return error_of([&] {
        const Chain chain = chain_of(map, source);
        Loader(chain, mixing_options(fields)).next();
    });
}

}  // namespace sluice::data
