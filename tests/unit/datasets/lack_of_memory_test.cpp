// Pictures that are sound but do not fit into memory. The data is not at fault.
#include "pictures.hpp"
#include "unit/datasets/source_test.hpp"
#include "unit/with_little_memory.hpp"

namespace sluice::data {
namespace {

class LackOfMemory : public SourceTest {};

// libjpeg holds all coefficients of a progressive file, here 24 MiB. The pixels need 12 MiB.
TEST_F(LackOfMemory, of_the_decoder_does_not_make_a_sample_bad) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers need much address space themselves";
#endif
    write("p/a.jpg", jpeg_of(test::make_picture(2048, 2048), {.across = 1, .down = 1, .progressive = true}));
    const Chain chain = make_chain("source = { use = \"photos\", folder = \"p\" }\nmap = [{ use = \"decode\" }]");
    Chain::Worker worker(chain);
    std::string found;
    {
        const test::WithLittleMemory memory(rlim_t{24} << 20);
        found = error_of([&] { worker.make(0, 0); });
    }
    expect_contains(found, {"4 ", "p/a.jpg", "out of memory"});
    EXPECT_EQ(error_of([&] { worker.make(0, 0); }), "nothing was thrown");
}

}  // namespace
}  // namespace sluice::data
