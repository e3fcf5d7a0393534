#include "registry/objects/source.hpp"

#include <utility>

#include "base/error.hpp"
#include "registry/loading/reported_values.hpp"
#include "registry/objects/data_sinks.hpp"
#include "registry/objects/exception_fence.hpp"

namespace sluice::registry {

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

WorkerContext Source::make_context() const { return WorkerContext(object_); }

// Called for every sample, so it allocates only if it fails.
void Source::read(const WorkerContext& context, std::uint64_t index, std::uint64_t seed, SampleWriter& writer) const {
    const Component& component = object_.component();
    SampleRelay(component, fields_, writer)
        .take([&] { return short_name(component); }, object_.table()->read, object_.self(), context.get(), index, seed);
}

}  // namespace sluice::registry
