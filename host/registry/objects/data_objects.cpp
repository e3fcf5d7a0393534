// Sources and transforms.
#include "registry/objects/data_sinks.hpp"

namespace sluice::registry {
namespace {

template <class Interface>
WorkerContext open_context(const Object<Interface>& object) {
    void* context = nullptr;
    call(object.component(), short_name(object.component()), object.table()->context_create, object.self(), &context);
    return {object.component(), object.self(), context, object.table()->context_destroy};
}

}  // namespace

Source::Source(const Component& component, const Table& options, const Origin& origin)
    : object_(make_object<sluice_source>(component, options, place_of(component, origin))) {
    FieldCollector sink(component);
    call_fenced(sink.fence, component, place_of(component, origin), object_.table()->describe, object_.self(),
                sink.abi());
    if (sink.fields.empty()) {
        misbehaves(component, "it announces no fields");
    }
    if (sink.length == 0) {
        throw Error(Exit::data, place_of(component, origin) + ": it has no samples");
    }
    fields_ = std::move(sink.fields);
    length_ = sink.length;
}

WorkerContext Source::make_context() const { return open_context(object_); }

// Called for every sample, so it allocates only if it fails.
void Source::read(const WorkerContext& context, std::uint64_t index, std::uint64_t seed, SampleWriter& writer) const {
    const Component& component = object_.component();
    SampleRelay(component, fields_, writer)
        .take([&] { return short_name(component); }, object_.table()->read, object_.self(), context.get(), index, seed);
}

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

WorkerContext Transform::make_context() const { return open_context(object_); }

void Transform::apply(const WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key& key,
                      SampleWriter& writer) const {
    const Component& component = object_.component();
    SampleRelay(component, written_, writer)
        .take([&] { return short_name(component); }, object_.table()->apply, object_.self(), context.get(),
              fields.data(), static_cast<std::uint32_t>(fields.size()), &key);
}

}  // namespace sluice::registry
