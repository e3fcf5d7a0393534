#include "file_identity.hpp"

#include <sys/stat.h>

#include <memory>

#include SLUICE_XXHASH

namespace sluice::shared_files {

std::array<std::uint64_t, 2> file_identity(const std::filesystem::path& folder, std::span<const std::string> names) {
    const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> sum(XXH3_createState(), XXH3_freeState);
    XXH3_128bits_reset(sum.get());
    for (const std::string& name : names) {
        struct stat status {};
        if (::stat((folder / name).c_str(), &status) != 0) {
            status = {};  // a missing file hashes differently from an existing one
        }
        const std::array<std::int64_t, 4> about{static_cast<std::int64_t>(name.size()), status.st_size,
                                                status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
        XXH3_128bits_update(sum.get(), about.data(), sizeof(about));
        XXH3_128bits_update(sum.get(), name.data(), name.size());
    }
    const XXH128_hash_t hash = XXH3_128bits_digest(sum.get());
    return {hash.low64, hash.high64};
}

std::string absolute_name(const std::filesystem::path& file) {
    std::error_code problem;
    const std::filesystem::path absolute = std::filesystem::absolute(file, problem);
    return problem ? file.string() : absolute.string();
}

}  // namespace sluice::shared_files
