//! The data source `csv_rows`: each row of a CSV file is a sample of numbers, and one column is the class.
mod sluice;

use sluice::*;
use std::{hash::Hasher, io::ErrorKind};

struct CsvRows {
    file: String,
    features: usize,   // numbers of a sample
    numbers: Vec<f32>, // all rows, one after the other
    classes: Vec<i64>,
    identity: [u64; 2],
}

fn read(file: &str) -> Result<String> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == ErrorKind::OutOfMemory => {
            fail!(SLUICE_NO_MEMORY, "file '{}': {}", file, error)
        }
        Err(error) => fail!(SLUICE_INVALID, "file '{}': {}", file, error),
    }
}

fn identity_of(text: &str) -> [u64; 2] {
    let mut hash = std::collections::hash_map::DefaultHasher::new();
    hash.write(text.as_bytes());
    [hash.finish(), text.len() as u64]
}

impl CsvRows {
    /// Adds a row. `line` counts from 1; `label` is the index of the class column.
    fn add(&mut self, row: &str, line: usize, label: usize) -> Result<()> {
        let before = self.numbers.len();
        for (column, cell) in row.split(',').map(str::trim).enumerate() {
            let (file, place) = (&self.file, column + 1);
            if column == label {
                match cell.parse::<i64>() {
                    Ok(class) if class >= 0 => self.classes.push(class),
                    _ => fail!(
                        SLUICE_INVALID,
                        "{}:{}: column {} is '{}'; a class is a number from 0",
                        file,
                        line,
                        place,
                        cell
                    ),
                }
                continue;
            }
            match cell.parse::<f32>() {
                Ok(number) if number.is_finite() => self.numbers.push(number),
                _ => fail!(
                    SLUICE_INVALID,
                    "{}:{}: column {} is '{}'; a number is needed",
                    file,
                    line,
                    place,
                    cell
                ),
            }
        }
        let found = self.numbers.len() - before;
        if found != self.features || self.numbers.len() != self.classes.len() * self.features {
            fail!(
                SLUICE_INVALID,
                "{}:{}: {} numbers besides the class; the first line names {}",
                self.file,
                line,
                found,
                self.features
            );
        }
        Ok(())
    }
}

impl Source for CsvRows {
    type Context = ();
    const IDENTITY: Option<fn(&Self) -> Result<[u64; 2]>> = Some(|rows| Ok(rows.identity));
    const CLASSES: Option<fn(&Self, &mut [i64]) -> Result<()>> =
        Some(|rows, classes| Ok(classes.copy_from_slice(&rows.classes)));

    fn new(_: Host, options: Options) -> Result<Self> {
        let file = options.get("file")?.string()?;
        let name = options.get("label")?.text()?;
        let text = read(&file)?;
        let mut lines = text.lines();
        let head = lines.next().unwrap_or("");
        let label = match head.split(',').position(|column| column.trim() == name) {
            Some(label) => label,
            None => fail!(
                SLUICE_INVALID,
                "{}:1: there is no column '{}' in '{}'",
                file,
                name,
                head
            ),
        };
        let (features, rows) = (head.split(',').count() - 1, lines.clone().count());
        let mut set = CsvRows {
            file,
            features,
            numbers: Vec::new(),
            classes: Vec::new(),
            identity: identity_of(&text),
        };
        set.numbers.try_reserve(rows * (features + 1))?;
        set.classes.try_reserve(rows)?;
        for (i, row) in lines.enumerate().filter(|(_, row)| !row.trim().is_empty()) {
            set.add(row, i + 2, label)?;
        }
        if set.classes.is_empty() || features == 0 {
            fail!(
                SLUICE_INVALID,
                "{} has no rows, or no columns besides the class",
                set.file
            );
        }
        Ok(set)
    }

    fn describe(&self, sink: &FieldSink) -> Result<()> {
        let numbers = sluice_tensor_spec::new(FLOAT32, &[self.features as i64]);
        sink.field("numbers", SLUICE_FIELD_TENSOR, numbers);
        let class = sluice_tensor_spec::new(INT64, &[]);
        sink.field("label", SLUICE_FIELD_CLASS, class);
        sink.length(self.classes.len() as u64);
        Ok(())
    }

    fn context(&self) -> Result<()> {
        Ok(())
    }

    fn read(&self, _: &mut (), index: u64, _: u64, sink: &SampleSink) -> Result<()> {
        let row = index as usize;
        if index >= self.classes.len() as u64 {
            fail!(SLUICE_INVALID, "{} has no row {}", self.file, index);
        }
        let numbers = &self.numbers[row * self.features..(row + 1) * self.features];
        sink.allocate::<f32>(0, &[self.features as i64])?
            .copy_from_slice(numbers);
        sink.allocate::<i64>(1, &[])?[0] = self.classes[row];
        Ok(())
    }
}

export! { "com.acme.source.csv_rows" => sluice::source::<CsvRows> }
