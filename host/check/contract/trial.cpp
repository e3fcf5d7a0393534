#include "check/contract/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "base/random.hpp"
#include "registry/loading/abi_conversion.hpp"

namespace sluice::check {

void expect(bool kept, const std::string& reason) {
    if (!kept) {
        throw Broken(reason);
    }
}

Answer make_answer(sluice_status status, const sluice_error& error) {
    if (status == SLUICE_OK) {
        return {};
    }
    expect(::strnlen(error.message, sizeof(error.message)) < sizeof(error.message) &&
               ::strnlen(error.file, sizeof(error.file)) < sizeof(error.file),
           "a text of sluice_error does not end in NUL");
    return {status, error.message};
}

Trial::Trial(const registry::Registry& registry, const registry::ComponentManifest& manifest,
             const ObjectFunctions& objects, const Setup& setup, const CaseSettings& case_settings,
             std::function<void(const std::string&)> notify)
    : registry_(registry),
      manifest_(manifest),
      objects_(objects),
      setup_(&setup),
      settings_(case_settings),
      notify_(std::move(notify)),
      folder_(setup, case_settings.folder) {}

const registry::Component& Trial::component() {
    if (component_.table == nullptr) {
        component_ = registry_.open(manifest_);
    }
    return component_;
}

std::unique_ptr<TestObject> Trial::make() {
    component();
    try {
        return objects_.make_test_object(*this);
    } catch (const Error& error) {
        if (error.exit() == Exit::device) {
            throw CaseSkipped(error.what());
        }
        if (setup_->is_guessed && (error.exit() == Exit::config || error.exit() == Exit::data)) {
            throw Broken(
                fmt::format("no object can be made with options guessed from the schema: {}; add a [[component.check]] "
                            "with options to the manifest, or pass --set {}.OPTION=VALUE",
                            error.what(), manifest_.provides));
        }
        throw;
    }
}

std::unique_ptr<TestObject> Trial::make(const Setup& other) {
    component();
    struct Exchange {
        const Setup*& place;
        const Setup* before;
        ~Exchange() { place = before; }
    };
    const Exchange exchange{setup_, std::exchange(setup_, &other)};
    return objects_.make_test_object(*this);
}

Answer Trial::create(const Table& options, void*& self) {
    self = nullptr;
    const registry::OptionTree tree(options);
    Answer answer = objects_.create(*this, tree.root(), &self);
    if (answer.status != SLUICE_OK) {
        self = nullptr;
    }
    return answer;
}

void Trial::destroy(void* self) {
    if (self != nullptr) {
        objects_.destroy(*this, self);
    }
}

std::uint64_t Trial::draw(std::uint64_t bound) {
    return random_bits({seed(), stable_hash(manifest_.id), 0}, draws_++) % bound;
}

void Trial::warn(const std::string& what) {
    if (std::ranges::count(warnings_, what) == 0) {
        warnings_.push_back(what);
    }
}

void Trial::expect_reason(const Answer& answer, const std::string& call) {
    if (answer.status != SLUICE_OK && answer.message.empty()) {
        warn(fmt::format("{} returns status {} without a message, so users cannot see what went wrong", call,
                         answer.status));
    }
}

}  // namespace sluice::check
