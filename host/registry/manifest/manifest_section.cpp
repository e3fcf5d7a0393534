#include "registry/manifest/manifest_section.hpp"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "file_kinds/file_kind.hpp"
#include "sluice/plugin.h"

namespace sluice::registry {
namespace {

// Larger than in any real plugin. The limits keep a damaged header from making the host allocate gigabytes.
constexpr std::uint64_t kMostManifestBytes = 1 << 20;
constexpr std::uint64_t kMostTableBytes = 64 << 20;

#if defined(__x86_64__)
constexpr Elf64_Half kThisMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half kThisMachine = EM_AARCH64;
#else
#error "name this machine's ELF number here"
#endif

std::string machine_name(Elf64_Half machine) {
    switch (machine) {
        case EM_X86_64:
            return "x86_64";
        case EM_AARCH64:
            return "aarch64";
        case EM_386:
            return "i386";
        case EM_ARM:
            return "arm";
        case EM_PPC64:
            return "ppc64";
        case EM_S390:
            return "s390x";
        case EM_RISCV:
            return "riscv";
        default:
            return fmt::format("a machine of ELF number {}", machine);
    }
}

// Reads a regular file at given offsets and checks every read against its size.
class FileBytes {
public:
    explicit FileBytes(const std::filesystem::path& path)
        : path_(path), fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
        struct stat info {};
        if (fd_ < 0 || ::fstat(fd_, &info) != 0) {
            const std::string reason = std::strerror(errno);
            close();
            refuse("cannot be read: " + reason);
        }
        if (!S_ISREG(info.st_mode)) {
            close();
            refuse("is not a regular file");
        }
        size_ = static_cast<std::uint64_t>(info.st_size);
    }
    ~FileBytes() { close(); }
    FileBytes(const FileBytes&) = delete;
    FileBytes& operator=(const FileBytes&) = delete;

    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] bool holds(std::uint64_t offset, std::uint64_t bytes) const {
        return offset <= size_ && bytes <= size_ - offset;
    }

    void read(std::uint64_t offset, void* to, std::uint64_t bytes, const char* what) const {
        if (!holds(offset, bytes)) {
            refuse(fmt::format("is cut short: the file ends at byte {}, before the end of its {}", size_, what));
        }
        auto* at = static_cast<char*>(to);
        while (bytes > 0) {
            const ssize_t got = ::pread(fd_, at, bytes, static_cast<off_t>(offset));
            if (got < 0 && errno == EINTR) {
                continue;
            }
            if (got <= 0) {
                refuse(fmt::format("cannot be read: {}",
                                   got == 0 ? "it became shorter during the read" : std::strerror(errno)));
            }
            at += got;
            offset += static_cast<std::uint64_t>(got);
            bytes -= static_cast<std::uint64_t>(got);
        }
    }

    // Reads `count` records, which must lie inside the file.
    template <class Record>
    [[nodiscard]] std::vector<Record> records(std::uint64_t offset, std::uint64_t count, const char* what) const {
        if (count > kMostTableBytes / sizeof(Record)) {
            refuse(fmt::format("is damaged: its {} has {} entries", what, count));
        }
        if (!holds(offset, count * sizeof(Record))) {
            refuse(fmt::format("is cut short: the file ends at byte {}, before the end of its {}", size_, what));
        }
        std::vector<Record> out(count);
        read(offset, out.data(), count * sizeof(Record), what);
        return out;
    }

    [[noreturn]] void refuse(const std::string& why) const { throw Error(Exit::plugin, path_.string() + ": " + why); }

private:
    void close() {
        if (fd_ >= 0) {
            ::close(fd_);
        }
        fd_ = -1;
    }

    std::filesystem::path path_;
    int fd_;
    std::uint64_t size_ = 0;
};

Elf64_Ehdr read_header(const FileBytes& file) {
    if (file.size() == 0) {
        file.refuse("is empty; a shared library is needed");
    }
    unsigned char ident[EI_NIDENT] = {};
    file.read(0, ident, std::min<std::uint64_t>(file.size(), sizeof(ident)), "header");
    if (std::memcmp(ident, ELFMAG, SELFMAG) != 0) {
        std::string begin(std::min<std::uint64_t>(file.size(), file_kinds::kBegin), '\0');
        file.read(0, begin.data(), begin.size(), "header");
        file.refuse("is not a shared library but " + file_kinds::describe_file(begin, file.size()));
    }
    if (ident[EI_CLASS] != ELFCLASS64 || ident[EI_DATA] != ELFDATA2LSB) {
        file.refuse(fmt::format("is a {}-endian ELF file of {} bits; little-endian and 64 bits are needed",
                                ident[EI_DATA] == ELFDATA2LSB ? "little" : "big",
                                ident[EI_CLASS] == ELFCLASS64 ? "64" : "32"));
    }
    Elf64_Ehdr header{};
    file.read(0, &header, sizeof(header), "header");
    if (header.e_machine != kThisMachine) {
        file.refuse(fmt::format("is built for {}; this machine is {}", machine_name(header.e_machine),
                                machine_name(kThisMachine)));
    }
    if (header.e_type != ET_DYN) {
        file.refuse(fmt::format("is not a shared library: its ELF type is {}; {} is needed", header.e_type, ET_DYN));
    }
    if (header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phnum == 0) {
        file.refuse("is damaged: it has no usable table of segments");
    }
    return header;
}

