// The pages about a folder of runs: a list, the page of each run, and comparisons. It only reads, and nothing outside
// the folder.
#pragma once

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

    std::filesystem::path folder_;
    SummaryCache summaries_;
    RunCache runs_;
};

}  // namespace sluice::serve
