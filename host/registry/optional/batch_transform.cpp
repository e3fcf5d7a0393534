#include "registry/optional/batch_transform.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "registry/loading/interfaces.hpp"
#include "registry/loading/reported_values.hpp"

namespace sluice::registry {

bool works_on_batches(const Component& component) {
    return optional_interface(component, SLUICE_BATCH_TRANSFORM_V1) != nullptr;
}

BatchTransform::BatchTransform(const Component& component, const Table& options, const Origin& origin,
                               std::span<const Field> incoming)
    : transform_(component, options, origin, incoming),
      table_(static_cast<const sluice_batch_transform*>(optional_interface(component, SLUICE_BATCH_TRANSFORM_V1))) {
    for (const Field& field : transform_.written()) {
        const auto same = std::ranges::find(incoming, field.name, &Field::name);
        if (same == incoming.end() || same->role != field.role || !(same->spec == field.spec)) {
            misbehaves(
                component,
                fmt::format("it works on batches and announces field '{}' as {}; {}", field.name, to_string(field.spec),
                            same == incoming.end() ? "its input has no such field"
                                                   : "in its input it is " + to_string(same->spec) +
                                                         ", and neither that nor its role may change"));
        }
    }
}

void BatchTransform::apply(const WorkerContext& context, std::span<const sluice_tensor> fields,
                           const sluice_random_key& key) const {
    const Component& component = transform_.object().component();
    sluice_error error{};
    const sluice_status status = enter(component, table_->apply, transform_.object().self(), context.get(),
                                       fields.data(), static_cast<std::uint32_t>(fields.size()), &key, &error);
    if (status != SLUICE_OK) {
        throw_status(component, short_name(component), status, error);
    }
}

}  // namespace sluice::registry
