// Checks of the header rules while plugins are called: each breach is reported with the party at fault. The transform
// that breaks the rules is a table in this file, without a library.
#include <gtest/gtest.h>

#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "call_checks/breach_report.hpp"
#include "call_checks/checked_component.hpp"
#include "call_checks/checks.hpp"
#include "call_checks/rules.hpp"
#include "call_checks/wrap.hpp"
#include "registry/loading/abi_conversion.hpp"
#include "registry/loading/crash_report.hpp"
#include "registry/loading/registry.hpp"
#include "registry/loading/services.hpp"
#include "registry/objects/source.hpp"
#include "registry/optional/windows.hpp"
#include "sluice/kind/device.h"
#include "sluice/kind/kernel.h"
#include "sluice/kind/optimizer.h"
#include "sluice/kind/streams.h"
#include "sluice/kind/transform.h"
#include "sluice/kind/window.h"

namespace sluice::call_checks {
namespace {

// The arguments of a call. The transform and the window maker pass them to `deed`, with which a test breaks a rule.
struct Given {
    const sluice_tensor* fields;
    const sluice_random_key* key;
    const sluice_sample_sink* sink;
    sluice_error* error;
};
std::function<sluice_status(const Given&)> deed;

std::uint8_t* first_of(const sluice_tensor& tensor) {
    return static_cast<std::uint8_t*>(tensor.data) + tensor.byte_offset;
}

sluice_status fail(sluice_error* error, sluice_status status, const char* message) {
    std::strncpy(error->message, message, sizeof(error->message) - 1);
    return status;
}

const sluice_transform kTransform = {
    [](const sluice_host*, const sluice_value*, void** self, sluice_error*) noexcept -> sluice_status {
        static int object = 0;
        *self = &object;
        return SLUICE_OK;
    },
    [](void*) noexcept {},
    [](void*, const sluice_field* fields, std::uint32_t, const sluice_field_sink* sink,
       sluice_error*) noexcept -> sluice_status {
        sink->add_field(sink, fields);
        return SLUICE_OK;
    },
    [](void*, void** context, sluice_error*) noexcept -> sluice_status {
        *context = nullptr;
        return SLUICE_OK;
    },
    [](void*, void*) noexcept {},
    [](void*, void*, const sluice_tensor* fields, std::uint32_t, const sluice_random_key* key,
       const sluice_sample_sink* sink, sluice_error* error) noexcept -> sluice_status {
        return deed ? deed({fields, key, sink, error}) : SLUICE_OK;
    }};

const sluice_window_maker kMaker = {
    [](void*, void*, const sluice_tensor* fields, std::uint32_t, sluice_extent* extents, std::uint32_t,
       sluice_error* error) noexcept -> sluice_status {
        *extents = {4, 4};
        return deed ? deed({fields, nullptr, nullptr, error}) : SLUICE_OK;
    },
    [](void*, void*, const sluice_tensor* fields, std::uint32_t, const sluice_window*, std::uint32_t,
       const sluice_random_key* key, const sluice_sample_sink* sink, sluice_error* error) noexcept -> sluice_status {
        return deed ? deed({fields, key, sink, error}) : SLUICE_OK;
    }};

// Plays the host: it holds a component, the wrapped table and the arguments of its calls.
class CheckedCalls : public testing::Test {
protected:
    CheckedCalls() : host_("test.checked", kChecks.get_service) {
        plugin_.id = "test.checked";
        plugin_.version = "1.0";
        manifest_.kind = registry::Kind::transform;
        manifest_.id = "test.checked.wind";
        manifest_.provides = "wind";
        deed = nullptr;
        while (take_breach()) {
        }
    }
    ~CheckedCalls() override { deed = nullptr; }

    CheckedComponent& checked_component() {
        if (!checked_component_) {
            checked_component_.emplace(manifest_, plugin_, *host_.abi());
        }
        return *checked_component_;
    }
    template <class Table>
    const Table& wrap(const char* id, const Table& table) {
        return *static_cast<const Table*>(checked_component().wrap(id, &table));
    }
    const sluice_transform& transform() { return wrap(SLUICE_TRANSFORM_V1, kTransform); }

