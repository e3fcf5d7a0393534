#include "check/cases/data_sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>

#include "base/files.hpp"
#include "base/random.hpp"
#include "base/sha256.hpp"
#include "run/predict/png_file.hpp"

namespace sluice::check {
namespace {

std::size_t bytes_of(sluice_dtype dtype) { return dtype.bits / 8U; }

}  // namespace

void* SampleBuffer::allocate(std::uint32_t field, const sluice_tensor_spec& spec) {
    const auto same = std::ranges::find(fields_, field, &Field::number);
    if (same != fields_.end()) {
        fields_.erase(same);
    }
    fields_.push_back({field, spec, GuardedBytes(byte_count(spec), bytes_of(spec.dtype), fill_)});
    return fields_.back().bytes.data();
}

void* YieldingBuffer::allocate(std::uint32_t field, const sluice_tensor_spec& spec) {
    if (waits_) {
        std::this_thread::yield();
    }
    return SampleBuffer::allocate(field, spec);
}

std::string SampleBuffer::content() const {
    std::string all;
    for (std::uint32_t number = 0; number < 64; ++number) {
        const auto field = std::ranges::find(fields_, number, &Field::number);
        if (field != fields_.end()) {
            const sluice_tensor_spec& spec = field->spec;
            all += {static_cast<char>(number), static_cast<char>(spec.rank), static_cast<char>(spec.dtype.code),
                    static_cast<char>(spec.dtype.bits), static_cast<char>(spec.dtype.lanes)};
            all.append(reinterpret_cast<const char*>(spec.shape),
                       static_cast<std::size_t>(spec.rank) * sizeof(spec.shape[0]));
            const auto bytes = field->bytes.bytes();
            all.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        }
    }
    return all;
}

std::string SampleBuffer::digest() const {
    const std::string all = content();
    Sha256 hash;
    hash.add({reinterpret_cast<const std::uint8_t*>(all.data()), all.size()});
    return hash.finish();
}

HostTensor SampleBuffer::tensor(std::uint32_t field) const {
    const auto found = std::ranges::find(fields_, field, &Field::number);
    const auto bytes = found->bytes.bytes();
    return {found->spec, {bytes.begin(), bytes.end()}};
}

std::string SampleBuffer::damage() const {
    for (const Field& field : fields_) {
        if (!field.bytes.damage().empty()) {
            return fmt::format("{} of field {}", field.bytes.damage(), field.number);
        }
    }
    return {};
}

RawSampleSink::RawSampleSink(SampleBuffer& buffer, bool is_larger, bool has_memory)
    : buffer_(buffer), has_memory_(has_memory) {
    std::ranges::fill(sink_.more, ~std::uint64_t{0});
    sink_.abi.struct_size = is_larger ? sizeof(Larger) : sizeof(sluice_sample_sink);
    sink_.abi.impl = this;
    sink_.abi.allocate = [](const sluice_sample_sink* sink, std::uint32_t field,
                            const sluice_tensor_spec* spec) noexcept -> void* {
        auto& self = *static_cast<RawSampleSink*>(sink->impl);
        return self.has_memory_ ? self.buffer_.allocate(field, *spec) : nullptr;
    };
    sink_.abi.set_name = [](const sluice_sample_sink* sink, sluice_text name) noexcept {
        static_cast<RawSampleSink*>(sink->impl)->buffer_.set_name({name.ptr, name.len});
    };
}

Sample::View Sample::view() const {
    View view;
    view.memory.reserve(tensors.size());
    view.strides.resize(tensors.size());
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const HostTensor& tensor = tensors[i];
        const std::size_t element = bytes_of(tensor.spec.dtype);
        GuardedBytes& memory = view.memory.emplace_back(tensor.bytes, element);
        const std::uint64_t offset = before * element;  // less than a guard band
        sluice_tensor& seen = view.tensors.emplace_back(plugin_view(tensor.spec, memory.data(), view.strides[i]));
        seen.data = memory.data() - offset;
        seen.byte_offset = offset;
    }
    return view;
}

namespace {

// Builds one sample, field by field.
class SampleMaker {
public:
    SampleMaker(const SampleShape& shape, std::uint64_t seed, const std::filesystem::path& folder)
        : shape_(shape), seed_(seed), folder_(folder) {}

