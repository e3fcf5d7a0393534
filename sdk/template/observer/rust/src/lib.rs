//! The observer `example` writes the loss of each step to a table, example.csv in the run's folder.
mod sluice;

use sluice::*;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

struct ExampleObserver {
    every: i64,
    table: Option<File>, // None before the run begins
}

impl ExampleObserver {
    /// Appends, because a resumed run has a table already.
    fn begin(&mut self, folder: &str) -> Result<()> {
        let file = Path::new(folder).join("example.csv");
        match OpenOptions::new().append(true).create(true).open(&file) {
            Ok(table) => self.table = Some(table),
            Err(error) => fail!(SLUICE_FAILED, "cannot write {}: {}", file.display(), error),
        }
        Ok(())
    }
}

impl Observer for ExampleObserver {
    const WANTS: u64 = 1 << SLUICE_EVENT_RUN_BEGIN | 1 << SLUICE_EVENT_STEP;

    fn new(_: Host, options: Options) -> Result<Self> {
        Ok(ExampleObserver {
            every: options.get("every")?.integer()?,
            table: None,
        })
    }

    fn on_event(&mut self, event: &Event) -> Result<()> {
        if event.kind() == SLUICE_EVENT_RUN_BEGIN {
            return self.begin(event.text());
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
