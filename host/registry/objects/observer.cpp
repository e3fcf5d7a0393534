#include "registry/objects/observer.hpp"

#include "registry/loading/reported_values.hpp"

namespace sluice::registry {

Observer::Observer(const Component& component, const Table& options, const Origin& origin)
    : object_(make_object<sluice_observer>(component, options, place_of(component, origin))),
      wants_(enter(component, object_.table()->wants, object_.self())) {}

void Observer::on_event(const sluice_event& event) const {
    call(object_.component(), short_name(object_.component()), object_.table()->on_event, object_.self(), &event);
}

}  // namespace sluice::registry
