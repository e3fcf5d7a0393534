// Samples whose bytes are known, and failures on demand.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>
#include <unordered_map>

#include "sluice/sdk/plugin.hpp"

namespace {

using namespace sluice::sdk;

bool has(const std::vector<std::int64_t>& list, std::uint64_t index) {
    return std::ranges::find(list, static_cast<std::int64_t>(index)) != list.end();
}

class Numbers final : public Source, public Identity {
public:
    Numbers(Host, const Options& options)
        : length_(options.integer("length")),
          changing_(options.boolean("changing")),
          wait_us_(options.integer("wait_us")),
          sleep_ms_(options.integer("sleep_ms")),
          wrong_(options.string("wrong")),
          revision_(std::getenv("SLUICE_TEST_REVISION") != nullptr ? 1 : 0) {
        if (options.has("bad_at")) {
            bad_at_ = options.integers("bad_at");
        }
        if (options.has("tall_at")) {
            tall_at_ = options.integers("tall_at");
            tall_rows_ = options.integer("tall_rows");
        }
    }

    void describe(const FieldSink& sink) const override {
        sink.field("image", SLUICE_FIELD_IMAGE, make_spec(kUint8, {tall_at_.empty() ? 4 : -1, 5, 3}));
        sink.field("label", SLUICE_FIELD_CLASS, make_spec(kInt64, {}));
        sink.field("file", SLUICE_FIELD_ENCODED, make_spec(kUint8, {-1}));
        sink.length(static_cast<std::uint64_t>(length_));
    }

    [[nodiscard]] std::array<std::uint64_t, 2> identity() const override { return {7, revision_}; }

    void read(WorkerContext&, std::uint64_t index, std::uint64_t seed, const SampleSink& sink) const override {
        sink.name("numbers/" + std::to_string(index));
        const sluice_random_key key{seed, 1, index};
        if (wait_us_ > 0) {
            std::this_thread::sleep_for(std::chrono::microseconds(Draws(key).below(wait_us_)));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(sleep_ms_));
        if (has(bad_at_, index)) {
            throw Failure(SLUICE_BAD_SAMPLE, "the number is bad");
        }
        const std::int64_t rows = has(tall_at_, index) ? tall_rows_ : 4;
        const sluice_tensor_spec spec = make_spec(kUint8, {wrong_ == "shape" ? rows + 7 : rows, 5, 3});
        std::uint8_t* image = sink.allocate(0, spec);
        std::iota(image, image + element_count(spec), static_cast<std::uint8_t>(index * 7 + reads_before(index)));
        *sink.allocate<std::int64_t>(1, make_spec(kInt64, {})) = static_cast<std::int64_t>(index);
        if (wrong_ != "missing") {
            *sink.allocate(2, make_spec(kUint8, {1})) = 0;
        }
    }

private:
    // If `changing` is set, this breaks a rule of sources on purpose, which shows who reads a sample again.
    std::uint64_t reads_before(std::uint64_t index) const {
        const std::lock_guard lock(mutex_);
        return changing_ ? reads_[index]++ : 0;
    }

    std::int64_t length_;
    bool changing_;
    std::int64_t wait_us_;
    std::int64_t sleep_ms_;
    std::int64_t tall_rows_ = 0;
    std::string wrong_;
    std::uint64_t revision_;  // of the data; no option sets it
    std::vector<std::int64_t> bad_at_;
    std::vector<std::int64_t> tall_at_;
    mutable std::mutex mutex_;
    mutable std::unordered_map<std::uint64_t, std::uint64_t> reads_;
};

std::uint32_t find_field(std::span<const sluice_field> fields, std::string_view name) {
    for (std::uint32_t i = 0; i < fields.size(); ++i) {
        if (view(fields[i].name) == name) {
            return i;
        }
    }
    throw Failure(SLUICE_INVALID, "there is no field '" + std::string(name) + "'");
}

template <class T>
T* first_of(const sluice_tensor& tensor) {
    return reinterpret_cast<T*>(static_cast<std::uint8_t*>(tensor.data) + tensor.byte_offset);
}

std::span<const std::uint8_t> bytes_of(const sluice_tensor& tensor) {
    return {first_of<std::uint8_t>(tensor), static_cast<std::size_t>(tensor.shape[0] * tensor.strides[0])};
}

class Noise final : public Transform {
public:
    Noise(Host, const Options& options) : every_(options.has("every") ? options.integer("every") : 0) {}

