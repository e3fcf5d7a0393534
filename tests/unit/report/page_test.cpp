#include "report/page.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace sluice::report {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// The text between these two, of which there is one each.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
    const std::size_t at = text.find(begin) + begin.size();
    return text.substr(at, text.find(end, at) - at);
}

TEST(Page, as_json_has_its_exact_figures) {
    const Page page{.title = "run",
                    .progress = 0.25,
                    .facts = {{"loss", "0.1"}},
                    .sections = {{.title = "curves",
                                  .charts = {{.title = "loss", .x = "step", .lines = {{"a", {1.0, 2.0}, {0.1, kNan}}}}},
                                  .tables = {{.columns = {{"size", "B"}}, .rows = {{1.0 / 3.0}, {"text"}, {kNan}}}}},
                                 {.title = "empty"}}};
    const nlohmann::json json = nlohmann::json::parse(to_json(page));
    EXPECT_EQ(json["progress"], 0.25);
    ASSERT_EQ(json["sections"].size(), 1U);
    const nlohmann::json& section = json["sections"][0];
    EXPECT_EQ(section["charts"][0]["lines"][0]["x"], nlohmann::json({1.0, 2.0}));
    EXPECT_EQ(section["charts"][0]["lines"][0]["y"], nlohmann::json({0.1, nullptr}));
    EXPECT_EQ(section["tables"][0]["rows"][0][0], 1.0 / 3.0);
    EXPECT_EQ(section["tables"][0]["rows"][1][0], "text");
    EXPECT_TRUE(section["tables"][0]["rows"][2][0].is_null());
}

TEST(Page, as_html_takes_texts_for_no_markup) {
    const std::string evil = "</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>";
    const Page page{.title = evil, .sections = {{.title = evil, .text = evil}}};
    const std::string html = to_html(page);
    EXPECT_EQ(html.find("<script>alert"), std::string::npos);
    EXPECT_EQ(html.find("<img src=x"), std::string::npos);
    EXPECT_EQ(html.find("<!--<"), std::string::npos);
    const std::string data = between(html, R"(<script type="application/json" id="data">)", "</script>");
    EXPECT_EQ(nlohmann::json::parse(data)["sections"][0]["text"], evil);
}

TEST(Page, as_html_needs_no_network) {
    const std::string html = to_html({.title = "run"});
    EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
    for (const char* const loads : {"<link", "<script src", "@import", "url("}) {
        EXPECT_EQ(html.find(loads), std::string::npos) << loads;
    }
}

TEST(Page, of_texts_that_are_not_utf8_is_mended) {
    const nlohmann::json json = nlohmann::json::parse(to_json({.title = "caf\xe9"}));
    EXPECT_EQ(json["title"], "caf\xef\xbf\xbd");
}

}  // namespace
}  // namespace sluice::report
