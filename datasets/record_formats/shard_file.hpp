// One of our own files, opened: index and manifest are read and checked, samples when they are read. For any thread.
#pragma once

#include "input_file.hpp"
#include "layout.hpp"
#include "tiles.hpp"

namespace sluice::records {

class ShardFile {
public:
    // Throws Damage where it is not whole. host: as InputFile takes it.
    explicit ShardFile(const std::filesystem::path& path, const sluice_host* host = nullptr);
    // Whether a file that begins so is one of ours.
    static bool is_one(ByteSpan head);

    [[nodiscard]] const std::filesystem::path& path() const { return file_.path(); }
    [[nodiscard]] const std::vector<FieldLayout>& fields() const { return fields_; }
    [[nodiscard]] std::uint64_t size() const { return samples_; }
    [[nodiscard]] std::string_view manifest() const { return manifest_; }
    [[nodiscard]] std::string_view name(std::uint64_t sample) const;
    // Without -1.
    [[nodiscard]] sluice_tensor_spec spec(std::uint64_t sample, std::size_t field) const;
    // to: as the spec says. Throws Damage, also where a checksum does not fit.
    void read(std::uint64_t sample, std::size_t field, std::uint8_t* to, Bytes& scratch) const;
    // The same of a part of a field that is stored in tiles; what lies elsewhere is neither read nor checked.
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
    std::uint64_t samples_end_ = 0;  // in the file
    std::size_t entries_ = 0;        // in the index
    std::size_t names_ = 0;          // in the index
};

}  // namespace sluice::records
