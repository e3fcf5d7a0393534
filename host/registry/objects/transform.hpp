// A transform of samples (kind/transform.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "registry/objects/field.hpp"
#include "registry/objects/object.hpp"
#include "registry/objects/sample_writer.hpp"
#include "registry/objects/worker_context.hpp"
#include "sluice/kind/transform.h"

namespace sluice::registry {

class Transform {
public:
    // `incoming`: the fields of its input.
    Transform(const Component& component, const Table& options, const Origin& origin, std::span<const Field> incoming);
    [[nodiscard]] std::string name() const { return object_.component().manifest->provides; }
    [[nodiscard]] const Object<sluice_transform>& object() const { return object_; }
    // The fields that the transform writes.
    [[nodiscard]] std::span<const Field> written() const { return written_; }
    [[nodiscard]] WorkerContext make_context() const;
    void apply(const WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key& key,
               SampleWriter& writer) const;

private:
    Object<sluice_transform> object_;
    std::vector<Field> written_;
};

}  // namespace sluice::registry
