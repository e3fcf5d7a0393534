// The sources of a stream, whose samples are numbered one after the other. Private to this folder.
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
#include "registry/objects/objects.hpp"
#include "registry/objects/windows.hpp"

namespace sluice::data {

// A source that could not be opened: not a matter of what follows it in the chain.
class SourceError : public Error {
public:
    using Error::Error;
};

class Sources {
public:
    // Throws SourceError where one of them cannot be opened. Throws Error(Exit::config) where their samples have
    // different fields, or where what is asked of sampling is not possible.
    Sources(const config::StreamSpec& spec, const registry::Registry& registry);

    // "photos", or "photos + dead_leaves".
    [[nodiscard]] std::string name() const;
    // With -1 where a dimension differs per sample or per source.
    [[nodiscard]] std::span<const registry::Field> fields() const { return fields_; }
    // 1 for each field of which windows may be read; empty where that is not so of every source.
    [[nodiscard]] std::span<const std::uint8_t> has_windows() const;
    [[nodiscard]] const Draws& draws() const { return draws_; }
    // By the fields of their samples; none of any field where two of them call a class differently, which is warned of.
    [[nodiscard]] const ClassNames& class_names() const { return class_names_; }
    // All that their samples depend on beside the seed, as a text.
    [[nodiscard]] std::string identity(const config::StreamSpec& spec) const;
    // Whether they may: all but those whose manifests say no.
    [[nodiscard]] bool depend_on_seed(const config::StreamSpec& spec) const;

    class Worker {
    public:
        explicit Worker(const Sources& sources);
        void read(std::uint64_t index, std::uint64_t seed, registry::SampleWriter& writer) const;
        // Where the sources have windows.
        void extents(std::uint64_t index, std::uint64_t seed, std::span<sluice_extent> extents) const;
        void read_windows(std::uint64_t index, std::uint64_t seed, std::span<const sluice_window> windows,
                          registry::SampleWriter& writer) const;

    private:
        // Of one source.
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
    std::vector<registry::WindowSource> windows_;  // one for each source, or none
    std::vector<Table> options_;                   // of each
    std::vector<std::uint64_t> ends_;              // of the samples of each, in the numbers of all
    std::vector<registry::Field> fields_;
    ClassNames class_names_;
    Draws draws_;
};

}  // namespace sluice::data
