// Transforms that work on whole batches (kind/batch_transform.h).
#pragma once

#include <span>
#include <string>

#include "registry/objects/field.hpp"
#include "registry/objects/transform.hpp"
#include "registry/objects/worker_context.hpp"
#include "sluice/kind/batch_transform.h"

namespace sluice::registry {

// `component` must be of kind transform.
bool works_on_batches(const Component& component);

class BatchTransform {
public:
    // `incoming`: the fields of a sample that go into batches.
    BatchTransform(const Component& component, const Table& options, const Origin& origin,
                   std::span<const Field> incoming);
    [[nodiscard]] std::string name() const { return transform_.name(); }
    // The fields that the transform changes.
    [[nodiscard]] std::span<const Field> written() const { return transform_.written(); }
    [[nodiscard]] WorkerContext make_context() const { return transform_.make_context(); }
    // fields: [batch, ...], in the order of `incoming`. Called for every batch, so it allocates only if it fails.
    void apply(const WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key& key) const;

private:
    Transform transform_;
    const sluice_batch_transform* table_;
};

}  // namespace sluice::registry
