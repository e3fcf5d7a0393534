// The fuzz target for manifests of plugins and values of their options.
#include "registry/manifest/manifest.hpp"
#include "fuzz.hpp"
#include "registry/manifest/schema_check.hpp"
#include "registry/manifest/schema_text.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sluice;
    test::expect_result_or_error([&] {
        const registry::PluginManifest manifest = registry::parse_manifest(test::text_of(data, size), "manifest");
        for (const registry::ComponentManifest& component : manifest.components) {
            (void)registry::describe(component.options);
            test::expect_result_or_error(
                [&] { (void)registry::complete(component.options, {}, component.provides, {}); });
        }
    });
    return 0;
}
