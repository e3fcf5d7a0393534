// Samples for the cases of sources and transforms: what goes in, and memory for what comes out.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/tight_bytes.hpp"
#include "check/contract/trial.hpp"

namespace sluice::check {

// Takes one sample.
class SampleBuffer : public registry::SampleWriter {
public:
    static constexpr std::uint8_t kFill = 0xA5;
    explicit SampleBuffer(std::uint8_t fill = kFill) : fill_(fill) {}
    void* allocate(std::uint32_t field, const sluice_tensor_spec& spec) override;
    void set_name(std::string_view name) override { name_ = name; }

    [[nodiscard]] const std::string& name() const { return name_; }
    // All fields with their types and shapes.
    [[nodiscard]] std::string content() const;
    // A hash of that.
    [[nodiscard]] std::string digest() const;
    // Of a field that was written.
    [[nodiscard]] HostTensor tensor(std::uint32_t field) const;
    // Where a guard band was written: "past the end of field 1"; else empty.
    [[nodiscard]] std::string damage() const;

private:
    struct Field {
        std::uint32_t number;
        sluice_tensor_spec spec;
        TightBytes bytes;
    };
    std::uint8_t fill_;
    std::string name_;
    std::vector<Field> fields_;
};

// Lets other threads run where the plugin asks for memory, if `waits`: what it has made by then it must have of its
// own. Not always, as a thread that has waited is seldom interrupted elsewhere.
class WaitingBuffer final : public SampleBuffer {
public:
    explicit WaitingBuffer(bool waits) : waits_(waits) {}
    void* allocate(std::uint32_t field, const sluice_tensor_spec& spec) override;

private:
    bool waits_;
};

// The table's own view of a SampleBuffer: as big as in 1.0, or with bytes behind it that mean nothing to it; one that
// has no memory.
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

// A sample as a pipeline would bring it to a transform.
struct Sample {
    std::vector<registry::Field> fields;  // extents of -1 where samples differ
    std::vector<HostTensor> tensors;
    std::uint64_t before = 3;  // elements between a tensor's address and its first one, as byte_offset

    // Dense views in tight memory, for one call.
    struct View {
        std::vector<TightBytes> memory;
        std::vector<std::array<std::int64_t, SLUICE_MAX_RANK>> strides;
        std::vector<sluice_tensor> tensors;
    };
    [[nodiscard]] View view() const;
};

struct SampleShape {
    std::int64_t height = 24;
    std::int64_t width = 32;
    std::int64_t batch = 0;  // 0: a sample, not a batch
    bool is_known = false;   // whether the fields say height and width
    std::int64_t channels = 3;
};
// Kinds of samples that transforms are offered, until one fits; the first has everything.
constexpr std::size_t kSampleKinds = 7;
Sample make_sample(std::size_t kind, const SampleShape& shape, std::uint64_t seed, const std::filesystem::path& folder);

}  // namespace sluice::check
