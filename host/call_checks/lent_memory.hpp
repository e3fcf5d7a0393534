// Memory for the arguments that the host lends to one plugin call. After the call it may be closed, that is, made
// unreadable. A later read is noted as a breach, and the reader then gets the old bytes. In front of it lies a guard
// area that is never readable. `data` of lent tensors points there, and their elements start byte_offset bytes later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "call_checks/breach.hpp"

namespace sluice::call_checks {

// Closing takes longer than most calls, so after_next() in checked_component.hpp chooses the calls after which it is
// done.
enum class AfterCall { is_closed, stays_open };

class LentMemory {
public:
    // Messages name `component`, which may be null, and `function`.
    LentMemory(const CalledComponent* component, const char* function, AfterCall after);
    ~LentMemory();
    LentMemory(const LentMemory&) = delete;
    LentMemory& operator=(const LentMemory&) = delete;

    // Uses the heap if the block is full. Throws std::bad_alloc.
    std::byte* take(std::size_t bytes, std::size_t alignment);
    // Returns `values` itself if it is null or the array is empty.
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

    // Size in bytes and begin of the guard area. Reading there is noted as a breach (Rule::lent_offset).
    static constexpr std::size_t kNowhere = 1 << 18;
    [[nodiscard]] std::byte* nowhere() const { return begin_ - kNowhere; }

    // Stores a checksum of all memory taken so far; is_unchanged_since_seal() is false if that memory has changed
    // since.
    void seal() { seal_ = hash(sealed_ = used_); }
    [[nodiscard]] bool is_unchanged_since_seal() const { return seal_ == hash(sealed_); }

    // Notes a breach for every closed block or guard area that was read. Returns the first message, or an empty string.
    static std::string note_touched();
    // Stops noting breaches of `component`, which is about to be destroyed.
    static void forget(const CalledComponent& component);
    // Installs the SIGSEGV handler that notices reads. Call it again when other code may have replaced the handler.
    static void watch_signal();

private:
    static constexpr std::size_t kBlock = 1 << 20;
    [[nodiscard]] std::uint64_t hash(std::size_t bytes) const;

    AfterCall after_;
    int block_;  // -1: all blocks are in use; the heap serves this call and its reads are not noticed
    std::byte* begin_ = nullptr;
    std::size_t used_ = 0;
    std::size_t sealed_ = 0;
    std::uint64_t seal_ = 0;
    struct Overflow {
        Overflow* next;
    };
    Overflow* overflow_ = nullptr;  // from the heap
};

}  // namespace sluice::call_checks
