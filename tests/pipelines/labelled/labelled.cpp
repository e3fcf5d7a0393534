// Pictures whose classes can be learnt in a second, and labels that are wrong on demand.
#include "sluice/sdk/plugin.hpp"

namespace {

using namespace sluice::sdk;

// Returns noise from 0 to 95; stripes, which are two pixels wide, are 100 brighter.
std::uint8_t pixel(Draws& draws, bool striped, std::int64_t place) {
    const std::int64_t stripe = striped && place / 2 % 2 == 0 ? 100 : 0;
    return static_cast<std::uint8_t>(draws.below(96) + stripe);
}

class Stripes final : public Source {
public:
    Stripes(Host, const Options& options)
        : count_(options.integer("count")),
          first_(options.integer("first")),
          bad_at_(options.integer("bad_at")),
          ignored_(options.boolean("ignored")) {}

    void describe(const FieldSink& sink) const override {
        sink.field("image", SLUICE_FIELD_IMAGE, make_spec(kUint8, {kSide, kSide, 1}));
        sink.field("label", SLUICE_FIELD_CLASS, make_spec(kInt64, {}));
        sink.length(static_cast<std::uint64_t>(count_));
    }

    void read(WorkerContext&, std::uint64_t index, std::uint64_t, const SampleSink& sink) const override {
        sink.name("stripes " + std::to_string(index));
        Draws draws({1, 1, index + static_cast<std::uint64_t>(first_)});
        const std::int64_t label = draws.below(4);
        const std::int64_t shift = draws.below(4);
        std::uint8_t* image = sink.allocate(0, make_spec(kUint8, {kSide, kSide, 1}));
        for (std::int64_t y = 0; y < kSide; ++y) {
            for (std::int64_t x = 0; x < kSide; ++x) {
                const bool level = label == 0 || (label == 2 && x < kSide / 2);
                const bool upright = label == 1 || (label == 2 && x >= kSide / 2);
                image[y * kSide + x] = pixel(draws, level || upright, (level ? y : x) + shift);
            }
        }
        *sink.allocate<std::int64_t>(1, make_spec(kInt64, {})) = static_cast<std::int64_t>(index) == bad_at_ ? 9
                                                                 : ignored_                                  ? 255
                                                                                                             : label;
    }

private:
    static constexpr std::int64_t kSide = 16;
    std::int64_t count_;
    std::int64_t first_;
    std::int64_t bad_at_;
    bool ignored_;
};

class Regions final : public Source {
public:
    Regions(Host, const Options& options)
        : count_(options.integer("count")), first_(options.integer("first")), bad_at_(options.integer("bad_at")) {}

    void describe(const FieldSink& sink) const override {
        sink.field("image", SLUICE_FIELD_IMAGE, make_spec(kUint8, {kSide, kSide, 1}));
        sink.field("classes", SLUICE_FIELD_LABEL_MAP, make_spec(kUint8, {kSide, kSide}));
        sink.length(static_cast<std::uint64_t>(count_));
    }

    void read(WorkerContext&, std::uint64_t index, std::uint64_t, const SampleSink& sink) const override {
        sink.name("regions " + std::to_string(index));
        Draws draws({1, 2, index + static_cast<std::uint64_t>(first_)});
        const std::int64_t top = draws.below(12);
        const std::int64_t left = draws.below(12);
        const std::int64_t bottom = top + 8 + draws.below(4);
        const std::int64_t right = left + 8 + draws.below(4);
        std::uint8_t* image = sink.allocate(0, make_spec(kUint8, {kSide, kSide, 1}));
        std::uint8_t* classes = sink.allocate(1, make_spec(kUint8, {kSide, kSide}));
        for (std::int64_t y = 0; y < kSide; ++y) {
            for (std::int64_t x = 0; x < kSide; ++x) {
                const bool inside = y >= top && y <= bottom && x >= left && x <= right;
                const bool edge = inside && (y == top || y == bottom || x == left || x == right);
                image[y * kSide + x] = pixel(draws, inside, x);
                classes[y * kSide + x] = edge ? 255 : inside ? 1 : 0;
            }
        }
        if (static_cast<std::int64_t>(index) == bad_at_) {
            classes[3 * kSide + 5] = 7;
        }
    }

private:
    static constexpr std::int64_t kSide = 24;
    std::int64_t count_;
    std::int64_t first_;
    std::int64_t bad_at_;
};

constexpr sluice_component kComponents[] = {
    component<Stripes>("test.source.stripes"),
    component<Regions>("test.source.regions"),
};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
