// The files of windows: written, read again, and refused if they are torn.
#include "profile/window_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/error.hpp"
#include "unit/profile/made_window.hpp"

namespace sluice::profile {
namespace {

using nlohmann::json;

void expect_refused(const std::string& text, const std::string& part = "") {
    try {
        static_cast<void>(parse_window(text, "run/profile/steps.json"));
        FAIL() << "was read: " << text.substr(0, 200);
    } catch (const Error& error) {
        EXPECT_EQ(error.exit(), Exit::config);
        const std::string message = error.what();
        EXPECT_TRUE(message.starts_with("run/profile/steps.json: ")) << message;
        EXPECT_NE(message.find(part), std::string::npos) << message;
    }
}

Window full_window() {
    MadeWindow made = cpu_window();
    made.thread(SLUICE_THREAD_STREAM, "stream 7", 0);
    made.span(SLUICE_SPAN_FORWARD, 3, 10, 20, {.operation = 0, .sample = 3, .correlation = 77});
    made.raw().spans.back().bytes = 1ULL << 40;
    made.raw().rank = 2;
    made.raw().ranks = 4;
    made.raw().dropped_spans = 5;
    made.raw().runs_eagerly = true;
    made.raw().eager_step = 2;
    made.raw().on_device.push_back({.begin = 0.05, .end = 0.07, .seconds = {}});
    made.raw().on_device[0].seconds[Stage::optimizer] = 0.25;
    made.raw().bandwidth.push_back({.bytes = 4096, .read = 2e9});
    made.raw().operations[0].share = 0.25;
    return made.window();
}

TEST(WindowJson, is_read_as_it_was_written) {
    const Window window = full_window();
    const std::string text = to_json(window);
    const Window read = parse_window(text, "file");
    EXPECT_EQ(to_json(read), text);
    EXPECT_EQ(read.first_step, window.first_step);
    EXPECT_EQ(read.last_step, window.last_step);
    EXPECT_NEAR(read.seconds, window.seconds, 1e-9);
    EXPECT_EQ(read.began_unix_ns, window.began_unix_ns);
    EXPECT_EQ(read.rank, 2U);
    EXPECT_EQ(read.ranks, 4U);
    EXPECT_EQ(read.dropped_spans, 5U);
    EXPECT_TRUE(read.runs_eagerly);
    EXPECT_EQ(read.eager_step, 2);
    ASSERT_EQ(read.on_device.size(), 1U);
    EXPECT_DOUBLE_EQ(read.on_device[0].begin, 0.05);
    EXPECT_DOUBLE_EQ(read.on_device[0].end, 0.07);
    EXPECT_EQ(read.on_device[0].seconds[Stage::optimizer], 0.25);
    ASSERT_EQ(read.bandwidth.size(), 1U);
    EXPECT_EQ(read.bandwidth[0].bytes, 4096U);
    EXPECT_EQ(read.bandwidth[0].best(), 2e9);
    EXPECT_EQ(read.operations[0].share, 0.25);
    EXPECT_EQ(read.cost, window.cost);
    EXPECT_EQ(read.peak_flop, window.peak_flop);
    EXPECT_EQ(read.peak_bandwidth, window.peak_bandwidth);
    EXPECT_EQ(read.device, window.device);
    EXPECT_EQ(read.names, window.names);
    ASSERT_EQ(read.spans.size(), window.spans.size());
    for (std::size_t i = 0; i < read.spans.size(); ++i) {
        const WindowSpan& span = read.spans[i];
        const WindowSpan& own = window.spans[i];
        EXPECT_NEAR(span.begin, own.begin, 1e-9);
        EXPECT_NEAR(span.end(), own.end(), 1e-9);
        EXPECT_EQ(span.kind, own.kind);
        EXPECT_EQ(span.thread, own.thread);
        EXPECT_EQ(span.name, own.name);
        EXPECT_EQ(span.operation, own.operation);
        EXPECT_EQ(span.step, own.step);
        EXPECT_EQ(span.sample, own.sample);
        EXPECT_EQ(span.bytes, own.bytes);
        EXPECT_EQ(span.correlation, own.correlation);
    }
    ASSERT_EQ(read.threads.size(), 4U);
    EXPECT_EQ(read.threads[0].device, kNone);
    EXPECT_EQ(read.threads[3].name, "stream 7");
    EXPECT_EQ(read.threads[3].device, 0U);
    EXPECT_EQ(read.threads[3].kind, std::uint32_t{SLUICE_THREAD_STREAM});
    EXPECT_EQ(read.threads[3].id, 103);
    ASSERT_EQ(read.operations.size(), 5U);
    EXPECT_EQ(read.operations[2].path, "net/conv2d");
    EXPECT_EQ(read.operations[2].kind, std::uint32_t{SLUICE_SPAN_BACKWARD});
    EXPECT_EQ(read.operations[2].done_flop, 1e10);
    EXPECT_EQ(read.operations[2].dtype.bits, 32);
    ASSERT_EQ(read.tensors.size(), 4U);
    EXPECT_EQ(read.tensors[3].last_operation, 4U);
    ASSERT_EQ(read.points.size(), 3U);
    EXPECT_EQ(read.points[1].value, 1200e6);
}

TEST(WindowJson, of_an_empty_window_is_read) { EXPECT_TRUE(parse_window(to_json(Window{}), "file").spans.empty()); }

TEST(WindowJson, takes_names_that_are_no_utf8) {
    MadeWindow made = cpu_window();
    made.raw().names[0] = "caf\xc3";  // cut within a character
    EXPECT_NE(parse_window(to_json(made.window()), "file").names[0].find("caf"), std::string::npos);
}

TEST(WindowJson, that_was_cut_off_anywhere_is_refused) {
    MadeWindow made;
    made.thread(SLUICE_THREAD_LOOP, "loop");
    made.step(1, 0, 1);
    made.operation(SLUICE_SPAN_FORWARD, "net/conv2d", 1.0, 1.0, 1.0);
    made.tensor("input", 1, 0, 0, 0);
    made.point(0, "resident_bytes", 1.0);
    const std::string text = to_json(made.window());
    ASSERT_TRUE(text.ends_with("}\n"));
    for (std::size_t size = 0; size + 1 < text.size(); ++size) {
        expect_refused(text.substr(0, size));
    }
    EXPECT_EQ(parse_window(text.substr(0, text.size() - 1), "file").threads.size(), 1U);
}

TEST(WindowJson, without_a_field_or_of_another_type_is_refused) {
    const json whole = json::parse(to_json(full_window()));
    for (const auto& [field, value] : whole.items()) {
        json lacks = whole;
        lacks.erase(field);
        expect_refused(lacks.dump());
        json other = whole;
        other[field] = json::object({{"no", "such"}});
        expect_refused(other.dump());
    }
    for (const auto& [field, value] : whole.at("spans").items()) {
        json lacks = whole;
        lacks["spans"].erase(field);
        expect_refused(lacks.dump());
    }
    for (const char* const text : {"", "null", "[]", "7", "{}", "not json", "{\"version\":\"1\"}"}) {
        expect_refused(text, "not a recorded window");
    }
    json newer = whole;
    newer["version"] = 2;
    expect_refused(newer.dump(), "version 2; this program reads version 1");
}

TEST(WindowJson, with_an_index_of_nothing_is_refused) {
    const json whole = json::parse(to_json(full_window()));
    for (const char* const field : {"thread", "name", "operation"}) {
        for (const int index : {1000, -2}) {
            json wrong = whole;
            wrong["spans"][field][0] = index;
            expect_refused(wrong.dump());
        }
    }
    json without_thread = whole;
    without_thread["spans"]["thread"][0] = -1;
    expect_refused(without_thread.dump(), "has no thread");
    json backwards = whole;
    backwards["spans"]["end"][3] = -1000;
    expect_refused(backwards.dump(), "ends before it begins");
    json tensor = whole;
    tensor["tensors"][0]["last_operation"] = 5;
    expect_refused(tensor.dump());
    json point = whole;
    point["points"]["name"][0] = 99;
    expect_refused(point.dump());
}

// Columns are as long as `begin`.
TEST(WindowJson, with_a_short_column_is_refused) {
    const json whole = json::parse(to_json(full_window()));
    for (const auto& [field, value] : whole.at("spans").items()) {
        if (field != "begin") {
            json wrong = whole;
            wrong["spans"][field].erase(0);
            expect_refused(wrong.dump(), "'spans." + field + "' has ");
        }
    }
    json points = whole;
    points["points"]["value"].erase(0);
    expect_refused(points.dump(), "'points.value' has 2 values, but 'points.time' has 3");
    json longer = whole;
    longer["spans"]["end"].push_back(7);
    expect_refused(longer.dump(), "'spans.end' has ");
}

TEST(WindowJson, that_is_refused_says_what_is_wrong_with_it) {
    const std::string text = to_json(cpu_window().window());
    expect_refused("", "it is empty");
    expect_refused(text.substr(0, 300), "it is cut off after 300 bytes");
    expect_refused(text.substr(0, 300) + "\x01" + text.substr(301), "it is damaged at byte ");
    expect_refused("{}", "the field 'version' is missing");
    json backwards = json::parse(text);
    backwards["first_step"] = 9;
    expect_refused(backwards.dump(), "first_step 9 is after last_step 2");
    json other = json::parse(text);
    other["device"] = 7;
    expect_refused(other.dump(), "a value is of another type than it must be");
}

}  // namespace
}  // namespace sluice::profile