    void describe(std::span<const sluice_field> fields, const FieldSink& sink) override {
        image_ = find_field(fields, "image");
        label_ = find_field(fields, "label");
        sink.field("image", SLUICE_FIELD_IMAGE, fields[image_].spec);
    }

    void apply(WorkerContext&, std::span<const sluice_tensor> fields, const sluice_random_key& key,
               const SampleSink& sink) const override {
        const sluice_tensor& image = fields[image_];
        std::uint8_t* out = sink.allocate(0, make_spec(kUint8, {image.shape, static_cast<std::size_t>(image.rank)}));
        Draws draws(key);
        const bool adds = every_ > 0 && *first_of<std::int64_t>(fields[label_]) % every_ == 0;
        std::ranges::transform(bytes_of(image), out, [&](std::uint8_t byte) {
            return adds ? static_cast<std::uint8_t>(byte + draws.word()) : byte;
        });
    }

private:
    std::int64_t every_;  // adds noise to every n-th label; 0: to none
    std::uint32_t image_ = 0;
    std::uint32_t label_ = 0;
};

class Sum final : public Transform {
public:
    Sum(Host, const Options& options) : bad_label_(options.integer("bad_label")) {}

    void describe(std::span<const sluice_field> fields, const FieldSink& sink) override {
        image_ = find_field(fields, "image");
        label_ = find_field(fields, "label");
        sink.field("sum", SLUICE_FIELD_TENSOR, make_spec(kFloat32, {}));
    }

    void apply(WorkerContext&, std::span<const sluice_tensor> fields, const sluice_random_key&,
               const SampleSink& sink) const override {
        if (*first_of<std::int64_t>(fields[label_]) == bad_label_) {
            throw Failure(SLUICE_BAD_SAMPLE, "the label is bad");
        }
        const std::span<const std::uint8_t> image = bytes_of(fields[image_]);
        *sink.allocate<float>(0, make_spec(kFloat32, {})) = std::accumulate(image.begin(), image.end(), 0.0F);
    }

private:
    std::int64_t bad_label_;
    std::uint32_t image_ = 0;
    std::uint32_t label_ = 0;
};

// Replaces every sum by that of the next sample in the batch, plus a draw.
class HandOn final : public BatchTransform {
public:
    HandOn(Host, const Options& options) : bad_label_(options.integer("bad_label")), wrong_(options.string("wrong")) {}

    void describe(std::span<const sluice_field> fields, const FieldSink& sink) override {
        sum_ = find_field(fields, "sum");
        label_ = find_field(fields, "label");
        sink.field(wrong_ == "name" ? "another" : "sum", SLUICE_FIELD_TENSOR,
                   make_spec(wrong_ == "type" ? kInt64 : kFloat32, {}));
    }

    void apply_batch(WorkerContext&, std::span<const sluice_tensor> fields,
                     const sluice_random_key& key) const override {
        const std::span sums(first_of<float>(fields[sum_]), static_cast<std::size_t>(fields[sum_].shape[0]));
        const auto* const labels = first_of<const std::int64_t>(fields[label_]);
        if (std::find(labels, labels + sums.size(), bad_label_) != labels + sums.size()) {
            throw Failure(SLUICE_BAD_SAMPLE, "the batch is bad");
        }
        std::ranges::rotate(sums, sums.begin() + 1);
        const auto draw = static_cast<float>(Draws(key).below(1000));
        std::ranges::for_each(sums, [&](float& sum) { sum += draw; });
    }

private:
    std::int64_t bad_label_;
    std::string wrong_;
    std::uint32_t sum_ = 0;
    std::uint32_t label_ = 0;
};

constexpr sluice_component kComponents[] = {
    component<Numbers>("test.source.numbers"), component<Numbers>("test.source.told_numbers"),
    component<Noise>("test.transform.noise"),  component<Noise>("test.transform.told_noise"),
    component<Sum>("test.transform.sum"),      component<HandOn>("test.transform.hand_on"),
};

}  // namespace

SLUICE_DEFINE_PLUGIN(kComponents)
