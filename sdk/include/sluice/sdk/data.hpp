// Base classes of sources and transforms.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "sluice/kind/source.h"
#include "sluice/kind/transform.h"
#include "sluice/sdk/host.hpp"
#include "sluice/sdk/options.hpp"
#include "sluice/sdk/tensor.hpp"

namespace sluice::sdk {

// describe() reports here.
class FieldSink {
public:
    explicit FieldSink(const sluice_field_sink* sink) : sink_(sink) {}
    void field(std::string_view name, std::int32_t role, const sluice_tensor_spec& spec) const {
        const sluice_field field{text_of(name), role, 0, spec, {}};
        sink_->add_field(sink_, &field);
    }
    void length(std::uint64_t count) const { sink_->set_length(sink_, count); }

private:
    const sluice_field_sink* sink_;
};

// read() and apply() write a sample here.
class SampleSink {
public:
    explicit SampleSink(const sluice_sample_sink* sink) : sink_(sink) {}
    // Returns the host's dense memory for field number `field`. Throws if the host has no memory.
    template <class T = std::uint8_t>
    T* allocate(std::uint32_t field, const sluice_tensor_spec& spec) const {
        void* memory = sink_->allocate(sink_, field, &spec);
        if (memory == nullptr) {
            throw Failure(SLUICE_NO_MEMORY, "the host has no memory for a sample of " + describe(spec));
        }
        return static_cast<T*>(memory);
    }
    void name(std::string_view name) const { sink_->set_name(sink_, text_of(name)); }

private:
    const sluice_sample_sink* sink_;
};

// State of one worker; subclasses add what they need.
class WorkerContext {
public:
    virtual ~WorkerContext() = default;
};

class Source {
public:
    virtual ~Source() = default;
    virtual void describe(const FieldSink& sink) const = 0;
    [[nodiscard]] virtual std::unique_ptr<WorkerContext> make_context() const {
        return std::make_unique<WorkerContext>();
    }
    virtual void read(WorkerContext& context, std::uint64_t index, std::uint64_t seed,
                      const SampleSink& sink) const = 0;
};

class Transform {
public:
    virtual ~Transform() = default;
    virtual void describe(std::span<const sluice_field> fields, const FieldSink& sink) = 0;
    [[nodiscard]] virtual std::unique_ptr<WorkerContext> make_context() const {
        return std::make_unique<WorkerContext>();
    }
    virtual void apply(WorkerContext& context, std::span<const sluice_tensor> fields, const sluice_random_key& key,
                       const SampleSink& sink) const = 0;
};

// Draws uniform random numbers from one key: draw number n is word n of the key's stream.
class Draws {
public:
    explicit Draws(const sluice_random_key& key) : key_(key) {}
    std::uint32_t word() {
        if (next_ == 4) {
            sluice_philox(&key_, block_++, words_);
            next_ = 0;
        }
        return words_[next_++];
    }
    // In [0, 1), 24 bits.
    float uniform() { return static_cast<float>(word() >> 8) * 0x1p-24F; }
    // In [0, n); n is at most 2^32.
    std::int64_t below(std::int64_t n) {
        return static_cast<std::int64_t>((std::uint64_t{word()} * static_cast<std::uint64_t>(n)) >> 32);
    }

private:
    sluice_random_key key_;
    std::uint64_t block_ = 0;
    std::uint32_t words_[4] = {};
    int next_ = 4;
};

namespace detail {
template <class Base>
sluice_status make_context(void* self, void** context, sluice_error* error) noexcept {
    return guard(error, [&] { *context = static_cast<Base*>(self)->make_context().release(); });
}
inline void destroy_context(void*, void* context) noexcept { delete static_cast<WorkerContext*>(context); }
// For the further interfaces of a source.
template <class T>
const T& source_of(void* self) {
    return static_cast<const T&>(*static_cast<Source*>(self));
}
}  // namespace detail

template <class T>
inline constexpr sluice_source source_table = {
    .create = [](const sluice_host* host, const sluice_value* options, void** self,
                 sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { *self = static_cast<Source*>(new T(Host(host), Options(options))); });
    },
    .destroy = [](void* self) noexcept { delete static_cast<Source*>(self); },
    .describe = [](void* self, const sluice_field_sink* sink, sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { static_cast<Source*>(self)->describe(FieldSink(sink)); });
    },
    .context_create = detail::make_context<Source>,
    .context_destroy = detail::destroy_context,
    .read = [](void* self, void* context, std::uint64_t index, std::uint64_t seed, const sluice_sample_sink* sink,
               sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] {
            static_cast<Source*>(self)->read(*static_cast<WorkerContext*>(context), index, seed, SampleSink(sink));
        });
    },
};

template <class T>
inline constexpr sluice_transform transform_table = {
    .create = [](const sluice_host* host, const sluice_value* options, void** self,
                 sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { *self = static_cast<Transform*>(new T(Host(host), Options(options))); });
    },
    .destroy = [](void* self) noexcept { delete static_cast<Transform*>(self); },
    .describe = [](void* self, const sluice_field* fields, std::uint32_t count, const sluice_field_sink* sink,
                   sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] { static_cast<Transform*>(self)->describe({fields, count}, FieldSink(sink)); });
    },
    .context_create = detail::make_context<Transform>,
    .context_destroy = detail::destroy_context,
    .apply = [](void* self, void* context, const sluice_tensor* fields, std::uint32_t count,
                const sluice_random_key* key, const sluice_sample_sink* sink,
                sluice_error* error) noexcept -> sluice_status {
        return guard(error, [&] {
            static_cast<Transform*>(self)->apply(*static_cast<WorkerContext*>(context), {fields, count}, *key,
                                                 SampleSink(sink));
        });
    },
};

}  // namespace sluice::sdk
