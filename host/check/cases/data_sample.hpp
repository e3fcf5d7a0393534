// Samples for the cases of sources and transforms: inputs, and guarded memory for outputs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/guarded_bytes.hpp"
#include "check/contract/trial.hpp"
#include "registry/objects/field.hpp"
#include "registry/objects/sample_writer.hpp"
#include "sluice/kind/source.h"

namespace sluice::check {

// Holds one sample that a plugin writes.
class SampleBuffer : public registry::SampleWriter {
public:
    static constexpr std::uint8_t kFill = 0xA5;
    explicit SampleBuffer(std::uint8_t fill = kFill) : fill_(fill) {}
    void* allocate(std::uint32_t field, const sluice_tensor_spec& spec) override;
    void set_name(std::string_view name) override { name_ = name; }

    [[nodiscard]] const std::string& name() const { return name_; }
    // The types, shapes and bytes of all fields, in order of field number.
    [[nodiscard]] std::string content() const;
    // The SHA-256 of content(), in hex.
    [[nodiscard]] std::string digest() const;
    // A copy of a field. The field must have been written.
    [[nodiscard]] HostTensor tensor(std::uint32_t field) const;
    // The guard band that was overwritten, such as "past the end of field 1"; empty: none.
    [[nodiscard]] std::string damage() const;

private:
    struct Field {
        std::uint32_t number;
        sluice_tensor_spec spec;
        GuardedBytes bytes;
    };
    std::uint8_t fill_;
    std::string name_;
    std::vector<Field> fields_;
};

// If `waits`, yields to other threads when the plugin asks for memory. This finds data that the plugin made before and
// shares by mistake. Only some turns wait, because a thread that has yielded is seldom interrupted elsewhere.
class YieldingBuffer final : public SampleBuffer {
public:
    explicit YieldingBuffer(bool waits) : waits_(waits) {}
    void* allocate(std::uint32_t field, const sluice_tensor_spec& spec) override;

private:
    bool waits_;
};

// The ABI's sink that writes to a SampleBuffer. If `is_larger`, struct_size covers additional words, as in a newer
// host. Without `has_memory`, allocate() returns NULL.
class RawSampleSink {
public:
    RawSampleSink(SampleBuffer& buffer, bool is_larger, bool has_memory = true);
    [[nodiscard]] const sluice_sample_sink* abi() const { return &sink_.abi; }

private:
    struct Larger {
        sluice_sample_sink abi;
        std::uint64_t more[8];
    };
    SampleBuffer& buffer_;
    bool has_memory_;
    Larger sink_{};
};

// A sample as a pipeline passes it to a transform.
struct Sample {
    std::vector<registry::Field> fields;  // an extent is -1 if it differs between samples
    std::vector<HostTensor> tensors;
    std::uint64_t before = 3;  // elements between a tensor's address and its first element; sets byte_offset

    // Dense views in guarded memory, for one call.
    struct View {
        std::vector<GuardedBytes> memory;
        std::vector<std::array<std::int64_t, SLUICE_MAX_RANK>> strides;
        std::vector<sluice_tensor> tensors;
    };
    [[nodiscard]] View view() const;
};

struct SampleShape {
    std::int64_t height = 24;
    std::int64_t width = 32;
    std::int64_t batch = 0;  // 0: a sample, not a batch
    bool is_known = false;   // the fields announce height and width
    std::int64_t channels = 3;
};
// Kinds of samples that a transform is offered until it accepts one. Kind 0 has a field of every role.
constexpr std::size_t kSampleKinds = 7;
Sample make_sample(std::size_t kind, const SampleShape& shape, std::uint64_t seed, const std::filesystem::path& folder);

}  // namespace sluice::check
