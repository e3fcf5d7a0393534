// An observer of a run's events (kind/observer.h).
#pragma once

#include <cstdint>
#include <string>

#include "registry/objects/object.hpp"
#include "sluice/kind/observer.h"

namespace sluice::registry {

class Observer {
public:
    Observer(const Component& component, const Table& options, const Origin& origin);
    [[nodiscard]] std::string name() const { return object_.component().manifest->provides; }
    [[nodiscard]] std::uint64_t wants() const { return wants_; }
    void on_event(const sluice_event& event) const;
    [[nodiscard]] const Object<sluice_observer>& object() const { return object_; }

private:
    Object<sluice_observer> object_;
    std::uint64_t wants_ = 0;
};

}  // namespace sluice::registry
