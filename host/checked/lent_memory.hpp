// Memory for what the host lends to one call of a plugin. After the call it may be closed, so that nobody can read it:
// who does so is noted as a breach, and goes on with the bytes as they were. In front of it lie addresses that nobody
// can read at any time: the data of tensors, whose elements lie byte_offset behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace sluice::registry::checked {

class Watch;
struct Info;

// Closing takes longer than most calls: it is not done after all of them (after_next() in watch.hpp).
enum class AfterCall { is_closed, stays_open };

class LentMemory {
public:
    // Of a call of `function`, for messages.
    LentMemory(const Watch* watch, const Info& function, AfterCall after);
    ~LentMemory();
    LentMemory(const LentMemory&) = delete;
    LentMemory& operator=(const LentMemory&) = delete;

    // Throws std::bad_alloc where even the heap has none.
    std::byte* take(std::size_t bytes, std::size_t alignment);
    // Null stays null, and an empty array too.
    template <class T>
    T* copy(const T* values, std::size_t count) {
        static_assert(std::is_trivially_copyable_v<T>);
        if (values == nullptr || count == 0) {
            return const_cast<T*>(values);
        }
        const std::size_t bytes = count * sizeof(T);  // NOLINT(bugprone-sizeof-expression): pointers are values, too
        auto* const place = reinterpret_cast<T*>(take(bytes, alignof(T)));
        std::memcpy(static_cast<void*>(place), values, bytes);
        return place;
    }
    [[nodiscard]] std::size_t left() const { return kBlock - used_; }

    // Where tensors begin whose elements are in what was taken. Whoever reads the bytes of one there is noted, too.
    static constexpr std::size_t kNowhere = 1 << 18;
    [[nodiscard]] std::byte* nowhere() const { return begin_ - kNowhere; }

    // From here on nothing of what was taken so far may change.
    void seal() { seal_ = hash(sealed_ = used_); }
    [[nodiscard]] bool is_as_sealed() const { return seal_ == hash(sealed_); }

    // Notes who has read what it had been lent before, or where no elements are. The text of the first, or none.
    static std::string note_touched();
    // Of whom nothing is noted any more.
    static void forget(const Watch* watch);
    // Sees to it that reading is noticed; called again where somebody may have taken the signal.
    static void watch_signal();

private:
    static constexpr std::size_t kBlock = 1 << 20;
    [[nodiscard]] std::uint64_t hash(std::size_t bytes) const;

    AfterCall after_;
    int block_;  // -1: all blocks are in use, and nothing is noticed
    std::byte* begin_ = nullptr;
    std::size_t used_ = 0;
    std::size_t sealed_ = 0;
    std::uint64_t seal_ = 0;
    struct Overflow {
        Overflow* next;
    };
    Overflow* overflow_ = nullptr;  // from the heap
};

}  // namespace sluice::registry::checked
