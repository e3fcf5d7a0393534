// Converts between exceptions in C++ and the status and sluice_error of the ABI.
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

// A plugin throws it to fail an ABI call with this status and message. The error also names the place that throws it.
// Builtins find that place, since clang has std::source_location only from version 16 on.
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

// Copies the part that both sides know of a struct that begins with its size. The caller's size stays unchanged.
template <class Struct>
void fill(Struct* to, Struct from) {
    from.struct_size = to->struct_size;
    std::memcpy(to, &from, std::min<std::uint64_t>(to->struct_size, sizeof(from)));
}

// Returns a copy of the part that both sides know of a struct that begins with its size; the rest is zero. Use the
// copy: the host's struct may be shorter.
template <class T>
T known_part(const T& from) {
    T known{};
    std::memcpy(&known, &from, std::min<std::uint64_t>(from.struct_size, sizeof(known)));
    return known;
}

// Borrows `text`: the result is valid only as long as that.
inline sluice_text text_of(std::string_view text) { return {text.data(), text.size()}; }

namespace detail {

template <std::size_t N>
void copy_cut(char (&to)[N], std::string_view from) noexcept {
    const std::size_t length = std::min(from.size(), N - 1);
    from.copy(to, length);
    to[length] = '\0';
}

// Keeps the beginning and the end of a text that is too long, so that the reason after a long path is not lost.
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

// Within the host, operator new throws an exception whose text names the size: "out of memory: cannot allocate a block
// of 1.5 GiB".
inline std::string_view out_of_memory_text(const std::bad_alloc& failure) noexcept {
    constexpr std::string_view kText = "out of memory";
    const std::string_view what_text = failure.what();
    return what_text.substr(0, kText.size()) == kText ? what_text : kText;
}

}  // namespace detail

// Runs `body` and turns every exception into a status and a filled error.
template <class Body>
sluice_status guard(sluice_error* error, Body&& body) noexcept {
    try {
        body();
        return SLUICE_OK;
    } catch (const Failure& failure) {
        return detail::report(error, failure.status(), failure.what(), failure.file(), failure.line());
    } catch (const std::bad_alloc& failure) {
        return detail::report(error, SLUICE_NO_MEMORY, detail::out_of_memory_text(failure));
    } catch (const std::exception& other) {
        return detail::report(error, SLUICE_FAILED, other.what());
    } catch (...) {
        return detail::report(error, SLUICE_FAILED, "an exception of unknown type");
    }
}

}  // namespace sluice::sdk
