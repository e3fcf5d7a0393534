#include "registry/objects/optimizer.hpp"

#include <utility>

#include "registry/loading/reported_values.hpp"
#include "registry/objects/exception_fence.hpp"

namespace sluice::registry {
namespace {

// Collects the names of an optimizer's states.
class StateSink {
public:
    explicit StateSink(const Component& component) : component_(component) {}
    [[nodiscard]] const sluice_optimizer_sink* abi() const { return &abi_; }

    ExceptionFence fence;
    std::vector<std::string> states;

private:
    static void on_state(const sluice_optimizer_sink* sink, sluice_text name) noexcept {
        auto& self = *static_cast<StateSink*>(sink->impl);
        self.fence.run([&] { self.states.push_back(copy_name(self.component_, name, "state", self.states)); });
    }

    const Component& component_;
    const sluice_optimizer_sink abi_{sizeof(sluice_optimizer_sink), this, on_state};
};

}  // namespace

Optimizer::Optimizer(const Component& component, const Table& options, const Origin& origin)
    : object_(make_object<sluice_optimizer>(component, options, place_of(component, origin))) {
    StateSink sink(component);
    call_fenced(sink.fence, component, place_of(component, origin), object_.table()->describe, object_.self(),
                sink.abi());
    states_ = std::move(sink.states);
}

// Called every step, so it allocates only if it fails.
void Optimizer::update(const sluice_optimizer_launch& launch) const {
    sluice_error error{};
    if (const sluice_status status =
            enter(object_.component(), object_.table()->update, object_.self(), &launch, &error);
        status != SLUICE_OK) {
        throw_status(object_.component(), short_name(object_.component()), status, error);
    }
}

}  // namespace sluice::registry
