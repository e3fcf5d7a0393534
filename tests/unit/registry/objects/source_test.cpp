// Reports and samples of a source: right values are passed on, wrong ones are named as the plugin's fault. The source
// is a table in this file, without a library.
#include "registry/objects/source.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "unit/registry/registry_files.hpp"

namespace sluice::registry {
namespace {

// Its option "sample" says what read() does.
struct FakeSource {
    std::string sample;
};

const sluice_source kSource = {
    [](const sluice_host*, const sluice_value* options, void** self, sluice_error*) noexcept -> sluice_status {
        const sluice_value& value = options->as.pairs[0].value;
        *self = new FakeSource{std::string(value.as.text, value.count)};
        return SLUICE_OK;
    },
    [](void* self) noexcept { delete static_cast<FakeSource*>(self); },
    [](void* self, const sluice_field_sink* sink, sluice_error*) noexcept -> sluice_status {
        const std::string& sample = static_cast<FakeSource*>(self)->sample;
        sluice_field image{SLUICE_TEXT("image"), SLUICE_FIELD_IMAGE, 0, make_spec(kUint8, {-1, -1, 3}), {}};
        if (sample == "huge") {
            image.spec = make_spec(kUint8, {1 << 24, 1 << 24, 3});
        } else if (sample == "named by a bell") {
            image.name = SLUICE_TEXT("image\a");
        }
        const sluice_field label{SLUICE_TEXT("label"), SLUICE_FIELD_CLASS, 0, make_spec(kInt64, {}), {}};
        sink->add_field(sink, &image);
        sink->add_field(sink, &label);
        sink->set_length(sink, 5);
        return SLUICE_OK;
    },
    [](void*, void** context, sluice_error*) noexcept -> sluice_status {
        *context = nullptr;
        return SLUICE_OK;
    },
    [](void*, void*) noexcept {},
    [](void* self, void*, std::uint64_t, std::uint64_t, const sluice_sample_sink* sink,
       sluice_error* error) noexcept -> sluice_status {
        const std::string& sample = static_cast<FakeSource*>(self)->sample;
        if (sample == "coloured") {
            std::strcpy(error->message, "cat.jpg\n\x1b[31mends early");
            return SLUICE_BAD_SAMPLE;
        }
        if (sample == "broken") {
            std::strcpy(error->message, "cat.jpg ends early");
            return SLUICE_BAD_SAMPLE;
        }
        const sluice_tensor_spec image = make_spec(kUint8, {4, 6, sample == "grey" ? 1 : 3});
        const sluice_tensor_spec label = make_spec(kInt64, {});
        void* pixels = sink->allocate(sink, sample == "many" ? 9 : 0, &image);
        if (pixels == nullptr) {
            return SLUICE_NO_MEMORY;
        }
        std::memset(pixels, 7, 4 * 6 * 3);
        if (sample != "lazy") {
            std::memset(sink->allocate(sink, 1, &label), 0, 8);
        }
        const sluice_text name = SLUICE_TEXT("cat.jpg");
        const sluice_text odd = SLUICE_TEXT("c\xe4t\x07.jpg");
        sink->set_name(sink, sample == "odd" ? odd : name);
        return SLUICE_OK;
    }};

// Keeps samples in vectors, and throws if it is full.
struct Keeper : SampleWriter {
    std::vector<std::uint8_t> bytes[2];
    std::string name;
    bool full = false;
    void* allocate(std::uint32_t field, const sluice_tensor_spec& spec) override {
        if (full) {
            throw Error(Exit::data, "the writer is full");
        }
        bytes[field].resize(byte_count(spec));
        return bytes[field].data();
    }
    void set_name(std::string_view text) override { name = text; }
};

class SourceObject : public testing::Test {
protected:
    SourceObject() {
        manifest_.kind = Kind::source;
        manifest_.id = "test.source";
        manifest_.provides = "fake";
        plugin_.id = "test";
        plugin_.version = "1.0";
    }
    void read(const std::string& sample, Keeper& keeper) {
        Table options;
        options.set("sample", {sample, {}});
        const Origin origin{Origin::Kind::file, "deblur.toml", 14, 3};
        const Source source({&manifest_, &plugin_, nullptr, &kSource, nullptr, {}}, options, origin);
        EXPECT_EQ(source.length(), 5U);
        EXPECT_EQ(source.fields().size(), 2U);
        const WorkerContext context = source.make_context();
        source.read(context, 3, 0, keeper);
    }
    std::string failure(const std::string& sample, Exit exit, bool full = false) {
        Keeper keeper;
        keeper.full = full;
        return test::error_of([&] { read(sample, keeper); }, exit);
    }

    ComponentManifest manifest_;
    PluginManifest plugin_;
};

TEST_F(SourceObject, hands_samples_to_the_writer) {
    Keeper keeper;
    read("good", keeper);
    EXPECT_EQ(keeper.bytes[0], std::vector<std::uint8_t>(72, 7));
    EXPECT_EQ(keeper.bytes[1].size(), 8U);
    EXPECT_EQ(keeper.name, "cat.jpg");
}

TEST_F(SourceObject, names_a_bad_sample) {
    EXPECT_EQ(failure("broken", Exit::data), "source 'fake': cat.jpg ends early (test.source 1.0)");
}

TEST_F(SourceObject, says_nothing_that_a_terminal_obeys) {
    EXPECT_EQ(failure("coloured", Exit::data), "source 'fake': cat.jpg\\n\\u001b[31mends early (test.source 1.0)");
    Keeper keeper;
    read("odd", keeper);
    EXPECT_EQ(keeper.name, "c\\xe4t\\u0007.jpg");
}

TEST_F(SourceObject, whose_field_is_too_large_is_named) {
    const std::string start = "plugin test 1.0 misbehaves: source 'fake': ";
    EXPECT_EQ(failure("huge", Exit::plugin),
              start +
                  "field 'image' of [16777216, 16777216, 3] uint8 has 844424930131968 bytes, which is "
                  "more than a machine can address; at most 281474976710656 are allowed");
    EXPECT_EQ(
        failure("named by a bell", Exit::plugin),
        start + "its field 'image\\u0007' is not plain text; one line of UTF-8 without control characters is needed");
}

TEST_F(SourceObject, brings_the_writers_exception_through_the_plugin) {
    EXPECT_EQ(failure("good", Exit::data, true), "the writer is full");
}

TEST_F(SourceObject, names_the_plugin_that_breaks_its_promise) {
    const std::string start = "plugin test 1.0 misbehaves: source 'fake': ";
    EXPECT_EQ(failure("many", Exit::plugin), start + "it writes field number 9, but announced 2 fields");
    EXPECT_EQ(failure("grey", Exit::plugin),
              start + "it writes [4, 6, 1] uint8 to field 'image', which it announced as [?, ?, 3] uint8");
    EXPECT_EQ(failure("lazy", Exit::plugin), start + "it left out field 'label' of a sample");
}

}  // namespace
}  // namespace sluice::registry
