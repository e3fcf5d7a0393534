// Serialization of values as bytes, for another process of the same program.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace sluice::run {

template <class T>
void put(const T& value, std::string& to) {
    static_assert(std::is_trivially_copyable_v<T>);
    to.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

inline void put(const std::string& text, std::string& to) {
    put(text.size(), to);
    to += text;
}

template <class T>
void put(const std::vector<T>& values, std::string& to) {
    put(values.size(), to);
    for (const T& value : values) {
        put(value, to);
    }
}

// Reads a value that put() wrote, and removes its bytes from `from`.
template <class T>
T take(std::string_view& from) {
    T value{};
    if constexpr (std::is_trivially_copyable_v<T>) {
        std::memcpy(&value, from.data(), sizeof(value));
        from.remove_prefix(sizeof(value));
    } else {
        value.resize(take<std::size_t>(from));
        for (auto& one : value) {
            one = take<typename T::value_type>(from);
        }
    }
    return value;
}

}  // namespace sluice::run
