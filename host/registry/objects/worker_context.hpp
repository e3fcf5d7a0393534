// State of one worker at one source or transform.
#pragma once

#include <utility>

#include "registry/loading/abi_conversion.hpp"
#include "registry/loading/component.hpp"
#include "registry/loading/plugin_call.hpp"
#include "registry/loading/reported_values.hpp"
#include "registry/objects/object.hpp"

namespace sluice::registry {

class WorkerContext {
public:
    // `object` must outlive the context and stay in its place. Table has context_create() and context_destroy().
    template <class Table>
    explicit WorkerContext(const Object<Table>& object)
        : component_(&object.component()), self_(object.self()), destroy_(object.table()->context_destroy) {
        call(*component_, short_name(*component_), object.table()->context_create, self_, &context_);
    }
    ~WorkerContext() {
        if (context_ != nullptr) {
            enter(*component_, destroy_, self_, context_);
        }
    }
    WorkerContext(WorkerContext&& other) noexcept
        : component_(other.component_),
          self_(other.self_),
          destroy_(other.destroy_),
          context_(std::exchange(other.context_, nullptr)) {}
    WorkerContext& operator=(WorkerContext&&) = delete;
    [[nodiscard]] void* get() const { return context_; }

private:
    const Component* component_;
    void* self_;
    void (*destroy_)(void*, void*);
    void* context_ = nullptr;
};

}  // namespace sluice::registry
