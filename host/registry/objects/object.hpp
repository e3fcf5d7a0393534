// RAII owner of an object that a component creates. Each kind has a class with such an owner, in a file of its name, as
// a typed view of the kind's table.
#pragma once

#include <string>
#include <utility>

#include "registry/loading/abi_conversion.hpp"
#include "registry/loading/component.hpp"
#include "registry/loading/plugin_call.hpp"

namespace sluice::registry {

// Owns a plugin's object from create() to destroy(). Table is the interface of its kind.
template <class Table>
class Object {
public:
    Object(Component component, void* self) : component_(std::move(component)), self_(self) {}
    ~Object() {
        if (self_ != nullptr) {
            enter(component_, table()->destroy, self_);
        }
    }
    Object(Object&& other) noexcept
        : component_(std::move(other.component_)), self_(std::exchange(other.self_, nullptr)) {}
    Object& operator=(Object&&) = delete;

    [[nodiscard]] const Table* table() const { return static_cast<const Table*>(component_.table); }
    [[nodiscard]] void* self() const { return self_; }
    [[nodiscard]] const Component& component() const { return component_; }

private:
    Component component_;
    void* self_;
};

// Makes the object of a component: calls its table's create(host, options, extra..., &self, &error).
template <class Interface, class... Extra>
Object<Interface> make_object(const Component& component, const Table& options, const std::string& what,
                              Extra... extra) {
    const OptionTree tree(options);
    void* self = nullptr;
    call(component, what, static_cast<const Interface*>(component.table)->create, component.host, tree.root(), extra...,
         &self);
    return {component, self};
}

}  // namespace sluice::registry
