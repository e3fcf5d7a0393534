#include "registry/objects/transform.hpp"

#include <utility>

#include "registry/loading/reported_values.hpp"
#include "registry/objects/data_sinks.hpp"
#include "registry/objects/exception_fence.hpp"

namespace sluice::registry {

Transform::Transform(const Component& component, const Table& options, const Origin& origin,
                     std::span<const Field> incoming)
    : object_(make_object<sluice_transform>(component, options, place_of(component, origin))) {
    std::vector<sluice_field> fields;
    for (const Field& field : incoming) {
        fields.push_back({{field.name.data(), field.name.size()}, field.role, 0, field.spec, {}});
    }
    FieldCollector sink(component);
    call_fenced(sink.fence, component, place_of(component, origin), object_.table()->describe, object_.self(),
                fields.data(), static_cast<std::uint32_t>(fields.size()), sink.abi());
    written_ = std::move(sink.fields);
}

WorkerContext Transform::make_context() const { return WorkerContext(object_); }

void Transform::apply(const WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key& key,
                      SampleWriter& writer) const {
    const Component& component = object_.component();
    SampleRelay(component, written_, writer)
        .take([&] { return short_name(component); }, object_.table()->apply, object_.self(), context.get(),
              fields.data(), static_cast<std::uint32_t>(fields.size()), &key);
}

}  // namespace sluice::registry
