// The pages about a folder of runs: a list, the page of each run, and comparisons. It only reads, and nothing outside
// the folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "report/page.hpp"
#include "serve/message.hpp"
#include "serve/run_cache.hpp"
#include "serve/summary_cache.hpp"
#include "serve/target.hpp"

namespace sluice::serve {

class Site {
public:
    explicit Site(const std::filesystem::path& folder);

    // Answers an allowed request. Not to be called by two threads at a time.
    Response respond(const Request& request);

private:
    Response respond_to(const Target& target);
    report::Page list_page();
    Response run_data(const Target& target);
    Response comparison_data(const Target& target);
    Response picture(const Target& target);

    // The page of a run, which does not change without news.
    struct RunPage {
        std::string name{};
        std::uint64_t version = 0;  // RunCache::Entry::version
        bool is_alive = false;
        std::string json{};
    };

    std::filesystem::path folder_;
    SummaryCache summaries_;
    RunCache runs_;
    RunPage run_page_;
};

}  // namespace sluice::serve
