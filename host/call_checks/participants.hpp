// The plugin's objects that take part in one checked call.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "call_checks/breach.hpp"
#include "call_checks/checked_component.hpp"

namespace sluice::call_checks {

// Each function adds the rules that it finds broken to `found`.
class Participants {
public:
    explicit Participants(const FunctionRules& rules) : rules_(rules) {}
    // Leaves every object that was entered.
    ~Participants();
    Participants(const Participants&) = delete;
    Participants& operator=(const Participants&) = delete;

    [[nodiscard]] CheckedComponent* component() const { return component_; }
    [[nodiscard]] TrackedObject* object() const { return object_.get(); }
    [[nodiscard]] TrackedObject* part() const { return part_.get(); }
    // The object that messages name; null before one was entered.
    [[nodiscard]] TrackedObject* subject() const { return part_ != nullptr ? part_.get() : object_.get(); }

    // ---- before the call
    void created_by(CheckedComponent* component) { component_ = component; }
    // Both return the plugin's own pointer, or null if `pointer` is unknown or its object was destroyed.
    void* enter_object(void* pointer, Findings& found);
    void* enter_part(void* pointer, Handle kind, Findings& found);
    void enter_replica(std::uint32_t replica, Findings& found);
    void expect_handle(void* pointer, Handle kind, Findings& found);
    void check_order(Findings& found);

    // ---- after the call, if it succeeded
    // Returns the pointer that the host will use for the one that the plugin made.
    void* keep_made(void* made, const TrackedObject::Counts& counts, Findings& found);
    // Forgets the object or handle that the call has destroyed.
    void end_handle();

private:
    TrackedObject* enter(void* pointer, Handle kind, std::shared_ptr<TrackedObject>& entered, Findings& found);
    void enter_serial(Serial& serial, const std::string& what, Findings& found);

    const FunctionRules& rules_;
    CheckedComponent* component_ = nullptr;
    std::shared_ptr<TrackedObject> object_;
    std::shared_ptr<TrackedObject> part_;
    std::vector<Serial*> serials_;
    void* ended_ = nullptr;  // the object or handle that the call destroys
};

}  // namespace sluice::call_checks
