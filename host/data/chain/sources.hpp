// The sources of a stream. Their samples share one numbering: those of the first source, then those of the second, and
// so on. Private to this folder.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "config/spec.hpp"
#include "data/chain/class_names.hpp"
#include "data/chain/sampling.hpp"
#include "registry/loading/registry.hpp"
#include "registry/objects/field.hpp"
#include "registry/objects/sample_writer.hpp"
#include "registry/objects/source.hpp"
#include "registry/objects/worker_context.hpp"
#include "registry/optional/windows.hpp"

namespace sluice::data {

// A source could not be opened. A separate type, because the cause is not what follows the source in the chain.
class SourceError : public Error {
public:
    using Error::Error;
};

class Sources {
public:
    // Throws SourceError if a source cannot be opened, and Error(Exit::config) if their samples have different fields
    // or the wanted sampling is not possible.
    Sources(const config::StreamSpec& spec, const registry::Registry& registry);

    // "photos", or "photos + dead_leaves".
    [[nodiscard]] std::string name() const;
    // The fields of a sample; -1 for a dimension that differs per sample or per source.
    [[nodiscard]] std::span<const registry::Field> fields() const { return fields_; }
    // For each field, 1 if windows of it may be read. Empty unless all sources offer the same windows.
    [[nodiscard]] std::span<const std::uint8_t> has_windows() const;
    [[nodiscard]] const Draws& draws() const { return draws_; }
    // Class names by field. Empty, after a warning, if two sources name a class differently.
    [[nodiscard]] const ClassNames& class_names() const { return class_names_; }
    // Everything that the samples depend on except the seed, as text.
    [[nodiscard]] std::string identity(const config::StreamSpec& spec) const;
    // True unless the manifests of all sources say that samples do not depend on the seed.
    [[nodiscard]] bool depend_on_seed(const config::StreamSpec& spec) const;

    class Worker {
    public:
        explicit Worker(const Sources& sources);
        void read(std::uint64_t index, std::uint64_t seed, registry::SampleWriter& writer) const;
        // Only if has_windows() is not empty.
        void extents(std::uint64_t index, std::uint64_t seed, std::span<sluice_extent> extents) const;
        void read_windows(std::uint64_t index, std::uint64_t seed, std::span<const sluice_window> windows,
                          registry::SampleWriter& writer) const;

    private:
        // A sample's source, and its index in that source.
        struct Place {
            std::size_t source;
            std::uint64_t index;
        };
        [[nodiscard]] Place find(std::uint64_t index) const;

        const Sources& sources_;
        std::vector<registry::WorkerContext> contexts_;  // one for each source
    };

private:
    void join_fields(const config::StreamSpec& spec);
    void join_class_names(const config::StreamSpec& spec);
    void weigh(const config::StreamSpec& spec);

    std::vector<registry::Source> sources_;
    std::vector<registry::WindowSource> windows_;  // one for each source; empty if they do not offer the same windows
    std::vector<Table> options_;                   // of each source
    std::vector<std::uint64_t> ends_;              // one past each source's last sample, in the common numbering
    std::vector<registry::Field> fields_;
    ClassNames class_names_;
    Draws draws_;
};

}  // namespace sluice::data
