// Further base classes of transforms and sources for crop pushdown: only the used part of a picture is made; see
// kind/window.h.
#pragma once

#include <concepts>
#include <span>

#include "sluice/kind/window.h"
#include "sluice/sdk/data.hpp"

namespace sluice::sdk {

class WindowMaker {
public:
    virtual ~WindowMaker() = default;
    // Fills in one extent for each field that apply() writes.
    virtual void extents(WorkerContext& context, std::span<const sluice_tensor> fields,
                         std::span<sluice_extent> extents) const = 0;
    virtual void apply_windows(WorkerContext& context, std::span<const sluice_tensor> fields,
                               std::span<const sluice_window> windows, const sluice_random_key& key,
                               const SampleSink& sink) const = 0;
};

class WindowSource {
public:
    virtual ~WindowSource() = default;
    // Sets SLUICE_WINDOWS_UNSHRUNK for each field that is a picture whose windows may be requested, else
    // SLUICE_WINDOWS_NONE.
    virtual void has_windows(std::span<std::uint8_t> windows) const = 0;
    // Each extent is initially -1, -1.
    virtual void extents(WorkerContext& context, std::uint64_t index, std::uint64_t seed,
                         std::span<sluice_extent> extents) const = 0;
    virtual void read_windows(WorkerContext& context, std::uint64_t index, std::uint64_t seed,
                              std::span<const sluice_window> windows, const SampleSink& sink) const = 0;
};

// A transform each of whose fields is the unchanged window of the field of that name, such as a crop.
class WindowChoice {
public:
    virtual ~WindowChoice() = default;
    // `windows` has SLUICE_WINDOWS_... for each field.
    virtual void expect(std::span<const std::uint8_t> /*windows*/) {}
    // Fills in one window for each extent; initially all are empty and none is shrunk.
    virtual void choose(std::span<const sluice_extent> extents, const sluice_random_key& key,
                        std::span<sluice_window> windows) const = 0;
};

// A transform that computes its fields from its windows.
class WindowUser : public WindowChoice {
public:
    virtual void apply_windows(WorkerContext& context, std::span<const sluice_tensor> fields,
                               std::span<const sluice_extent> extents, std::span<const sluice_window> windows,
                               const sluice_random_key& key, const SampleSink& sink) const = 0;
};

namespace detail {

template <class T>
T& transform_of(void* self) {
    return static_cast<T&>(*static_cast<Transform*>(self));
}

template <class T>
inline constexpr sluice_window_maker window_maker_table = {
    .extents = [](void* self, void* context, const sluice_tensor* fields, std::uint32_t count, sluice_extent* extents,
                  std::uint32_t made, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] {
            transform_of<T>(self).extents(*static_cast<WorkerContext*>(context), {fields, count}, {extents, made});
        });
    },
    .apply = [](void* self, void* context, const sluice_tensor* fields, std::uint32_t count,
                const sluice_window* windows, std::uint32_t made, const sluice_random_key* key,
                const sluice_sample_sink* sink, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] {
            transform_of<T>(self).apply_windows(*static_cast<WorkerContext*>(context), {fields, count}, {windows, made},
                                                *key, SampleSink(sink));
        });
    },
};

template <class T>
inline constexpr sluice_window_source window_source_table = {
    .has_windows =
        [](void* self, std::uint8_t* windows, std::uint32_t count) noexcept {
            source_of<T>(self).has_windows({windows, count});
        },
    .extents = [](void* self, void* context, std::uint64_t index, std::uint64_t seed, sluice_extent* extents,
                  std::uint32_t count, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] {
            source_of<T>(self).extents(*static_cast<WorkerContext*>(context), index, seed, {extents, count});
        });
    },
    .read = [](void* self, void* context, std::uint64_t index, std::uint64_t seed, const sluice_window* windows,
               std::uint32_t count, const sluice_sample_sink* sink, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] {
            source_of<T>(self).read_windows(*static_cast<WorkerContext*>(context), index, seed, {windows, count},
                                            SampleSink(sink));
        });
    },
};

template <class T>
sluice_status apply_windows(void* self, void* context, const sluice_tensor* fields, const sluice_extent* extents,
                            const sluice_window* windows, std::uint32_t count, const sluice_random_key* key,
                            const sluice_sample_sink* sink, sluice_error* error) noexcept {
    return guard(error, [&] {
        transform_of<T>(self).apply_windows(*static_cast<WorkerContext*>(context), {fields, count}, {extents, count},
                                            {windows, count}, *key, SampleSink(sink));
    });
}

template <class T>
constexpr auto apply_of_choice() -> decltype(sluice_window_choice::apply) {
    if constexpr (std::derived_from<T, WindowUser>) {
        return apply_windows<T>;
    } else {
        return nullptr;
    }
}

template <class T>
inline constexpr sluice_window_choice window_choice_table = {
    .expect = [](void* self, const std::uint8_t* windows, std::uint32_t count,
                 sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { transform_of<T>(self).expect({windows, count}); });
    },
    .choose = [](void* self, const sluice_extent* extents, std::uint32_t count, const sluice_random_key* key,
                 sluice_window* windows, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { transform_of<T>(self).choose({extents, count}, *key, {windows, count}); });
    },
    .apply = apply_of_choice<T>(),
};

}  // namespace detail
}  // namespace sluice::sdk
