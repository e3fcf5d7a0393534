#include "call_checks/participants.hpp"

#include <fmt/format.h>

#include <mutex>

namespace sluice::call_checks {

Participants::~Participants() {
    for (Serial* const serial : serials_) {
        serial->leave();
    }
    for (const auto& one : {part_, object_}) {
        if (one != nullptr) {
            --one->running;
        }
    }
}

TrackedObject* Participants::enter(void* pointer, Handle kind, std::shared_ptr<TrackedObject>& entered,
                                   Findings& found) {
    entered = find_tracked(pointer);
    if (entered == nullptr || entered->kind != kind) {
        entered = nullptr;
        found.push_back(
            {Rule::unknown_object, fmt::format("is called with an address that is no {}", to_string(kind))});
        return nullptr;
    }
    component_ = entered->component;
    if (entered->is_ended) {
        found.push_back({Rule::ended_object, fmt::format("is called after its {} was destroyed", to_string(kind))});
        return nullptr;
    }
    ++entered->running;
    if (rules_.ends == kind && entered->running > 1) {
        found.push_back(
            {Rule::ended_object, fmt::format("is called while another call on its {} runs", to_string(kind))});
    }
    return entered.get();
}

void Participants::enter_serial(Serial& serial, const std::string& what, Findings& found) {
    if (const char* const other = serial.enter(rules_.name); other != nullptr) {
        const bool is_own = serial.is_this_thread();
        found.push_back({is_own ? Rule::reentry : Rule::overlap,
                         fmt::format("is called {} {}() of the same {}", is_own ? "inside" : "on another thread during",
                                     other, what)});
    } else {
        serials_.push_back(&serial);
    }
}

void* Participants::enter_object(void* pointer, Findings& found) {
    TrackedObject* const object = enter(pointer, Handle::object, object_, found);
    if (object == nullptr) {
        return nullptr;
    }
    if (is_serial_for_object(rules_.tag)) {
        enter_serial(object->serial, "object", found);
    }
    if (rules_.ends == Handle::object) {
        ended_ = pointer;
        const std::lock_guard lock(object->guard);
        if (object->parts > 0) {
            found.push_back({Rule::still_alive, fmt::format("is called while {} of its contexts or kernels still exist",
                                                            object->parts.load())});
        } else if (!object->handles.empty()) {
            found.push_back({Rule::still_alive, fmt::format("is called before its {} was destroyed",
                                                            to_string(object->handles.begin()->second))});
        }
    }
    return object->real;
}

void* Participants::enter_part(void* pointer, Handle kind, Findings& found) {
    TrackedObject* const part = enter(pointer, kind, part_, found);
    if (part == nullptr) {
        return nullptr;
    }
    if (object_ != nullptr && part->parent != object_.get()) {
        found.push_back({Rule::unknown_object, fmt::format("is called with a {} of another object", to_string(kind))});
    }
    if (rules_.ends == kind) {
        ended_ = pointer;
    }
    // Calls of a kernel are serial with all calls of its provider.
    if (kind == Handle::kernel && object_ == nullptr) {
        object_ = find_tracked(part->parent);
        if (object_ != nullptr) {
            ++object_->running;
            enter_serial(object_->serial, "provider", found);
        }
    }
    if (is_serial_for_part(rules_.tag) || kind == Handle::kernel) {
        enter_serial(part->serial, to_string(kind), found);
    }
    return part->real;
}

void Participants::enter_replica(std::uint32_t replica, Findings& found) {
    if (object_ != nullptr && is_serial_for_part(rules_.tag)) {
        Serial* serial = nullptr;
        {
            const std::lock_guard lock(object_->guard);
            serial = &object_->replicas[replica];
        }
        enter_serial(*serial, fmt::format("replica {}", replica), found);
    }
}

void Participants::expect_handle(void* pointer, Handle kind, Findings& found) {
    if (object_ == nullptr || pointer == nullptr) {
        return;
    }
    const std::lock_guard lock(object_->guard);
    const auto handle = object_->handles.find(pointer);
    if (handle == object_->handles.end() || handle->second != kind) {
        found.push_back(
            {Rule::unknown_object,
             fmt::format("is called with an unknown {}: not made here, or already destroyed", to_string(kind))});
    } else if (rules_.ends == kind) {
        ended_ = pointer;
    }
}

void Participants::check_order(Findings& found) {
    // The marks `extents` and `forward` belong to a context or kernel, all others to the object.
    const auto is_of_part = [](Mark mark) { return mark == Mark::extents || mark == Mark::forward; };
    TrackedObject* const about = is_of_part(rules_.after) || is_of_part(rules_.does) ? part_.get() : object_.get();
    if (about == nullptr) {
        return;
    }
    const auto bit = [](Mark mark) { return 1U << static_cast<unsigned>(mark); };
    if (rules_.after != Mark::none && (about->done & bit(rules_.after)) == 0) {
        found.push_back({Rule::order, "is called before the function that must precede it"});
    }
    if (rules_.is_once && (about->done & bit(rules_.does)) != 0) {
        found.push_back({Rule::order, "is called a second time"});
    }
    if (rules_.does != Mark::none) {
        about->done |= bit(rules_.does);
    }
}

void* Participants::keep_made(void* made, const TrackedObject::Counts& counts, Findings& found) {
    if (rules_.makes == Handle::object || rules_.makes == Handle::context || rules_.makes == Handle::kernel) {
        const auto tracked = component_->add(rules_.makes, made, object_.get());
        tracked->counts = counts;
        return tracked.get();
    }
    if (made == nullptr || object_ == nullptr) {
        return made;
    }
    const std::lock_guard lock(object_->guard);
    if (!object_->handles.emplace(made, rules_.makes).second) {
        found.push_back({Rule::made_twice, fmt::format("returns the same {} a second time", to_string(rules_.makes))});
    }
    return made;
}

void Participants::end_handle() {
    if (ended_ == nullptr) {
        return;
    }
    for (const auto& one : {part_, object_}) {
        if (one.get() == ended_) {
            one->component->end(*one);
            return;
        }
    }
    const std::lock_guard lock(object_->guard);
    object_->handles.erase(ended_);
}

}  // namespace sluice::call_checks
