// A source: its fields, its length and its samples (kind/source.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "registry/objects/field.hpp"
#include "registry/objects/object.hpp"
#include "registry/objects/sample_writer.hpp"
#include "registry/objects/worker_context.hpp"
#include "sluice/kind/source.h"

namespace sluice::registry {

class Source {
public:
    Source(const Component& component, const Table& options, const Origin& origin);
    [[nodiscard]] std::string name() const { return object_.component().manifest->provides; }
    [[nodiscard]] const Object<sluice_source>& object() const { return object_; }
    [[nodiscard]] std::span<const Field> fields() const { return fields_; }
    [[nodiscard]] std::uint64_t length() const { return length_; }
    [[nodiscard]] WorkerContext make_context() const;
    void read(const WorkerContext& context, std::uint64_t index, std::uint64_t seed, SampleWriter& writer) const;

private:
    Object<sluice_source> object_;
    std::vector<Field> fields_;
    std::uint64_t length_ = 0;
};

}  // namespace sluice::registry
