// Class names of prepared samples, which `sluice prepare` writes to the manifest of each file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::records {

class ClassNames {
public:
    // Adds the names in the manifest of one more file. A manifest without names adds none.
    void add(const std::string& file, std::string_view manifest);
    // Returns an empty text if the class has no name.
    [[nodiscard]] std::string_view name(const std::string& field, std::uint64_t number) const noexcept;
    // The message about files that name a class differently; no class has a name then. Empty: all agree.
    [[nodiscard]] const std::string& conflict() const { return conflict_; }

private:
    struct OfField {
        std::vector<std::string> names;
        std::string file;
    };
    void add(const std::string& field, const OfField& more);

    std::map<std::string, OfField, std::less<>> fields_;
    std::string conflict_;
};

}  // namespace sluice::records
