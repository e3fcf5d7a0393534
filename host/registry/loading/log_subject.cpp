#include "registry/loading/log_subject.hpp"

namespace sluice::registry {
namespace {

constinit thread_local const std::string* subject = nullptr;

}  // namespace

LogSubject::LogSubject(const std::string& name) { subject = &name; }

LogSubject::~LogSubject() { subject = nullptr; }

std::string_view LogSubject::current() { return subject == nullptr ? std::string_view() : *subject; }

}  // namespace sluice::registry
