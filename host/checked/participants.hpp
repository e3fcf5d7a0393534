// The objects of a plugin that a call is about, from before it until after it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "checked/breach.hpp"
#include "checked/watch.hpp"

namespace sluice::registry::checked {

// Each function adds the rules that it finds broken to `found`.
class Participants {
public:
    explicit Participants(const Info& info) : info_(info) {}
    // Leaves all that were entered.
    ~Participants();
    Participants(const Participants&) = delete;
    Participants& operator=(const Participants&) = delete;

    [[nodiscard]] Watch* watch() const { return watch_; }
    [[nodiscard]] Watched* object() const { return object_.get(); }
    [[nodiscard]] Watched* part() const { return part_.get(); }
    // The one that messages name; null before there is one.
    [[nodiscard]] Watched* subject() const { return part_ != nullptr ? part_.get() : object_.get(); }

    // ---- before the call
    void created_by(Watch* watch) { watch_ = watch; }
    // What the plugin knows the pointer by.
    void* enter_object(void* pointer, Findings& found);
    void* enter_part(void* pointer, Handle kind, Findings& found);
    void enter_replica(std::uint32_t replica, Findings& found);
    void expect_handle(void* pointer, Handle kind, Findings& found);
    void check_order(Findings& found);

    // ---- after the call, if it succeeded
    // What the host will know the pointer by that the plugin made.
    void* keep_made(void* made, const Watched::Counts& counts, Findings& found);
    // Forgets what the call has destroyed.
    void end_handle();

private:
    Watched* enter(void* pointer, Handle kind, std::shared_ptr<Watched>& entered, Findings& found);
    void enter_serial(Serial& serial, const std::string& what, Findings& found);

    const Info& info_;
    Watch* watch_ = nullptr;
    std::shared_ptr<Watched> object_;
    std::shared_ptr<Watched> part_;
    std::vector<Serial*> serials_;
    void* ended_ = nullptr;  // what the call destroys
};

}  // namespace sluice::registry::checked
