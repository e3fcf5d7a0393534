#include "serve/site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "unit/folder_test.hpp"

namespace sluice::serve {
namespace {

std::string event(const std::string& kind, int step, const std::string& text, const std::string& scalars) {
    return fmt::format(R"({{"kind":"{}","epoch":1,"step":{},"seconds":{},"text":"{}","scalars":{{{}}}}})", kind, step,
                       step, text, scalars) +
           "\n";
}

class SiteOfRuns : public FolderTest {
protected:
    void SetUp() override {
        FolderTest::SetUp();
        for (const char* const run : {"runs/a", "runs/group/b"}) {
            write(std::string(run) + "/resolved.toml", "name = \"x\"\n");
            write(std::string(run) + "/events.jsonl", event("run_begin", 0, "", R"("epochs":1,"steps":2,"batch":4)") +
                                                          event("step", 1, "", R"("loss":0.5)") +
                                                          event("samples", 1, "epoch_001", ""));
            write(std::string(run) + "/samples/epoch_001.png", "picture");
        }
        write("secret.png", "secret");
    }
    Response get(const std::string& target, const std::string& known = "") {
        return site_.respond({.method = "GET", .target = target, .host = "localhost", .known = known});
    }
    nlohmann::json data(const std::string& target) {
        const Response response = get(target);
        EXPECT_EQ(response.status, 200) << response.body;
        EXPECT_EQ(response.type, "application/json");
        return nlohmann::json::parse(response.body);
    }

private:
    Site site_{"runs"};
};

TEST_F(SiteOfRuns, lists_runs_with_links) {
    EXPECT_NE(get("/").body.find("data-source=\"/data/runs\""), std::string::npos);
    const nlohmann::json table = data("/data/runs")["sections"][0]["tables"][0];
    ASSERT_EQ(table["rows"].size(), 2U);
    std::vector<std::string> links{table["rows"][0][0]["target"], table["rows"][1][0]["target"]};
    std::ranges::sort(links);
    EXPECT_EQ(links, (std::vector<std::string>{"/run?name=a", "/run?name=group%2Fb"}));
    EXPECT_EQ(table["choice"]["action"], "/compare");
    EXPECT_EQ(table["choice"]["values"].size(), 2U);
}

TEST_F(SiteOfRuns, shows_a_run_as_it_grows) {
    const Response first = get("/data/run?name=group%2Fb");
    const nlohmann::json page = nlohmann::json::parse(first.body);
    EXPECT_EQ(page["title"], "b");
    EXPECT_EQ(page["links"][0]["target"], "/");
    const auto version = std::ranges::find(first.fields, "ETag", &std::pair<std::string, std::string>::first);
    ASSERT_NE(version, first.fields.end());
    const Response same = get("/data/run?name=group%2Fb", version->second);
    EXPECT_EQ(same.status, 304);
    EXPECT_TRUE(same.body.empty());
    std::ofstream("runs/group/b/events.jsonl", std::ios::app) << event("step", 2, "", R"("loss":0.25)");
    EXPECT_EQ(get("/data/run?name=group%2Fb", version->second).status, 200);
    EXPECT_NE(get("/data/run?name=group%2Fb").body.find("0.25"), std::string::npos);
}

TEST_F(SiteOfRuns, has_pictures_of_runs_and_nothing_else) {
    const Response picture = get("/picture?run=a&name=epoch_001");
    EXPECT_EQ(picture.status, 200);
    EXPECT_EQ(picture.type, "image/png");
    EXPECT_EQ(picture.body, "picture");
    for (const char* const target :
         {"/picture?run=a&name=epoch_002", "/picture?run=a&name=../../../secret", "/picture?run=..&name=secret",
          "/picture?run=a/../..&name=secret", "/picture", "/runs/a/resolved.toml", "/../secret.png",
          "/data/run?name=..", "/data/run?name=", "/data/run?name=a/", "/data/run?name=a%00", "/data/run?name=/etc",
          "/data/compare?run=a&run=x"}) {
        EXPECT_EQ(get(target).status, 404) << target;
    }
    std::filesystem::remove("runs/a/samples/epoch_001.png");
    std::filesystem::create_symlink("../../../secret.png", "runs/a/samples/epoch_001.png");
    EXPECT_EQ(get("/picture?run=a&name=epoch_001").status, 404);
}

TEST_F(SiteOfRuns, takes_no_path_from_an_event) {
    std::ofstream("runs/a/events.jsonl", std::ios::app) << event("samples", 1, "../../../secret", "");
    EXPECT_EQ(get("/picture?run=a&name=../../../secret").status, 404);
}

TEST_F(SiteOfRuns, compares_chosen_runs) {
    const nlohmann::json page = data("/data/compare?run=a&run=group%2Fb");
    EXPECT_EQ(page["title"], "Comparison of runs");
    EXPECT_EQ(page["links"][2]["target"], "/run?name=group%2Fb");
    EXPECT_EQ(get("/data/compare?run=a").status, 400);
    EXPECT_NE(get("/compare?run=a&run=group%2Fb").body.find("/data/compare?run=a&amp;run=group%2Fb"),
              std::string::npos);
}

TEST_F(SiteOfRuns, shows_names_as_text) {
    const Response page = get("/run?name=%22%3E%3Cscript%3E");
    EXPECT_EQ(page.body.find("<script>"), std::string::npos) << page.body;
}

TEST_F(SiteOfRuns, notices_runs_that_come_and_go) {
    EXPECT_EQ(data("/data/run?name=a")["title"], "a");
    std::filesystem::remove_all("runs/a");
    EXPECT_EQ(get("/data/run?name=a").status, 404);
    write("runs/new/events.jsonl", event("run_begin", 0, "", ""));
    EXPECT_EQ(data("/data/runs")["sections"][0]["tables"][0]["rows"].size(), 2U);
    EXPECT_EQ(data("/data/run?name=new")["title"], "new");
}

TEST_F(SiteOfRuns, refuses_damaged_addresses) { EXPECT_EQ(get("/?x=%zz").status, 400); }

}  // namespace
}  // namespace sluice::serve
