// Two images of noise, one colour or coordinates, with a label map of five classes, and transforms that choose windows.
#include "sluice/sdk/plugin.hpp"

namespace {

using namespace sluice::sdk;

class Pictures final : public Source {
public:
    Pictures(Host, const Options& options)
        : length_(options.integer("length")),
          size_(options.integers("size")),
          second_size_(options.integers(options.has("second_size") ? "second_size" : "size")),
          channels_(options.integer("channels")),
          flat_(options.integer("flat")),
          ramp_(options.boolean("ramp")),
          varies_(options.boolean("varies")) {}

    void describe(const FieldSink& sink) const override {
        const std::vector<std::int64_t> any = {-1, -1};
        sink.field("first", SLUICE_FIELD_IMAGE, image(varies_ ? any : size_));
        sink.field("second", SLUICE_FIELD_IMAGE, image(varies_ ? any : second_size_));
        sink.field("map", SLUICE_FIELD_LABEL_MAP, make_spec(kUint8, varies_ ? any : size_));
        sink.field("label", SLUICE_FIELD_CLASS, make_spec(kInt64, {}));
        sink.field("number", SLUICE_FIELD_TENSOR, make_spec(kFloat32, {2}));
        sink.length(static_cast<std::uint64_t>(length_));
    }

    void read(WorkerContext&, std::uint64_t index, std::uint64_t, const SampleSink& sink) const override {
        Draws draws({1, 2, index});
        for (const std::uint32_t field : {0U, 1U, 2U}) {
            const sluice_tensor_spec spec =
                field == 2 ? make_spec(kUint8, size_) : image(field == 0 ? size_ : second_size_);
            std::uint8_t* const to = sink.allocate(field, spec);
            const std::int64_t channels = field == 2 ? 1 : channels_;
            for (std::int64_t i = 0; i < element_count(spec); ++i) {
                const std::int64_t pixel = i / channels;
                const std::int64_t coordinate = i % channels % 2 == 0 ? pixel / spec.shape[1] : pixel % spec.shape[1];
                const bool is_flat = field != 2 && flat_ >= 0;
                to[i] = static_cast<std::uint8_t>(ramp_     ? coordinate
                                                  : is_flat ? flat_
                                                            : draws.below(field == 2 ? 5 : 256));
            }
        }
        *sink.allocate<std::int64_t>(3, make_spec(kInt64, {})) = static_cast<std::int64_t>(index);
        std::fill_n(sink.allocate<float>(4, make_spec(kFloat32, {2})), 2, 0.5F);
    }

private:
    [[nodiscard]] sluice_tensor_spec image(const std::vector<std::int64_t>& size) const {
        return make_spec(kUint8, {size[0], size[1], channels_});
    }

    std::int64_t length_;
    std::vector<std::int64_t> size_;
    std::vector<std::int64_t> second_size_;
    std::int64_t channels_;
    std::int64_t flat_;
    bool ramp_;
    bool varies_;
};

class Told final : public Transform, public WindowChoice {
public:
    Told(Host, const Options&) {}
    void describe(std::span<const sluice_field> fields, const FieldSink& sink) override {
        for (const sluice_field& field : fields) {
            sink.field(view(field.name), field.role, field.spec);
        }
    }
    void expect(std::span<const std::uint8_t> windows) override {
        std::string numbers;
        for (const std::uint8_t number : windows) {
            numbers += " " + std::to_string(number);
        }
        throw Failure(SLUICE_INVALID, "told" + numbers);
    }
    void choose(std::span<const sluice_extent>, const sluice_random_key&, std::span<sluice_window>) const override {}
    void apply(WorkerContext&, std::span<const sluice_tensor>, const sluice_random_key&,
               const SampleSink&) const override {}
};

class NoColumns final : public Transform, public WindowChoice {
public:
    NoColumns(Host, const Options&) {}
    void describe(std::span<const sluice_field> fields, const FieldSink& sink) override {
        sink.field(view(fields[0].name), fields[0].role, fields[0].spec);
    }
    void expect(std::span<const std::uint8_t>) override {}
    void choose(std::span<const sluice_extent>, const sluice_random_key&,
                std::span<sluice_window> windows) const override {
        windows[0].height = 1;
    }
    void apply(WorkerContext&, std::span<const sluice_tensor>, const sluice_random_key&,
               const SampleSink&) const override {}
};

constexpr sluice_component kComponents[] = {component<Pictures>("test.source.pictures"),
                                            component<Told>("test.transform.told"),
                                            component<NoColumns>("test.transform.no_columns")};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
