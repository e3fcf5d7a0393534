//! The observer `example` writes tables to the run's folder: example.csv has the loss of each step, and
//! example_profile.csv the time of each operation in recorded steps.
mod sluice;

use sluice::*;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

struct ExampleObserver {
    every: i64,
    folder: PathBuf,
    table: Option<File>, // None before the run begins
}

fn direction_of(span_kind: u32) -> &'static str {
    match span_kind {
        SLUICE_SPAN_FORWARD => "forward",
        SLUICE_SPAN_RECOMPUTE => "recompute",
        SLUICE_SPAN_BACKWARD => "backward",
        SLUICE_SPAN_OPTIMIZER => "optimizer",
        _ => "kernel",
    }
}

fn is_stream(thread: ProfileThread) -> bool {
    thread.kind == SLUICE_THREAD_STREAM
}

impl ExampleObserver {
    /// Appends, because a resumed run has a table already.
    fn open_table(&self, name: &str) -> Result<File> {
        let file = self.folder.join(name);
        match OpenOptions::new().append(true).create(true).open(&file) {
            Ok(table) => Ok(table),
            Err(error) => fail!(SLUICE_FAILED, "cannot write {}: {}", file.display(), error),
        }
    }

    /// Writes a line for each operation: path, direction, number of launches and their milliseconds.
    fn write(&self, window: &Profile) -> Result<()> {
        let mut table = self.open_table("example_profile.csv")?;
        // The streams of a GPU have the time of its work. Launches on the threads of the CPU only enqueue that.
        let has_streams = window.threads().any(is_stream);
        let is_on_stream = |span: &sluice_span| {
            let thread = window.threads().nth(span.thread as usize);
            thread.map_or(false, is_stream)
        };
        for (number, operation) in window.operations().enumerate() {
            let (mut count, mut milliseconds) = (0, 0.0);
            for span in window.spans() {
                if span.operation as usize == number && is_on_stream(&span) == has_streams {
                    count += 1;
                    milliseconds += 1e-6 * span.duration_ns as f64;
                }
            }
            let direction = direction_of(operation.span_kind);
            if let Err(error) = writeln!(
                table,
                "\"{}\",{},{},{:.6}",
                operation.path, direction, count, milliseconds
            ) {
                fail!(SLUICE_FAILED, "cannot write the table: {}", error);
            }
        }
        Ok(())
    }
}

impl Observer for ExampleObserver {
    const WANTS: u64 =
        1 << SLUICE_EVENT_RUN_BEGIN | 1 << SLUICE_EVENT_STEP | 1 << SLUICE_EVENT_PROFILE;

    fn new(_: Host, options: Options) -> Result<Self> {
        Ok(ExampleObserver {
            every: options.get("every")?.integer()?,
            folder: PathBuf::new(),
            table: None,
        })
    }

    fn on_event(&mut self, event: &Event) -> Result<()> {
        if event.kind() == SLUICE_EVENT_RUN_BEGIN {
            self.folder = PathBuf::from(event.text());
            self.table = Some(self.open_table("example.csv")?);
        }
        if let Some(window) = event.profile() {
            return self.write(&window);
        }
        let table = match &mut self.table {
            Some(table) => table,
            None => fail!(SLUICE_FAILED, "there is no table to write to"),
        };
        if event.kind() == SLUICE_EVENT_STEP && event.step() % self.every == 0 {
            if let Err(error) = writeln!(
                table,
                "{},{}",
                event.step(),
                event.scalar("loss").unwrap_or(f64::NAN)
            ) {
                fail!(SLUICE_FAILED, "cannot write the table: {}", error);
            }
        }
        Ok(())
    }
}

export! { "com.acme.observer.example" => sluice::observer::<ExampleObserver> }