    void* create() {
        void* self = nullptr;
        sluice_error error{};
        const sluice_value options{.kind = SLUICE_TABLE, .line = 0, .count = 0, .as = {.pairs = nullptr}};
        EXPECT_EQ(transform().create(checked_component().host(), &options, &self, &error), SLUICE_OK) << error.message;
        return self;
    }
    sluice_status describe(void* self) {
        const sluice_field_sink sink{sizeof(sink), nullptr,
                                     [](const sluice_field_sink*, const sluice_field*) noexcept {},
                                     [](const sluice_field_sink*, std::uint64_t) noexcept {}};
        const sluice_field field{SLUICE_TEXT("image"), SLUICE_FIELD_IMAGE, 0, {{4, 4, 3}, 3, {1, 8, 1}}, {}};
        sluice_error error{};
        return transform().describe(self, &field, 1, &sink, &error);
    }
    void* context_of(void* self) {
        void* context = nullptr;
        sluice_error error{};
        EXPECT_EQ(transform().context_create(self, &context, &error), SLUICE_OK) << error.message;
        return context;
    }
    sluice_status apply(void* self, void* context) {
        sluice_error error{};
        const sluice_status status = transform().apply(self, context, &tensor_, 1, &key_, &sink_, &error);
        message_ = error.message;
        return status;
    }
    // Makes an object, describes it, and makes a context for it.
    void make() {
        self_ = create();
        ASSERT_EQ(describe(self_), SLUICE_OK);
        context_ = context_of(self_);
    }
    // Expects that apply() breaches `rule` if it calls `what`.
    void expect_broken(Rule rule, std::function<sluice_status(const Given&)> what) {
        make();
        deed = std::move(what);
        EXPECT_EQ(apply(self_, context_), SLUICE_FAILED);
        expect_noted(rule);
    }
    static void expect_noted(Rule rule, const std::string& words = {}) {
        const auto breach = take_breach();
        ASSERT_TRUE(breach) << text_of(rule).name;
        EXPECT_STREQ(text_of(breach->rule).name, text_of(rule).name) << breach->text;
        EXPECT_NE(breach->text.find(text_of(rule).name), std::string::npos) << breach->text;
        const bool blames_sluice = breach->text.starts_with("a defect of Sluice");
        const bool blames_plugin = breach->text.starts_with("plugin test.checked 1.0 misbehaves: ");
        EXPECT_EQ(blames_sluice, text_of(rule).is_hosts) << breach->text;
        EXPECT_EQ(blames_plugin, !text_of(rule).is_hosts) << breach->text;
        EXPECT_NE(breach->text.find(words), std::string::npos) << breach->text;
    }

