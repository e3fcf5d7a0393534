// Walks a recorded window, which an observer gets with SLUICE_EVENT_PROFILE:
//
//   if (const std::optional<sdk::Profile> window = sdk::profile(event)) {
//       for (const sluice_span& span : window->spans()) {
//           print(window->name(span.name), span.begin_ns, span.duration_ns);
//       }
//   }
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <string_view>

#include "sluice/kind/observer.h"
#include "sluice/sdk/guard.hpp"

namespace sluice::sdk {

// An array of structs that comes with the size of one element. The host's elements may be longer or shorter than those
// of this build, so each one is copied; what the host does not know is zero.
template <class T>
class Elements {
public:
    class Iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using pointer = const T*;
        using reference = T;

        Iterator() = default;
        Iterator(const char* at, std::uint64_t size) : at_(at), size_(size) {}
        T operator*() const {
            T copy{};
            std::memcpy(static_cast<void*>(&copy), at_, std::min<std::uint64_t>(size_, sizeof(T)));
            return copy;
        }
        Iterator& operator++() {
            at_ += size_;
            return *this;
        }
        Iterator operator++(int) {
            const Iterator before = *this;
            at_ += size_;
            return before;
        }
        friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

    private:
        const char* at_ = nullptr;
        std::uint64_t size_ = 0;
    };

    Elements(const T* first, std::uint64_t count, std::uint64_t size)
        : first_(reinterpret_cast<const char*>(first)), count_(count), size_(size) {}

    [[nodiscard]] std::uint64_t size() const { return count_; }
    // `index` is below size().
    T operator[](std::uint64_t index) const { return *Iterator(first_ + index * size_, size_); }
    // Returns nothing if there is no element of this index, such as SLUICE_NONE.
    [[nodiscard]] std::optional<T> find(std::uint64_t index) const {
        return index < count_ ? std::optional<T>((*this)[index]) : std::nullopt;
    }
    [[nodiscard]] Iterator begin() const { return {first_, size_}; }
    [[nodiscard]] Iterator end() const { return {first_ + count_ * size_, size_}; }

private:
    const char* first_;
    std::uint64_t count_;
    std::uint64_t size_;
};

// A recorded window. Its arrays and texts are lent until on_event() returns.
class Profile {
public:
    explicit Profile(const sluice_profile& profile) : head_(known_part(profile)) {}

    // Steps, rank, peak rates and the like. For the arrays, call the functions below.
    [[nodiscard]] const sluice_profile& head() const { return head_; }
    [[nodiscard]] Elements<sluice_span> spans() const { return {head_.spans, head_.span_count, head_.span_size}; }
    [[nodiscard]] Elements<sluice_profile_thread> threads() const {
        return {head_.threads, head_.thread_count, head_.thread_size};
    }
    [[nodiscard]] Elements<sluice_profile_operation> operations() const {
        return {head_.operations, head_.operation_count, head_.operation_size};
    }
    [[nodiscard]] Elements<sluice_profile_tensor> tensors() const {
        return {head_.tensors, head_.tensor_count, head_.tensor_size};
    }
    [[nodiscard]] Elements<sluice_profile_point> points() const {
        return {head_.points, head_.point_count, head_.point_size};
    }
    // Returns an empty text if `index` names nothing.
    [[nodiscard]] std::string_view name(std::uint32_t index) const {
        return index < head_.name_count ? view(head_.names[index]) : std::string_view();
    }

private:
    sluice_profile head_;
};

// Returns the window of an event, or nothing if it has none or the host is too old to have windows.
inline std::optional<Profile> profile(const sluice_event& event) {
    const sluice_event known = known_part(event);
    return known.profile == nullptr ? std::nullopt : std::optional<Profile>(*known.profile);
}

}  // namespace sluice::sdk
