// Standard output and standard error: a training survives their loss, and lost output is an error.
#pragma once

namespace sluice::cli {

// Call it once, before any file is opened. Writing to a closed pipe or beyond the file size limit then fails with an
// error instead of a signal. Closed streams are opened, so that no other file takes their number and gets log lines.
void open_standard_streams();

// Flushes standard output and returns the exit code: `code`, unless that is 0 and output is lost. Then it logs an error
// and returns Exit::save, or just returns 141 if the reader closed the pipe, as `head` does.
[[nodiscard]] int finish_output(int code);

}  // namespace sluice::cli
