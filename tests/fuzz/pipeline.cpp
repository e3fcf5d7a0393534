// The fuzz target for pipeline files.
#include "config/load.hpp"
#include "fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sluice;
    test::expect_result_or_error([&] { (void)config::load_pipeline_text(test::text_of(data, size), "fuzz.toml", {}); });
    return 0;
}
