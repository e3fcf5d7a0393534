#include "gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

namespace sluice::records {
namespace {

constexpr int kGzip = 16;  // added to the window bits: selects the gzip format (header and checksums)
constexpr std::size_t kChunk = std::size_t{64} << 10;

uInt as_chunk(std::uint64_t bytes) {
    return static_cast<uInt>(std::min<std::uint64_t>(bytes, std::numeric_limits<uInt>::max() / 2));
}

}  // namespace

bool is_gzip(ByteSpan head) { return head.size() >= 2 && head[0] == 0x1F && head[1] == 0x8B; }

struct GzipReader::State {
    const InputFile& file;
    z_stream stream = {};
    std::uint64_t next = 0;      // offset in the file after the chunk
    std::uint64_t position = 0;  // in decompressed bytes
    bool between_members = false;
    Bytes chunk{};

    explicit State(const InputFile& from) : file(from) {}
    ~State() { inflateEnd(&stream); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    // False at the end of the file.
    bool fill() {
        if (stream.avail_in == 0) {
            chunk.resize(kChunk);
            const std::uint64_t got = file.read_some(chunk.data(), kChunk, next);
            next += got;
            stream.next_in = chunk.data();
            stream.avail_in = static_cast<uInt>(got);
        }
        return stream.avail_in > 0;
    }
    [[noreturn]] void damaged(const std::string& what) const {
        file.damaged("the gzip file is damaged or cut off near byte " + std::to_string(next - stream.avail_in) + ": " +
                     what);
    }
};

GzipReader::GzipReader(const InputFile& file) : state_(std::make_unique<State>(file)) {
    if (inflateInit2(&state_->stream, MAX_WBITS + kGzip) != Z_OK) {
        throw std::bad_alloc();
    }
}
GzipReader::GzipReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
GzipReader::~GzipReader() = default;
GzipReader::GzipReader(GzipReader&& other) noexcept = default;

GzipReader GzipReader::copy() const {
    auto state = std::make_unique<State>(state_->file);
    if (inflateCopy(&state->stream, &state_->stream) != Z_OK) {
        throw std::bad_alloc();
    }
    state->next = state_->next - state_->stream.avail_in;  // the chunk is not copied
    state->stream.avail_in = 0;
    state->position = state_->position;
    state->between_members = state_->between_members;
    return GzipReader(std::move(state));
}

std::uint64_t GzipReader::position() const { return state_->position; }

std::uint64_t GzipReader::read_some(std::uint8_t* to, std::uint64_t bytes) {
    State& state = *state_;
    std::uint64_t done = 0;
    while (done < bytes) {
        if (!state.fill()) {
            if (state.between_members) {
                break;
            }
            state.damaged("it ends in the middle");
        }
        if (state.between_members) {
            inflateReset(&state.stream);
            state.between_members = false;
        }
        const uInt room = as_chunk(bytes - done);
        state.stream.next_out = to + done;
        state.stream.avail_out = room;
        const int result = inflate(&state.stream, Z_NO_FLUSH);
        done += room - state.stream.avail_out;
        if (result == Z_STREAM_END) {
            state.between_members = true;
        } else if (result != Z_OK && result != Z_BUF_ERROR) {
            state.damaged(state.stream.msg == nullptr ? "it cannot be unpacked" : state.stream.msg);
        }
    }
    state.position += done;
    return done;
}

void GzipReader::skip(std::uint64_t bytes) {
    Bytes unused(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, kChunk)));
    while (bytes > 0) {
        const std::uint64_t got = read_some(unused.data(), std::min<std::uint64_t>(bytes, unused.size()));
        if (got == 0) {
            state_->damaged("it ends too early");
        }
        bytes -= got;
    }
}

struct GzipSink::State {
    z_stream stream = {};
    Bytes chunk = Bytes(kChunk);
};

GzipSink::GzipSink(ByteSink& to) : state_(std::make_unique<State>()), to_(to) {
    constexpr int kMemory = 8;  // zlib's own default
    if (deflateInit2(&state_->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzip, kMemory,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::bad_alloc();
    }
}

GzipSink::~GzipSink() { deflateEnd(&state_->stream); }

void GzipSink::pack(ByteSpan bytes, int flush) {
    z_stream& stream = state_->stream;
    while (true) {
        if (stream.avail_in == 0 && !bytes.empty()) {
            const uInt part = as_chunk(bytes.size());
            stream.next_in = const_cast<Bytef*>(bytes.data());
            stream.avail_in = part;
            bytes = bytes.subspan(part);
        }
        stream.next_out = state_->chunk.data();
        stream.avail_out = static_cast<uInt>(kChunk);
        const int result = deflate(&stream, bytes.empty() ? flush : Z_NO_FLUSH);
        to_.write(ByteSpan(state_->chunk).first(kChunk - stream.avail_out));
        const bool is_done = flush == Z_FINISH ? result == Z_STREAM_END : stream.avail_out > 0;
        if (is_done && stream.avail_in == 0 && bytes.empty()) {
            return;
        }
    }
}

void GzipSink::write(ByteSpan bytes) { pack(bytes, Z_NO_FLUSH); }

void GzipSink::finish() { pack({}, Z_FINISH); }

}  // namespace sluice::records
