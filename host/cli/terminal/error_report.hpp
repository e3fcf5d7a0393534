// Reports an error once, even if several processes of a training fail with it.
#pragma once

#include <string>

#include "base/error.hpp"

namespace sluice::cli {

// Logs the error, or hands it to `host launch`, which logs an error of several processes once.
void report_error(const std::string& error);

// An error that was reported already.
class ReportedError : public Error {
public:
    using Error::Error;
};

}  // namespace sluice::cli