void check_segments(const FileBytes& file, const Elf64_Ehdr& header) {
    for (const auto& segment : file.records<Elf64_Phdr>(header.e_phoff, header.e_phnum, "table of segments")) {
        if (!file.holds(segment.p_offset, segment.p_filesz)) {
            file.refuse(fmt::format("is cut short: the file ends at byte {}, inside a segment of {} bytes", file.size(),
                                    segment.p_filesz));
        }
        if (segment.p_type == PT_LOAD && segment.p_memsz < segment.p_filesz) {
            file.refuse("is damaged: a segment is larger in the file than in memory");
        }
    }
}

// The sections of a file, by name.
class Sections {
public:
    Sections(const FileBytes& file, const Elf64_Ehdr& header) : file_(file) {
        if (header.e_shnum == 0 || header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shstrndx >= header.e_shnum) {
            file.refuse("has no usable table of sections, so no manifest; was it stripped of all sections?");
        }
        headers_ = file.records<Elf64_Shdr>(header.e_shoff, header.e_shnum, "table of sections");
        names_ = bytes(headers_[header.e_shstrndx], kMostTableBytes, "names of sections");
    }

    [[nodiscard]] const Elf64_Shdr* find(std::string_view name) const {
        for (const Elf64_Shdr& section : headers_) {
            if (is_at(names_, section.sh_name, name)) {
                return &section;
            }
        }
        return nullptr;
    }

    [[nodiscard]] std::string bytes(const Elf64_Shdr& section, std::uint64_t most, const char* what) const {
        if (section.sh_type == SHT_NOBITS || section.sh_size > most) {
            file_.refuse(fmt::format("is damaged: its {} claims {} bytes", what, section.sh_size));
        }
        const auto read = file_.records<char>(section.sh_offset, section.sh_size, what);
        return {read.begin(), read.end()};
    }

    [[nodiscard]] bool defines(std::string_view symbol) const {
        const Elf64_Shdr* table = find(".dynsym");
        if (table == nullptr || table->sh_type != SHT_DYNSYM || table->sh_link >= headers_.size()) {
            return false;
        }
        const std::string names = bytes(headers_[table->sh_link], kMostTableBytes, "names of symbols");
        const std::uint64_t count = table->sh_size / sizeof(Elf64_Sym);
        for (const auto& entry : file_.records<Elf64_Sym>(table->sh_offset, count, "table of symbols")) {
            if (entry.st_shndx != SHN_UNDEF && is_at(names, entry.st_name, symbol)) {
                return true;
            }
        }
        return false;
    }

private:
    // True if the NUL-terminated text at `offset` is `name`.
    static bool is_at(std::string_view names, std::uint64_t offset, std::string_view name) {
        if (offset >= names.size()) {
            return false;
        }
        names.remove_prefix(offset);
        return names.starts_with(name) && (names.size() == name.size() || names[name.size()] == '\0');
    }

    const FileBytes& file_;
    std::vector<Elf64_Shdr> headers_;
    std::string names_;
};

}  // namespace

std::string read_manifest_section(const std::filesystem::path& path) {
    const FileBytes file(path);
    const Elf64_Ehdr header = read_header(file);
    check_segments(file, header);
    const Sections sections(file, header);
    const Elf64_Shdr* manifest = sections.find(SLUICE_MANIFEST_SECTION);
    if (manifest == nullptr) {
        file.refuse("is not a Sluice plugin: it has no section " SLUICE_MANIFEST_SECTION);
    }
    if (!sections.defines(SLUICE_PLUGIN_SYMBOL)) {
        file.refuse("has a manifest but does not define the symbol " SLUICE_PLUGIN_SYMBOL);
    }
    return sections.bytes(*manifest, kMostManifestBytes, "manifest");
}

}  // namespace sluice::registry
