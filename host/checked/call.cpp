#include "checked/call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <span>

#include "base/tensor.hpp"

namespace sluice::registry::checked {
namespace {

thread_local Call* innermost = nullptr;

// What takes system calls to know is looked at in some calls: the first, and one of many.
bool is_turn() {
    constexpr std::uint64_t kFirst = 200;
    constexpr std::uint64_t kOneOf = 64;
    static std::atomic<std::uint64_t> calls = 0;
    const std::uint64_t now = calls++;
    return now < kFirst || now % kOneOf == 0;
}

}  // namespace

const char* running_function() {
    const Call* const call = Call::current();
    return call == nullptr ? "outside of all calls" : call->info().name;
}

Call::Call(const Info& info) : info_(info), outer_(innermost) { innermost = this; }

Call::~Call() {
    innermost = outer_;
    leave();
}

Call* Call::current() { return innermost; }

bool Call::is_in_supports() {
    for (const Call* call = innermost; call != nullptr; call = call->outer_) {
        if (call->info_.is_supports) {
            return true;
        }
    }
    return false;
}

void Call::broken(Rule rule, const std::string& seen) {
    const Watched* const watched = part_ != nullptr ? part_.get() : object_.get();
    Breach breach = describe_breach(watch_, rule, info_.name, watched, seen);
    if (text_of(rule).is_hosts) {
        may_go_ = false;
    }
    if (!is_broken_) {
        is_broken_ = true;
        first_ = breach.text;
        note(std::move(breach));
    }
}

Watched* Call::enter(void* pointer, Handle kind, std::shared_ptr<Watched>& found) {
    found = find_watched(pointer);
    if (found == nullptr || found->kind != kind) {
        found = nullptr;
        broken(Rule::unknown_object, fmt::format("is called with an address that is no {}", to_string(kind)));
        return nullptr;
    }
    watch_ = found->watch;
    if (found->is_ended) {
        broken(Rule::ended_object, fmt::format("is called after its {} was destroyed", to_string(kind)));
        return nullptr;
    }
    ++found->running;
    if (info_.ends == kind && found->running > 1) {
        broken(Rule::ended_object, fmt::format("is called while another call of its {} runs", to_string(kind)));
    }
    return found.get();
}

void Call::enter_serial(Serial& serial, const std::string& what) {
    if (const char* const other = serial.enter(info_.name); other != nullptr) {
        const bool is_own = serial.is_this_thread();
        broken(is_own ? Rule::reentry : Rule::overlap,
               fmt::format("is called {} {}() of the same {}", is_own ? "inside" : "on another thread during", other,
                           what));
    } else {
        serials_.push_back(&serial);
    }
}

void* Call::enter_object(void* pointer) {
    Watched* const object = enter(pointer, Handle::object, object_);
    if (object == nullptr) {
        return nullptr;
    }
    if (info_.own_tag() == Tag::serial) {
        enter_serial(object->serial, "object");
    }
    if (info_.ends == Handle::object) {
        ended_ = pointer;
        const std::lock_guard lock(object->guard);
        if (object->parts > 0 || !object->handles.empty()) {
            broken(
                Rule::still_alive,
                object->parts > 0
                    ? fmt::format("is called while {} of its contexts or kernels are there", object->parts.load())
                    : fmt::format("is called while a {} of it is there", to_string(object->handles.begin()->second)));
        }
    }
    return object->real;
}

void* Call::enter_part(void* pointer, Handle kind) {
    Watched* const part = enter(pointer, kind, part_);
    if (part == nullptr) {
        return nullptr;
    }
    if (object_ != nullptr && part->parent != object_.get()) {
        broken(Rule::unknown_object, fmt::format("is called with a {} of another object", to_string(kind)));
    }
    if (info_.ends == kind) {
        ended_ = pointer;
    }
    // A kernel's calls are serial with all those of its provider.
    if (kind == Handle::kernel && object_ == nullptr) {
        object_ = find_watched(part->parent);
        if (object_ != nullptr) {
            ++object_->running;
            enter_serial(object_->serial, "provider");
        }
    }
    if (info_.is_serial_for_part() || kind == Handle::kernel) {
        enter_serial(part->serial, to_string(kind));
    }
    return part->real;
}

void Call::enter_replica(std::uint32_t replica) {
    if (object_ != nullptr && info_.is_serial_for_part()) {
        Serial* serial = nullptr;
        {
            const std::lock_guard lock(object_->guard);
            serial = &object_->replicas[replica];
        }
        enter_serial(*serial, fmt::format("replica {}", replica));
    }
}

void Call::expect_handle(void* pointer, Handle kind) {
    if (object_ == nullptr || pointer == nullptr) {
        return;
    }
    const std::lock_guard lock(object_->guard);
    const auto found = object_->handles.find(pointer);
    if (found == object_->handles.end() || found->second != kind) {
        broken(Rule::unknown_object,
               fmt::format("is called with a {} that it has not made, or that was given back", to_string(kind)));
    } else if (info_.ends == kind) {
        ended_ = pointer;
    }
}

LentMemory& Call::lent() {
    if (lent_ == nullptr) {
        lent_ = std::make_unique<LentMemory>(watch_, info_, after_next(info_));
    }
    return *lent_;
}

void* Call::lend_output(void* theirs, std::size_t element, std::size_t count, Filled filled) {
    if (theirs == nullptr || count == 0) {
        return theirs;
    }
    const std::size_t bytes = element * count;
    auto ours = std::make_unique<std::byte[]>(bytes + kFence);
    std::memset(ours.get(), kNothing, bytes + kFence);
    if (filled == Filled::already) {
        std::memcpy(ours.get(), theirs, bytes);
    }
    return outputs_.emplace_back(Output{std::move(ours), theirs, element, count, false, filled == Filled::whole})
        .ours.get();
}

void* Call::lend_sized(void* theirs) {
    std::uint64_t size = 0;
    std::memcpy(&size, theirs, sizeof(size));
    void* const ours = lend_output(theirs, size, 1, Filled::already);
    if (size > 0) {
        outputs_.back().is_sized = true;
    }
    return ours;
}

// As it is: what the plugin leaves unwritten stays what it would be without us.
void* Call::lend_field(std::uint32_t number, void* theirs, const sluice_tensor_spec& spec) {
    for (SampleField& field : fields_) {
        field.theirs = field.number == number ? nullptr : field.theirs;
    }
    const std::span bytes(static_cast<const std::uint8_t*>(theirs), byte_count(spec));
    return fields_.emplace_back(SampleField{number, theirs, TightBytes(bytes, spec.dtype.bits / 8U)}).ours.data();
}

void** Call::lend_made(void** theirs) {
    theirs_made_ = theirs;
    std::memcpy(&made_, &kNobody, sizeof(made_));
    return &made_;
}

sluice_error* Call::lend_error(sluice_error* theirs) {
    theirs_error_ = theirs;
    error_.after = kNobody;
    return &error_.error;
}

void Call::check_order() {
    // What comes before a call on a context or a kernel was done with that.
    const auto is_of_part = [](Mark mark) { return mark == Mark::extents || mark == Mark::forward; };
    Watched* const about = is_of_part(info_.after) || is_of_part(info_.does) ? part_.get() : object_.get();
    if (about == nullptr) {
        return;
    }
    const auto bit = [](Mark mark) { return 1U << static_cast<unsigned>(mark); };
    if (info_.after != Mark::none && (about->done & bit(info_.after)) == 0) {
        broken(Rule::order, "is called before the function that has to come first");
    }
    if (info_.is_once && (about->done & bit(info_.does)) != 0) {
        broken(Rule::order, "is called a second time");
    }
    if (info_.does != Mark::none) {
        about->done |= bit(info_.does);
    }
}

bool Call::may_begin() {
    check_order();
    if (may_go_) {
        if (lent_ != nullptr) {
            lent_->seal();
        }
        state_.emplace(is_turn());
    }
    return may_go_;
}

void Call::leave() {
    for (Serial* const serial : serials_) {
        serial->leave();
    }
    serials_.clear();
    for (const auto& one : {part_, object_}) {
        if (one != nullptr) {
            --one->running;
        }
    }
    part_ = nullptr;
    object_ = nullptr;
}

}  // namespace sluice::registry::checked
