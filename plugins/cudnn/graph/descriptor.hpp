// One descriptor of cuDNN's graph API. It is created, gets attributes, is finalized, and is destroyed with its owner.
#pragma once

#include <cudnn.h>

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sluice/sdk/guard.hpp"

namespace sluice::cudnn {

// `action` opens the message: "computing a convolution".
void check(cudnnStatus_t status, const char* action);
void check(cudnnStatus_t status, const std::string& action);
// action: makes the text, only after a failure. This one is for calls that each step makes.
template <std::invocable Action>
void check(cudnnStatus_t status, const Action& action) {
    if (status != CUDNN_STATUS_SUCCESS) {
        check(status, action());
    }
}

class Descriptor {
public:
    explicit Descriptor(cudnnBackendDescriptorType_t type);
    ~Descriptor();
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    // Throw cuDNN's error if it rejects the value.
    Descriptor& set(cudnnBackendAttributeName_t name, std::span<const std::int64_t> values);
    Descriptor& set(cudnnBackendAttributeName_t name, std::span<const Descriptor* const> values);
    Descriptor& set(cudnnBackendAttributeName_t name, const Descriptor& value);
    Descriptor& set(cudnnBackendAttributeName_t name, std::int64_t value);
    // cuDNN also accepts a double, but then reads the factors of a float32 convolution as 0 (9.14 on an H200).
    Descriptor& set(cudnnBackendAttributeName_t name, float value);
    Descriptor& set(cudnnBackendAttributeName_t name, bool value);
    Descriptor& set(cudnnBackendAttributeName_t name, cudnnDataType_t value);
    // For any other type, which `kind` names.
    template <class T>
    Descriptor& set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t kind, std::span<const T> values) {
        return put(name, kind, values.size(), values.data());
    }
    template <class T>
    Descriptor& set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t kind, const T& value) {
        return put(name, kind, 1, &value);
    }
    void finalize(std::string_view what);
    // Returns false if cuDNN rejects the descriptor. Throws only SLUICE_NO_MEMORY.
    [[nodiscard]] bool try_finalize();

    [[nodiscard]] std::int64_t integer(cudnnBackendAttributeName_t name) const;
    // Returns the descriptors of `type` that the attribute holds, at most `most`: not every attribute has a count.
    [[nodiscard]] std::vector<Descriptor> parts(cudnnBackendAttributeName_t name, cudnnBackendDescriptorType_t type,
                                                std::int64_t most) const;
    // Returns how many descriptors the attribute holds, if it has a count.
    [[nodiscard]] std::int64_t part_count(cudnnBackendAttributeName_t name) const {
        return count(name, CUDNN_TYPE_BACKEND_DESCRIPTOR);
    }
    // Returns the values of an attribute that holds a list of enumerators.
    template <class T>
    [[nodiscard]] std::vector<T> list(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t kind) const {
        std::vector<T> values(static_cast<std::size_t>(count(name, kind)));
        get(name, kind, static_cast<std::int64_t>(values.size()), values.data());
        return values;
    }

    [[nodiscard]] cudnnBackendDescriptor_t native() const { return handle_; }

private:
    Descriptor& put(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t kind, std::size_t count,
                    const void* values);
    [[nodiscard]] std::int64_t count(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t kind) const;
    std::int64_t get(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t kind, std::int64_t room,
                     void* values) const;

    cudnnBackendDescriptor_t handle_ = nullptr;
};

}  // namespace sluice::cudnn
