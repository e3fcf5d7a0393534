#include "run/checkpoint/safetensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/sha256.hpp"
#include "file_kinds/file_kind.hpp"

namespace sluice::run {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kNoChecksum = "0000000000000000000000000000000000000000000000000000000000000000";

struct DtypeName {
    sluice_dtype dtype;
    const char* name;
};
constexpr std::array<DtypeName, 6> kDtypes{{{{SLUICE_CODE_FLOAT, 32, 1}, "F32"},
                                            {{SLUICE_CODE_FLOAT, 64, 1}, "F64"},
                                            {{SLUICE_CODE_FLOAT, 16, 1}, "F16"},
                                            {{SLUICE_CODE_BFLOAT, 16, 1}, "BF16"},
                                            {{SLUICE_CODE_INT, 64, 1}, "I64"},
                                            {{SLUICE_CODE_UINT, 8, 1}, "U8"}}};

std::string header_text(const std::map<std::string, std::string>& metadata, std::span<const NamedBytes> tensors) {
    Json header;
    header["__metadata__"] = metadata;
    std::uint64_t offset = 0;
    for (const NamedBytes& tensor : tensors) {
        const auto known =
            std::ranges::find_if(kDtypes, [&](const DtypeName& d) { return d.dtype == tensor.spec.dtype; });
        const auto shape = shape_of(tensor.spec);
        Json& entry = header[tensor.name];
        entry["dtype"] = known->name;
        entry["shape"] = std::vector<std::int64_t>(shape.begin(), shape.end());
        entry["data_offsets"] = std::array<std::uint64_t, 2>{offset, offset + tensor.bytes.size()};
        offset += tensor.bytes.size();
    }
    std::string text = header.dump();
    text.append((8 - text.size() % 8) % 8, ' ');  // tensors begin at a multiple of 8 bytes
    return text;
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
    throw Error(Exit::config, path.string() + ": not a whole safetensors file: " + why);
}

sluice_tensor_spec spec_of(const std::filesystem::path& path, const std::string& name, const Json& entry) {
    const std::string dtype = entry.at("dtype").get<std::string>();
    const auto known = std::ranges::find_if(kDtypes, [&](const DtypeName& d) { return dtype == d.name; });
    if (known == kDtypes.end()) {
        refuse(path, fmt::format("tensor '{}' has the unsupported type {}", name, dtype));
    }
    return make_spec(known->dtype, entry.at("shape").get<std::vector<std::int64_t>>());
}

void parse(const std::filesystem::path& path, SafetensorsFile& file, std::string_view header, std::string_view data) {
    const Json json = Json::parse(header);
    for (const auto& [name, entry] : json.items()) {
        if (name == "__metadata__") {
            file.metadata = entry.get<std::map<std::string, std::string>>();
            continue;
        }
        const auto offsets = entry.at("data_offsets").get<std::array<std::uint64_t, 2>>();
        const sluice_tensor_spec spec = spec_of(path, name, entry);
        if (offsets[0] > offsets[1] || offsets[1] > data.size() || offsets[1] - offsets[0] != byte_count(spec)) {
            refuse(path,
                   fmt::format("tensor '{}' is at bytes {} to {} of {}, which does not match its shape or the file",
                               name, offsets[0], offsets[1], data.size()));
        }
        file.tensors.push_back({name, spec, data.substr(offsets[0], offsets[1] - offsets[0])});
    }
}

// Finds the checksum by its key in the header's text. Inside other strings the quotes would be escaped.
bool replace_checksum(std::string& header, std::string_view from, std::string_view to) {
    constexpr std::string_view kKey = "\"sha256\":\"";
    const std::size_t at = header.find(std::string(kKey).append(from));
    if (at == std::string::npos) {
        return false;
    }
    header.replace(at + kKey.size(), from.size(), to);
    return true;
}

void verify(const std::filesystem::path& path, const SafetensorsFile& file, std::string_view header,
            std::string_view data) {
    const auto stored = file.metadata.find("sha256");
    if (stored == file.metadata.end()) {
        return;
    }
    std::string blank(header);
    const bool is_there = replace_checksum(blank, stored->second, kNoChecksum);
    const std::array<std::string_view, 2> parts{blank, data};
    if (!is_there || sha256(parts) != stored->second) {
        refuse(path, "its checksum does not match; it was altered or damaged");
    }
}

}  // namespace

const NamedBytes* SafetensorsFile::find(std::string_view name) const {
    const auto at = std::ranges::find(tensors, name, &NamedBytes::name);
    return at == tensors.end() ? nullptr : &*at;
}

void write_safetensors(const std::filesystem::path& path, std::map<std::string, std::string> metadata,
                       std::span<const NamedBytes> tensors) {
    metadata["sha256"] = std::string(kNoChecksum);
    std::string header = header_text(metadata, tensors);
    std::vector<std::string_view> parts{header};
    for (const NamedBytes& tensor : tensors) {
        parts.push_back(tensor.bytes);
    }
    const std::string checksum = sha256(parts);
    replace_checksum(header, kNoChecksum, checksum);
    parts.front() = header;

    const std::uint64_t length = header.size();
    std::array<char, 8> prefix{};
    std::memcpy(prefix.data(), &length, prefix.size());
    parts.insert(parts.begin(), std::string_view(prefix.data(), prefix.size()));
    write_file_atomically(path, parts);
}

SafetensorsFile read_safetensors(const std::filesystem::path& path) {
    SafetensorsFile file;
    file.data = read_file(path);
    std::uint64_t length = 0;
    if (file.data.size() < sizeof(length)) {
        refuse(path, fmt::format("it has only {} bytes", file.data.size()));
    }
    if (const std::string kind = file_kinds::describe_file(file.data, file.data.size());
        kind != file_kinds::kSafetensors) {
        throw Error(Exit::config, fmt::format("{}: not a safetensors file but {}", path.string(), kind));
    }
    std::memcpy(&length, file.data.data(), sizeof(length));
    if (length > file.data.size() - sizeof(length)) {
        refuse(path, fmt::format("its header of {} bytes does not fit into its {} bytes", length, file.data.size()));
    }
    const std::string_view header(file.data.data() + sizeof(length), length);
    const std::string_view data(file.data.data() + sizeof(length) + length, file.data.size() - sizeof(length) - length);
    try {
        parse(path, file, header, data);
    } catch (const nlohmann::json::exception& bad) {
        refuse(path, bad.what());
    }
    verify(path, file, header, data);
    return file;
}

}  // namespace sluice::run