    registry::PluginManifest plugin_;
    registry::ComponentManifest manifest_;
    registry::PluginHost host_;
    std::optional<CheckedComponent> checked_component_;
    std::array<std::uint8_t, 48> pixels_{};
    std::array<std::int64_t, 3> shape_{4, 4, 3};
    std::array<std::int64_t, 3> strides_{12, 3, 1};
    sluice_tensor tensor_{pixels_.data(), {SLUICE_DEVICE_CPU, 0}, 3, {1, 8, 1}, shape_.data(), strides_.data(), 0};
    sluice_random_key key_{1, 2, 3};
    std::array<std::uint8_t, 48> written_{};
    sluice_sample_sink sink_{
        sizeof(sluice_sample_sink), &written_,
        [](const sluice_sample_sink* sink, std::uint32_t, const sluice_tensor_spec*) noexcept { return sink->impl; },
        [](const sluice_sample_sink*, sluice_text) noexcept {}};
    void* self_ = nullptr;
    void* context_ = nullptr;
    std::string message_;
};

// Returns the thread rules of all functions in all headers: interface, function, tag.
std::set<std::string> rules_of_headers() {
    std::set<std::string> found;
    for (const auto& file : std::filesystem::directory_iterator(SLUICE_TEST_KIND_HEADERS)) {
        std::stringstream text;
        text << std::ifstream(file.path()).rdbuf();
        const std::string header = text.str();
        static const std::regex kTable(R"re(#define SLUICE_\w+_V1 "([^"]+)"\ntypedef struct \w+ \{([^]*?)\n\} \w+;)re");
        static const std::regex kFunction(R"re(/\*((?:[^*]|\*(?!/))*)\*/\s*[^/;]*?\(\*(\w+)\)\()re");
        static const std::regex kTag(R"re((\[(?:any|serial|enqueue)\](?:, \[serial\] for one \w+)?)\s*$)re");
        for (std::sregex_iterator table(header.begin(), header.end(), kTable), end; table != end; ++table) {
            const std::string body = (*table)[2];
            for (std::sregex_iterator function(body.begin(), body.end(), kFunction); function != end; ++function) {
                std::smatch tag;
                const std::string comment = (*function)[1];
                EXPECT_TRUE(std::regex_search(comment, tag, kTag)) << (*function)[2];
                found.insert((*table)[1].str() + " " + (*function)[2].str() + " " + tag[1].str());
            }
        }
    }
    return found;
}

TEST(CheckedList, is_that_of_the_headers) {
    std::set<std::string> listed;
    for (const CheckedFunction& one : list_checked()) {
        listed.insert(std::string(one.interface) + " " + one.function + " " + one.tag);
    }
    EXPECT_EQ(listed, rules_of_headers());
    EXPECT_EQ(listed.size(), 93U);
}

TEST_F(CheckedCalls, of_a_plugin_that_keeps_all_rules_are_as_without) {
    make();
    deed = [](const Given& given) {
        const sluice_tensor_spec spec{{4, 4, 3}, 3, {1, 8, 1}};
        std::memcpy(given.sink->allocate(given.sink, 0, &spec), first_of(*given.fields), 48);
        return SLUICE_OK;
    };
    pixels_.fill(7);
    EXPECT_EQ(apply(self_, context_), SLUICE_OK) << message_;
    EXPECT_EQ(written_, pixels_);
    deed = [](const Given& given) { return fail(given.error, SLUICE_BAD_SAMPLE, "too dark"); };
    EXPECT_EQ(apply(self_, context_), SLUICE_BAD_SAMPLE);
    EXPECT_EQ(message_, "too dark");
    transform().context_destroy(self_, context_);
    transform().destroy(self_);
    EXPECT_FALSE(take_breach());
}

// ---- faults of the host

TEST_F(CheckedCalls, do_not_overlap) {
    make();
    deed = [&](const Given&) {
        deed = nullptr;
        std::thread([&] { EXPECT_EQ(apply(self_, context_), SLUICE_FAILED); }).join();
        return SLUICE_OK;
    };
    EXPECT_EQ(apply(self_, context_), SLUICE_OK);
    expect_noted(Rule::overlap, "not of plugin test.checked 1.0: apply() of transform 'wind' (test.checked.wind)");
    void* const other = context_of(self_);
    deed = [&](const Given&) {
        deed = nullptr;
        std::thread([&] { EXPECT_EQ(apply(self_, other), SLUICE_OK); }).join();
        return SLUICE_OK;
    };
    EXPECT_EQ(apply(self_, context_), SLUICE_OK) << "two contexts may be in use at the same time";
    EXPECT_FALSE(take_breach());
}

TEST_F(CheckedCalls, are_not_made_inside_each_other) {
    make();
    deed = [&](const Given&) {
        deed = nullptr;
        return apply(self_, context_) == SLUICE_FAILED ? SLUICE_OK : SLUICE_FAILED;
    };
    EXPECT_EQ(apply(self_, context_), SLUICE_OK);
    expect_noted(Rule::reentry, "inside apply()");
}

TEST_F(CheckedCalls, need_an_object) {
    make();
    int nothing = 0;
    EXPECT_EQ(apply(&nothing, context_), SLUICE_FAILED);
    expect_noted(Rule::unknown_object);
    EXPECT_EQ(apply(self_, nullptr), SLUICE_FAILED);
    expect_noted(Rule::unknown_object, "an address that is no context");
    void* const other = create();
    EXPECT_EQ(apply(self_, context_of(other)), SLUICE_FAILED);
    expect_noted(Rule::unknown_object, "of another object");
}

TEST_F(CheckedCalls, do_not_follow_the_end) {
    make();
    transform().context_destroy(self_, context_);
    EXPECT_EQ(apply(self_, context_), SLUICE_FAILED);
    expect_noted(Rule::ended_object, "context was destroyed");
    transform().destroy(self_);
    EXPECT_EQ(describe(self_), SLUICE_FAILED);
    expect_noted(Rule::ended_object, "object was destroyed");
}

TEST_F(CheckedCalls, come_in_their_order) {
    void* const self = create();
    EXPECT_EQ(apply(self, context_of(self)), SLUICE_FAILED);
    expect_noted(Rule::order, "before the function that must precede it");
    EXPECT_EQ(describe(self), SLUICE_OK);
    EXPECT_EQ(describe(self), SLUICE_FAILED);
    expect_noted(Rule::order, "a second time");
}

TEST_F(CheckedCalls, end_what_was_made_first) {
    make();
    transform().destroy(self_);
    expect_noted(Rule::still_alive, "1 of its contexts");
}

TEST_F(CheckedCalls, of_other_devices_get_no_threads) {
    manifest_.kind = registry::Kind::optimizer;
    manifest_.device = "cuda";
    static const sluice_optimizer kOptimizer = {
        [](const sluice_host*, const sluice_value*, void** self, sluice_error*) noexcept -> sluice_status {
            *self = nullptr;
            return SLUICE_OK;
        },
        [](void*) noexcept {},
        [](void*, const sluice_optimizer_sink*, sluice_error*) noexcept -> sluice_status { return SLUICE_OK; },
        [](void*, const sluice_optimizer_launch*, sluice_error*) noexcept -> sluice_status { return SLUICE_OK; }};
    const sluice_optimizer& optimizer = wrap(SLUICE_OPTIMIZER_V1, kOptimizer);
    void* self = nullptr;
    sluice_error error{};
    const sluice_value options{.kind = SLUICE_TABLE, .line = 0, .count = 0, .as = {.pairs = nullptr}};
    ASSERT_EQ(optimizer.create(checked_component().host(), &options, &self, &error), SLUICE_OK);
    const sluice_threads threads{sizeof(threads), nullptr, 1, 0, nullptr};
    sluice_optimizer_launch launch{};
    launch.struct_size = sizeof(launch);
    EXPECT_EQ(optimizer.update(self, &launch, &error), SLUICE_OK);
    launch.threads = &threads;
    EXPECT_EQ(optimizer.update(self, &launch, &error), SLUICE_FAILED);
    expect_noted(Rule::threads_elsewhere);
}

// ---- faults of a plugin

TEST_F(CheckedCalls, fail_with_a_known_status_and_a_reason) {
    expect_broken(Rule::status, [](const Given& given) { return fail(given.error, 77, "out of milk"); });
    expect_broken(Rule::no_reason, [](const Given&) { return SLUICE_BAD_SAMPLE; });
    EXPECT_NE(message_.find("error.reason"), std::string::npos) << "the caller must learn the rule";
    expect_broken(Rule::error_text, [](const Given& given) {
        std::memset(given.error->message, 'x', sizeof(given.error->message));
        return SLUICE_BAD_SAMPLE;
    });
    expect_broken(Rule::error_unasked, [](const Given& given) { return fail(given.error, SLUICE_OK, "all is well"); });
}

TEST_F(CheckedCalls, leave_the_process_as_it_was) {
    expect_broken(Rule::rounding, [](const Given&) {
        std::fesetround(FE_DOWNWARD);
        return SLUICE_OK;
    });
    EXPECT_EQ(std::fegetround(), FE_TONEAREST) << "the host must restore the rounding mode";
    expect_broken(Rule::locale, [](const Given&) {
        std::setlocale(LC_NUMERIC, "C.UTF-8");
        return SLUICE_OK;
    });
    std::setlocale(LC_NUMERIC, "C");
    expect_broken(Rule::signals, [](const Given&) {
        std::signal(SIGUSR2, SIG_IGN);
        return SLUICE_OK;
    });
    std::signal(SIGUSR2, SIG_DFL);
    const auto before = std::filesystem::current_path();
    expect_broken(Rule::folder, [](const Given&) {
        std::filesystem::current_path("/");
        return SLUICE_OK;
    });
    std::filesystem::current_path(before);
}

TEST_F(CheckedCalls, only_read_what_they_are_lent) {
    expect_broken(Rule::lent_written, [](const Given& given) {
        first_of(*given.fields)[5] = 1;
        return SLUICE_OK;
    });
    EXPECT_EQ(pixels_[5], 0) << "the plugin must get a copy of the pixels";
    expect_broken(Rule::lent_written, [](const Given& given) {
        const_cast<sluice_random_key*>(given.key)->counter = 9;
        return SLUICE_OK;
    });
}

TEST_F(CheckedCalls, read_tensors_where_their_elements_are) {
    for (int turn = 0; turn < 2; ++turn) {  // the breach is noted each time
        expect_broken(Rule::lent_offset, [](const Given& given) {
            return *static_cast<const volatile std::uint8_t*>(given.fields->data) == 255 ? SLUICE_INVALID : SLUICE_OK;
        });
        EXPECT_NE(message_.find("takes the data of a tensor for its first element"), std::string::npos) << message_;
    }
}

TEST_F(CheckedCalls, write_a_sample_within_its_memory) {
    static const sluice_tensor_spec kSpec{{4, 4, 3}, 3, {1, 8, 1}};
    static std::ptrdiff_t place;
    for (const std::ptrdiff_t beside : {-1, 48, 4 * 48 - 1}) {  // the last: in a field that is four times as large
        place = beside;
        written_.fill(9);
        expect_broken(Rule::past_the_end, [](const Given& given) {
            static_cast<std::uint8_t*>(given.sink->allocate(given.sink, 0, &kSpec))[place] = 1;
            return SLUICE_OK;
        });
        EXPECT_NE(message_.find(beside < 0 ? "before the beginning of field 0" : "past the end of field 0"),
                  std::string::npos)
            << message_;
    }
    make();
    deed = [](const Given& given) {
        std::memset(given.sink->allocate(given.sink, 0, &kSpec), 1, 48);
        *static_cast<std::uint8_t*>(given.sink->allocate(given.sink, 0, &kSpec)) = 2;
        return SLUICE_OK;
    };
    EXPECT_EQ(apply(self_, context_), SLUICE_OK) << message_;
    EXPECT_EQ(written_[0], 2) << "the second allocation counts";
    EXPECT_EQ(written_[1], 9) << "bytes that the plugin did not write keep the host's values";
}

TEST_F(CheckedCalls, keep_nothing_that_they_were_lent) {
    for (const auto read : std::initializer_list<std::int64_t (*)(const Given&)>{
             [](const Given& given) { return given.fields->shape[0]; },
             [](const Given& given) { return static_cast<std::int64_t>(given.key->seed); }}) {
        make();
        static Given kept{};
        deed = [](const Given& given) {
            kept = given;
            return SLUICE_OK;
        };
        EXPECT_EQ(apply(self_, context_), SLUICE_OK);
        static std::int64_t seen;
        deed = [read](const Given&) {
            seen = read(kept);
            return SLUICE_OK;
        };
        EXPECT_EQ(apply(self_, context_), SLUICE_FAILED);
        EXPECT_GE(seen, 1) << "the plugin must get the old value and go on";
        expect_noted(Rule::lent_kept, "apply() of transform 'wind'");
    }
}

// After many calls, the host closes the lent memory only after some of them.
TEST_F(CheckedCalls, keep_nothing_after_many_calls_either) {
    make();
    deed = [](const Given&) { return SLUICE_OK; };
    for (int call = 0; call < 1000; ++call) {
        ASSERT_EQ(apply(self_, context_), SLUICE_OK) << message_;
    }
    static const std::int64_t* kept;
    kept = nullptr;
    deed = [](const Given& given) {
        const bool was_empty = kept != nullptr && *kept == 0;
        kept = given.fields->shape;
        return was_empty ? SLUICE_BAD_SAMPLE : SLUICE_OK;
    };
    constexpr int kMost = 200;
    int calls = 0;
    while (calls < kMost && apply(self_, context_) == SLUICE_OK) {
        ++calls;
    }
    EXPECT_LT(calls, kMost);
    expect_noted(Rule::lent_kept, "apply() of transform 'wind'");
}

TEST_F(CheckedCalls, call_sinks_while_they_run_and_on_their_thread) {
    static const sluice_sample_sink* kept = nullptr;
    static const sluice_tensor_spec kSpec{{4, 4, 3}, 3, {1, 8, 1}};
    make();
    deed = [](const Given& given) {
        kept = given.sink;
        return SLUICE_OK;
    };
    EXPECT_EQ(apply(self_, context_), SLUICE_OK);
    deed = [](const Given&) {
        EXPECT_EQ(kept->allocate(kept, 0, &kSpec), nullptr) << "the call must not reach the sink";
        return SLUICE_OK;
    };
    EXPECT_EQ(apply(self_, context_), SLUICE_FAILED);
    expect_noted(Rule::lent_kept);
    expect_broken(Rule::sink_thread, [](const Given& given) {
        std::thread([&] { (void)given.sink->allocate(given.sink, 0, &kSpec); }).join();
        return SLUICE_OK;
    });
    expect_broken(Rule::sink_other, [](const Given& given) {
        given.sink->set_name(given.sink, SLUICE_TEXT("mine"));
        return SLUICE_OK;
    });
}

TEST_F(CheckedCalls, lend_a_window_maker_its_fields_until_it_has_applied_them) {
    const sluice_window_maker& maker = wrap(SLUICE_WINDOW_MAKER_V1, kMaker);
    make();
    static const void* kept = nullptr;
    deed = [](const Given& given) {
        kept = first_of(*given.fields);
        return SLUICE_OK;
    };
    sluice_error error{};
    sluice_extent extent{};
    const sluice_window window{0, 0, 4, 4, 1};
    pixels_.fill(3);
    ASSERT_EQ(maker.extents(self_, context_, &tensor_, 1, &extent, 1, &error), SLUICE_OK) << error.message;
    EXPECT_EQ(extent.height, 4);
    deed = [](const Given& given) {
        EXPECT_EQ(first_of(*given.fields), kept);
        EXPECT_EQ(*static_cast<const std::uint8_t*>(kept), 3);
        return SLUICE_OK;
    };
    EXPECT_EQ(maker.apply(self_, context_, &tensor_, 1, &window, 1, &key_, &sink_, &error), SLUICE_OK) << error.message;
    deed = [](const Given&) {
        EXPECT_EQ(*static_cast<const std::uint8_t*>(kept), 3);
        return SLUICE_OK;
    };
    EXPECT_EQ(apply(self_, context_), SLUICE_FAILED);
    expect_noted(Rule::lent_kept);
}

TEST_F(CheckedCalls, write_all_that_they_give_and_no_more) {
    manifest_.kind = registry::Kind::device;
    static std::function<sluice_status(sluice_device_info*)> tell;
    static sluice_device fake{};
    fake.count = [](const sluice_host*, std::uint32_t*, sluice_error*) noexcept -> sluice_status { return SLUICE_OK; };
    fake.create = [](const sluice_host*, const sluice_value*, std::uint32_t, void** self,
                     sluice_error*) noexcept -> sluice_status {
        *self = &fake;
        return SLUICE_OK;
    };
    fake.destroy = [](void*) noexcept {};
    fake.info = [](void*, sluice_device_info* info, sluice_error*) noexcept { return tell(info); };
    fake.alloc = [](void*, std::uint64_t, void** block, sluice_error*) noexcept -> sluice_status {
        *block = &fake;
        return SLUICE_OK;
    };
    const sluice_device& device = wrap(SLUICE_DEVICE_V1, fake);
    sluice_error error{};
    std::uint32_t count = 0;
    EXPECT_EQ(device.count(checked_component().host(), &count, &error), SLUICE_FAILED);
    expect_noted(Rule::unwritten);
    void* self = nullptr;
    ASSERT_EQ(device.create(checked_component().host(), nullptr, 0, &self, &error), SLUICE_OK);
    sluice_device_info info{};
    info.struct_size = sizeof(info);
    tell = [](sluice_device_info* one) {
        one->alignment = 64;
        return SLUICE_OK;
    };
    EXPECT_EQ(device.info(self, &info, &error), SLUICE_OK);
    EXPECT_EQ(info.alignment, 64U);
    tell = [](sluice_device_info* one) {
        one->struct_size = 8;
        return SLUICE_OK;
    };
    EXPECT_EQ(device.info(self, &info, &error), SLUICE_FAILED);
    expect_noted(Rule::struct_size);
    tell = [](sluice_device_info* one) {
        std::memset(one + 1, 0, 4);
        return SLUICE_OK;
    };
    EXPECT_EQ(device.info(self, &info, &error), SLUICE_FAILED);
    expect_noted(Rule::past_the_end);
    void* block = nullptr;
    EXPECT_EQ(device.alloc(self, 8, &block, &error), SLUICE_OK);
    EXPECT_EQ(device.alloc(self, 8, &block, &error), SLUICE_FAILED);
    expect_noted(Rule::made_twice);
    static sluice_streams streams{};
    streams.capture_end = [](void*, void*, void** graph, sluice_error* why) noexcept -> sluice_status {
        *graph = nullptr;
        return fail(why, SLUICE_FAILED, "cannot be recorded");
    };
    void* graph = nullptr;
    EXPECT_EQ(wrap(SLUICE_STREAMS_V1, streams).capture_end(self, nullptr, &graph, &error), SLUICE_FAILED);
    expect_noted(Rule::untouched);
    device.destroy(self);
    expect_noted(Rule::still_alive, "before its block was destroyed");
}

// Runs a kernel that the registry loads from disk.
class CheckedKernel : public testing::Test {
protected:
    CheckedKernel() {
        while (take_breach()) {
        }
    }
    // Runs the kernel once and returns the breach, if any.
    std::optional<Breach> run(const std::string& fault) {
        const registry::Registry plugins(SLUICE_TEST_FAULTY_DIR "/kernel_calls.so", {}, &kChecks);
        const registry::Component component = plugins.find(registry::Kind::kernel, fault, {}, "cpu");
        const auto& kernels = *static_cast<const sluice_kernel*>(component.table);
        Table table;
        table.set("fault", {fault, {}});
        const registry::OptionTree options(table);
        sluice_error error{};
        void* self = nullptr;
        EXPECT_EQ(kernels.create(component.host, options.root(), {SLUICE_DEVICE_CPU, 0}, &self, &error), SLUICE_OK);
        sluice_node node{};
        node.struct_size = sizeof(node);
        node.chained_input = -1;
        const sluice_node* const chain[] = {&node};
        const auto supported = kernels.supports(self, chain, 1, &error);
        EXPECT_EQ(supported, fault == "logs_in_supports" ? SLUICE_FAILED : SLUICE_OK);
        sluice_kernel_sink sink{};
        sink.struct_size = sizeof(sink);
        void* kernel = nullptr;
        EXPECT_EQ(kernels.plan(self, chain, 1, &sink, &kernel, &error), SLUICE_OK) << error.message;
        const sluice_threads threads{sizeof(threads), nullptr, 1, 0,
                                     [](const sluice_threads*, std::int64_t n, std::int64_t, auto body,
                                        void* context) noexcept { body(context, 0, n, 0); }};
        sluice_launch launch{};
        launch.struct_size = sizeof(launch);
        launch.threads = &threads;
        EXPECT_EQ(kernels.forward(kernel, &launch, &error), fault == "nests" ? SLUICE_FAILED : SLUICE_OK);
        kernels.release(self, kernel);
        kernels.destroy(self);
        return take_breach();
    }
};

TEST_F(CheckedKernel, calls_no_host_in_supports_and_nests_no_threads) {
    EXPECT_FALSE(run("none"));
    const auto logs = run("logs_in_supports");
    ASSERT_TRUE(logs);
    EXPECT_NE(logs->text.find("plugin test.broken.kernel 1.0 misbehaves: supports() of kernel 'logs_in_supports'"),
              std::string::npos)
        << logs->text;
    EXPECT_EQ(logs->rule, Rule::host_call);
    const auto nests = run("nests");
    ASSERT_TRUE(nests);
    EXPECT_EQ(nests->rule, Rule::team) << nests->text;
}

// Files of encoded pictures have no windows, but the source has to report that, too.
TEST(CheckedRecords, tell_of_each_field_whether_it_has_windows) {
    const std::array<std::filesystem::path, 0> none{};
    const registry::Registry plugins(SLUICE_TEST_PLUGIN_DIR, none, &kChecks);
    const registry::Component component = plugins.find(registry::Kind::source, "records", {});
    Table given;
    given.set("path", {std::string(SLUICE_TEST_TFRECORD), {}});
    const registry::Source source(component,
                                  plugins.options(component, {.use = "records", .origin = {}, .options = given}), {});
    EXPECT_FALSE(registry::WindowSource::of(source));
    const auto breach = take_breach();
    EXPECT_FALSE(breach) << breach->text;
}

TEST(CheckedRules, are_on_the_page_for_authors) {
    std::stringstream page;
    page << std::ifstream(SLUICE_TEST_CHECKING_PAGE).rdbuf();
    for (const RuleText& rule : rules()) {
        EXPECT_NE(page.str().find("`" + std::string(rule.name) + "`"), std::string::npos) << rule.name;
    }
    EXPECT_NE(page.str().find("`" + std::string(registry::kEndsRule) + "`"), std::string::npos);
}

}  // namespace
}  // namespace sluice::call_checks