    void add_image(const std::string& name) {
        const auto channels = static_cast<std::size_t>(shape_.channels);
        add(name, SLUICE_FIELD_IMAGE, kUint8, {shape_.height, shape_.width, shape_.channels},
            [&](std::size_t i) { return static_cast<std::uint8_t>(i / channels % 200 + bits(i) % 56); });
    }
    void add_label_map(const std::string& name) {
        add(name, SLUICE_FIELD_LABEL_MAP, kUint8, {shape_.height, shape_.width},
            [&](std::size_t i) { return static_cast<std::uint8_t>(bits(i / 7) % 4); });
    }
    void add_class(const std::string& name) {
        add(name, SLUICE_FIELD_CLASS, kInt64, {},
            [&](std::size_t i) { return static_cast<std::int64_t>(bits(i) % 4); });
    }
    void add_numbers(const std::string& name) {
        add(name, SLUICE_FIELD_TENSOR, kFloat32, {5},
            [&](std::size_t i) { return static_cast<float>(bits(i) % 1000) / 1000.0F; });
    }
    // Adds a PNG file with one channel or three. Batches get no file.
    void add_file(const std::string& name) {
        if (shape_.batch != 0) {
            return;
        }
        SampleMaker inner({shape_.height, shape_.width, 0, true, shape_.channels == 1 ? 1 : 3}, seed_, folder_);
        inner.add_image(name);
        static std::atomic<int> number = 0;  // several threads make samples
        const std::filesystem::path file = folder_ / fmt::format("sample {}.png", ++number);
        run::write_png(file, inner.sample_.tensors.front());
        const std::string bytes = read_file(file);
        std::filesystem::remove(file);
        const auto size = static_cast<std::int64_t>(bytes.size());
        add(name, SLUICE_FIELD_ENCODED, kUint8, {size},
            [&](std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); });
        sample_.fields.back().spec.shape[0] = -1;
    }
    [[nodiscard]] Sample finish() { return std::move(sample_); }

private:
    [[nodiscard]] std::uint64_t bits(std::size_t i) const { return random_bits({seed_, sample_.fields.size(), 0}, i); }

    template <class Draw>
    void add(const std::string& name, std::int32_t role, sluice_dtype dtype, std::vector<std::int64_t> shape,
             const Draw& draw) {
        sluice_tensor_spec announced = make_spec(dtype, shape);
        if (!shape_.is_known && (role == SLUICE_FIELD_IMAGE || role == SLUICE_FIELD_LABEL_MAP)) {
            announced.shape[0] = announced.shape[1] = -1;
        }
        if (shape_.batch != 0) {
            shape.insert(shape.begin(), shape_.batch);
        }
        HostTensor tensor{make_spec(dtype, shape), {}};
        tensor.bytes.resize(byte_count(tensor.spec));
        using Element = decltype(draw(std::size_t{0}));
        std::size_t i = 0;
        for (Element& element : tensor.as<Element>()) {
            element = draw(i++);
        }
        sample_.fields.push_back({name, role, announced});
        sample_.tensors.push_back(std::move(tensor));
    }

    SampleShape shape_;
    std::uint64_t seed_;
    std::filesystem::path folder_;
    Sample sample_;
};

}  // namespace

Sample make_sample(std::size_t kind, const SampleShape& shape, std::uint64_t seed,
                   const std::filesystem::path& folder) {
    SampleMaker maker(shape, seed, folder);
    const auto add_pictures = [&] {
        maker.add_image("image");
        maker.add_image("sharp");
        maker.add_image("blurred");
    };
    switch (kind) {
        case 0:
            add_pictures();
            maker.add_label_map("labels");
            maker.add_class("label");
            maker.add_numbers("numbers");
            maker.add_file("file");
            break;
        case 1:
            add_pictures();
            maker.add_class("label");
            break;
        case 2:
            add_pictures();
            maker.add_numbers("label");
            break;
        case 3:
            maker.add_image("image");
            break;
        case 4:
            maker.add_class("label");
            break;
        case 5:
            maker.add_numbers("label");
            break;
        default:
            maker.add_file("image");
            break;
    }
    return maker.finish();
}

}  // namespace sluice::check
