// Standard output and standard error: losing them ends no training, and output that is lost is an error.
#pragma once

namespace sluice::cli {

// Once, before any file is opened. Writing to a closed pipe, or beyond a limit of file sizes, then fails with an error
// rather than by a signal. What was closed is opened, so that no other file takes its place and gets the log's lines.
void open_standard_streams();

// Flushes standard output. Returns `code`, or if that is 0 and the output is incomplete, Exit::save after an error. If
// its reader has closed the pipe, as `head` does, 141 without an error.
[[nodiscard]] int finish_output(int code);

}  // namespace sluice::cli
