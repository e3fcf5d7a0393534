// Files of records for tests, made by the library that `host prepare` uses.
#pragma once

#include <string>
#include <vector>

#include "record_formats/example.hpp"
#include "record_formats/shard_writer.hpp"
#include "record_formats/tfrecord.hpp"

namespace sluice::records {

class TextSink final : public ByteSink {
public:
    void write(ByteSpan bytes) override { text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size()); }
    std::string text;
};

inline sluice_tensor_spec spec_of(sluice_dtype dtype, const std::vector<std::int64_t>& shape) {
    sluice_tensor_spec spec{};
    spec.dtype = dtype;
    spec.rank = static_cast<std::int32_t>(shape.size());
    std::copy(shape.begin(), shape.end(), spec.shape);
    return spec;
}

// Returns the usual record of a picture file and its class.
inline Bytes labelled(const std::string& file, std::int64_t label) {
    ExampleWriter writer;
    writer.add_integer("image/class/label", label);
    writer.add_bytes("image/encoded", bytes_of(file));
    return writer.message();
}

inline std::string tfrecords_of(const std::vector<Bytes>& messages) {
    TextSink sink;
    for (const Bytes& message : messages) {
        write_tfrecord(sink, message);
    }
    return sink.text;
}

inline std::string gzip_of(const std::string& text) {
    TextSink sink;
    GzipSink packer(sink);
    packer.write(bytes_of(text));
    packer.finish();
    return sink.text;
}

}  // namespace sluice::records
