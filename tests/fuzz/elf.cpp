// The fuzz target for plugin files, before any of their code runs.
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.hpp"
#include "registry/manifest/manifest.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const int file = memfd_create("plugin", MFD_CLOEXEC);
    static const std::string path = "/proc/self/fd/" + std::to_string(file);
    if (ftruncate(file, static_cast<off_t>(size)) != 0 || pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) {
        std::abort();
    }
    sluice::test::expect_result_or_error([] { (void)sluice::registry::read_manifest(path); });
    return 0;
}
