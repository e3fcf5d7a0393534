// The one fence between C++ and the ABI: exceptions on this side, status and sluice_error on the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sluice/abi.h"

namespace sluice::sdk {

// Thrown by a plugin to end an ABI call with this status and message. The place that throws is reported with it:
// by builtins, since clang has std::source_location only from version 16 on.
class Failure : public std::runtime_error {
public:
    Failure(sluice_status status, const std::string& message, const char* file = __builtin_FILE(),
            std::uint32_t line = __builtin_LINE())
        : std::runtime_error(message), status_(status), file_(file), line_(line) {}

    [[nodiscard]] sluice_status status() const noexcept { return status_; }
    [[nodiscard]] const char* file() const noexcept { return file_; }
    [[nodiscard]] std::uint32_t line() const noexcept { return line_; }

private:
    sluice_status status_;
    const char* file_;
    std::uint32_t line_;
};

inline std::string_view view(sluice_text text) {
    return text.len == 0 ? std::string_view() : std::string_view(text.ptr, text.len);
}

// Copies what both sides know of a struct that begins with its size; the size stays the caller's.
template <class Struct>
void fill(Struct* to, Struct from) {
    from.struct_size = to->struct_size;
    std::memcpy(to, &from, std::min<std::uint64_t>(to->struct_size, sizeof(from)));
}

// What both sides know of a struct that begins with its size; the rest is zero. To be kept: the host's may be shorter.
template <class T>
T known_part(const T& from) {
    T known{};
    std::memcpy(&known, &from, std::min<std::uint64_t>(from.struct_size, sizeof(known)));
    return known;
}

// Borrows: valid while `text` is.
inline sluice_text text_of(std::string_view text) { return {text.data(), text.size()}; }

namespace detail {

template <std::size_t N>
void copy_cut(char (&to)[N], std::string_view from) noexcept {
    const std::size_t length = std::min(from.size(), N - 1);
    from.copy(to, length);
    to[length] = '\0';
}

// Of a text that is too long the beginning and the end: a long path leaves room for the reason that follows it.
template <std::size_t N>
void copy_shortened(char (&to)[N], std::string_view from) noexcept {
    constexpr std::string_view kGap = "[...]";
    if (from.size() < N) {
        copy_cut(to, from);
        return;
    }
    const auto continues_character = [&](std::size_t at) {
        return at < from.size() && (static_cast<unsigned char>(from[at]) & 0xC0U) == 0x80;
    };
    std::size_t head = (N - 1 - kGap.size()) / 2;
    std::size_t tail = from.size() - head;
    while (head > 0 && continues_character(head)) {
        --head;
    }
    while (continues_character(tail)) {
        ++tail;
    }
    from.copy(to, head);
    kGap.copy(to + head, kGap.size());
    const std::size_t length = from.copy(to + head + kGap.size(), from.size() - tail, tail);
    to[head + kGap.size() + length] = '\0';
}

inline sluice_status report(sluice_error* error, sluice_status status, std::string_view message,
                            std::string_view file = {}, std::uint32_t line = 0) noexcept {
    if (error != nullptr) {
        error->line = line;
        copy_cut(error->file, file);
        copy_shortened(error->message, message);
    }
    return status;
}

}  // namespace detail

// Runs `body`; every exception becomes a status and a filled error.
template <class Body>
sluice_status guard(sluice_error* error, Body&& body) noexcept {
    try {
        body();
        return SLUICE_OK;
    } catch (const Failure& failure) {
        return detail::report(error, failure.status(), failure.what(), failure.file(), failure.line());
    } catch (const std::bad_alloc&) {
        return detail::report(error, SLUICE_NO_MEMORY, "out of memory");
    } catch (const std::exception& other) {
        return detail::report(error, SLUICE_FAILED, other.what());
    } catch (...) {
        return detail::report(error, SLUICE_FAILED, "an exception of unknown type");
    }
}

}  // namespace sluice::sdk
