#include "graph/descriptor.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace sluice::cudnn {
namespace {

bool is_lack_of_memory(cudnnStatus_t status) {
    return status == CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED ||
           status == CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED;
}

}  // namespace

void check(cudnnStatus_t status, const char* action) {
    if (status != CUDNN_STATUS_SUCCESS) {
        check(status, std::string(action));
    }
}

void check(cudnnStatus_t status, const std::string& action) {
    if (status == CUDNN_STATUS_SUCCESS) {
        return;
    }
    std::array<char, 512> reason{};
    cudnnGetLastErrorString(reason.data(), reason.size());
    throw sdk::Failure(is_lack_of_memory(status) ? SLUICE_NO_MEMORY : SLUICE_FAILED,
                       action + ": cuDNN says " + cudnnGetErrorString(status) + ", " + reason.data());
}

Descriptor::Descriptor(cudnnBackendDescriptorType_t type) {
    check(cudnnBackendCreateDescriptor(type, &handle_), "creating a descriptor");
}

Descriptor::~Descriptor() {
    if (handle_ != nullptr) {
        cudnnBackendDestroyDescriptor(handle_);
    }
}

Descriptor::Descriptor(Descriptor&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
}

Descriptor& Descriptor::put(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t kind, std::size_t count,
                            const void* values) {
    check(cudnnBackendSetAttribute(handle_, name, kind, static_cast<std::int64_t>(count), values),
          [&] { return "setting attribute " + std::to_string(name); });
    return *this;
}

Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, std::span<const std::int64_t> values) {
    return put(name, CUDNN_TYPE_INT64, values.size(), values.data());
}

Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, std::span<const Descriptor* const> values) {
    std::vector<cudnnBackendDescriptor_t> handles;
    for (const Descriptor* value : values) {
        handles.push_back(value->native());
    }
    return put(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, handles.size(), handles.data());
}

Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, const Descriptor& value) {
    return put(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &value.handle_);
}

Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, std::int64_t value) {
    return put(name, CUDNN_TYPE_INT64, 1, &value);
}

Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, float value) {
    return put(name, CUDNN_TYPE_FLOAT, 1, &value);
}

Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, bool value) {
    return put(name, CUDNN_TYPE_BOOLEAN, 1, &value);
}

Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, cudnnDataType_t value) {
    return put(name, CUDNN_TYPE_DATA_TYPE, 1, &value);
}

void Descriptor::finalize(std::string_view what) {
    check(cudnnBackendFinalize(handle_), [&] { return "describing " + std::string(what); });
}

bool Descriptor::try_finalize() {
    const cudnnStatus_t status = cudnnBackendFinalize(handle_);
    if (is_lack_of_memory(status)) {
        check(status, "preparing a convolution");
    }
    return status == CUDNN_STATUS_SUCCESS;
}

std::int64_t Descriptor::count(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t kind) const {
    return get(name, kind, 0, nullptr);
}

std::int64_t Descriptor::get(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t kind, std::int64_t room,
                             void* values) const {
    std::int64_t there = 0;
    check(cudnnBackendGetAttribute(handle_, name, kind, room, &there, values),
          [&] { return "reading attribute " + std::to_string(name); });
    return there;
}

std::int64_t Descriptor::integer(cudnnBackendAttributeName_t name) const {
    std::int64_t value = 0;
    get(name, CUDNN_TYPE_INT64, 1, &value);
    return value;
}

std::vector<Descriptor> Descriptor::parts(cudnnBackendAttributeName_t name, cudnnBackendDescriptorType_t type,
                                          std::int64_t most) const {
    // cuDNN fills descriptors that exist already.
    std::vector<Descriptor> made;
    std::vector<cudnnBackendDescriptor_t> handles;
    for (std::int64_t i = 0; i < most; ++i) {
        handles.push_back(made.emplace_back(type).native());
    }
    const std::int64_t there = most == 0 ? 0 : get(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, most, handles.data());
    made.erase(made.begin() + std::min(there, most), made.end());
    return made;
}

}  // namespace sluice::cudnn
