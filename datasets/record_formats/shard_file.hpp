// Reads a file in Sluice's own format. Opening it reads and checks the index and the manifest; samples are checked when
// they are read. [any thread]
#pragma once

#include "input_file.hpp"
#include "layout.hpp"
#include "tiles.hpp"

namespace sluice::records {

class ShardFile {
public:
    // Throws Damage if the file is not complete. `host`: see InputFile.
    explicit ShardFile(const std::filesystem::path& path, const sluice_host* host = nullptr);
    // True if a file that begins with `head` has this format.
    static bool is_one(ByteSpan head);

    [[nodiscard]] const std::filesystem::path& path() const { return file_.path(); }
    [[nodiscard]] const std::vector<FieldLayout>& fields() const { return fields_; }
    [[nodiscard]] std::uint64_t size() const { return samples_; }
    [[nodiscard]] std::string_view manifest() const { return manifest_; }
    [[nodiscard]] std::string_view name(std::uint64_t sample) const;
    // The spec of one sample's field, with all dimensions.
    [[nodiscard]] sluice_tensor_spec spec(std::uint64_t sample, std::size_t field) const;
    // Reads a field; `to` has the bytes of its spec. Throws Damage, also if a checksum is wrong.
    void read(std::uint64_t sample, std::size_t field, std::uint8_t* to, Bytes& scratch) const;
    // Reads a part of a tiled field. Other parts are neither read nor checked.
    void read(std::uint64_t sample, std::size_t field, const Area& area, std::uint8_t* to, Bytes& scratch) const;

private:
    void read_head() const;
    void read_tail();
    void parse_index();
    [[nodiscard]] std::uint64_t word(std::uint64_t sample, std::size_t number) const;
    [[nodiscard]] std::uint64_t stored_bytes(const FieldLayout& field, const sluice_tensor_spec& spec) const;
    [[nodiscard]] std::uint64_t offset_of(std::uint64_t sample, std::size_t field) const;
    void check_entries() const;

    InputFile file_;
    Bytes index_;
    std::string manifest_;
    std::vector<FieldLayout> fields_;
    EntryLayout entry_{{}};
    std::uint64_t samples_ = 0;
    std::uint64_t samples_end_ = 0;  // offset in the file
    std::size_t entries_ = 0;        // offset in the index
    std::size_t names_ = 0;          // offset in the index
};

}  // namespace sluice::records
