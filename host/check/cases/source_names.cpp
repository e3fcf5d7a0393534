// A case for the class names of a source: they are plain text, do not change, and cover all classes of its samples.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string_view>

#include "base/control.hpp"
#include "base/text/counted.hpp"
#include "check/cases/source_samples.hpp"
#include "registry/loading/interfaces.hpp"
#include "sluice/kind/class_names.h"

namespace sluice::check {
namespace {

constexpr std::uint64_t kMostAsked = 1000;

std::string_view view_of(sluice_text text) { return {text.ptr, static_cast<std::size_t>(text.len)}; }

// Asks one object for the names of one field. Keeps the lent texts and copies of them, to detect changes.
class NameList {
public:
    NameList(const sluice_class_names& table, const registry::Source& source, std::uint32_t field)
        : table_(table), source_(source), field_(field) {
        for (sluice_text text = ask(0); text.len > 0 && lent_.size() < kMostAsked; text = ask(lent_.size())) {
            expect(text.ptr != nullptr, fmt::format("{} is NULL", what(lent_.size())));
            lent_.push_back(text);
            names_.emplace_back(view_of(text));
        }
    }
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    [[nodiscard]] bool are_all() const { return names_.size() < kMostAsked; }

    void expect_lasting() const {
        for (std::size_t i = 0; i < names_.size(); ++i) {
            const bool is_same = view_of(lent_[i]) == names_[i] && view_of(ask(i)) == names_[i];
            expect(is_same, fmt::format("{} changed after other names were asked for", what(i)));
        }
    }
    void expect_plain() const {
        for (std::size_t i = 0; i < names_.size(); ++i) {
            expect(is_plain(names_[i]),
                   fmt::format("{}, '{}', is no plain text; expected one line of UTF-8", what(i), shown(names_[i])));
        }
    }
    // Classes after the first without a name must have none either.
    void expect_no_gap() const {
        constexpr std::uint64_t kAfter = 16;
        for (std::uint64_t i = 1; are_all() && i <= kAfter; ++i) {
            expect(ask(names_.size() + i).len == 0,
                   fmt::format("{} exists, but that of class {} does not", what(names_.size() + i), names_.size()));
        }
    }

private:
    [[nodiscard]] sluice_text ask(std::uint64_t number) const {
        return registry::enter(source_.object().component(), table_.name, source_.object().self(), field_, number);
    }
    [[nodiscard]] std::string what(std::uint64_t number) const {
        return fmt::format("the name of class {} of field '{}'", number, source_.fields()[field_].name);
    }

    const sluice_class_names& table_;
    const registry::Source& source_;
    std::uint32_t field_;
    std::vector<sluice_text> lent_;
    std::vector<std::string> names_;
};

// Reads samples until a twentieth of the time limit is over: each class number must have a name.
void expect_names_of_all(Trial& trial, const registry::Source& source, std::uint32_t field, std::size_t count) {
    const registry::WorkerContext context = source.make_context();
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint64_t index = 0; index < source.length(); ++index) {
        SampleBuffer buffer;
        trial.doing(fmt::format("read() of sample {}", index));
        if (!refusal(source, context, index, 1, buffer)) {
            const std::int64_t label = buffer.tensor(field).as<std::int64_t>()[0];
            expect(label < 0 || std::cmp_less(label, count),
                   fmt::format("field '{}' of sample {} is {}, but the source names only {}",
                               source.fields()[field].name, index, label, counted(count, "class")));
        }
        if (std::chrono::steady_clock::now() - begin > trial.limit() / 20) {
            break;
        }
    }
}

void names_its_classes(Trial& trial) {
    need_interface(trial, SLUICE_CLASS_NAMES_V1);
    const auto& table =
        *static_cast<const sluice_class_names*>(registry::optional_interface(trial.component(), SLUICE_CLASS_NAMES_V1));
    const registry::Source source = open_source(trial);
    const registry::Source other = open_source(trial);
    std::size_t count = 0;
    for (std::uint32_t field = 0; field < source.fields().size(); ++field) {
        const NameList list(table, source, field);
        list.expect_lasting();
        list.expect_plain();
        list.expect_no_gap();
        expect(NameList(table, other, field).names() == list.names(),
               fmt::format("another object names classes of field '{}' differently", source.fields()[field].name));
        const bool has_numbers = source.fields()[field].role == SLUICE_FIELD_CLASS;
        if (has_numbers && !list.names().empty() && list.are_all()) {
            expect_names_of_all(trial, source, field, list.names().size());
        }
        count += list.names().size();
    }
    trial.note(counted(count, "name"));
}

constexpr Case kSourceNameCases[] = {
    {"source.class_names",
     "Names of classes are one line of UTF-8, stay the same, and exist for each class of a sample.", names_its_classes},
};

}  // namespace

std::span<const Case> source_name_cases() { return kSourceNameCases; }

}  // namespace sluice::check
