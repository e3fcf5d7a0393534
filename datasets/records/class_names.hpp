// What the classes of prepared samples are called: `host prepare` keeps it in the manifest of each file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::records {

class ClassNames {
public:
    // Of one more file. Any manifest is taken: one that names no classes adds none.
    void add(const std::string& file, std::string_view manifest);
    // Empty where it has none.
    [[nodiscard]] std::string_view name(const std::string& field, std::uint64_t number) const noexcept;
    // Which files call a class differently, for a message; empty: none. If some do, no class has a name.
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
