//! Texts and options. The host has checked options against plugin.toml and filled in defaults, so a wrong type means
//! that this file and the code differ.
use super::*;
use std::os::raw::c_char;

impl sluice_text {
    pub const fn of(text: &'static str) -> sluice_text {
        sluice_text {
            ptr: text.as_ptr() as *const c_char,
            len: text.len() as u64,
        }
    }
    /// Borrows `text`: the result is valid only as long as that.
    pub(super) fn lend(text: &str) -> sluice_text {
        sluice_text {
            ptr: text.as_ptr() as *const c_char,
            len: text.len() as u64,
        }
    }
    pub(super) unsafe fn as_str<'a>(self) -> &'a str {
        std::str::from_utf8(line::lent(self.ptr as *const u8, self.len)).unwrap_or("")
    }
}

impl Default for sluice_text {
    fn default() -> sluice_text {
        sluice_text::of("")
    }
}

#[derive(Clone, Copy)]
pub struct Value<'a>(&'a sluice_value);

impl<'a> Value<'a> {
    pub fn boolean(self) -> Result<bool> {
        Ok(unsafe { self.of_kind(SLUICE_BOOL)?.as_.i != 0 })
    }
    pub fn integer(self) -> Result<i64> {
        Ok(unsafe { self.of_kind(SLUICE_INT)?.as_.i })
    }
    pub fn number(self) -> Result<f64> {
        match self.0.kind {
            SLUICE_INT => Ok(self.integer()? as f64),
            _ => Ok(unsafe { self.of_kind(SLUICE_FLOAT)?.as_.f }),
        }
    }
    pub fn text(self) -> Result<&'a str> {
        let value = self.of_kind(SLUICE_STRING)?;
        Ok(unsafe {
            sluice_text {
                ptr: value.as_.text,
                len: value.count,
            }
            .as_str()
        })
    }
    /// Returns a copy to keep. String::from() would abort the process if memory is short.
    pub fn string(self) -> Result<String> {
        let text = self.text()?;
        let mut copy = String::new();
        copy.try_reserve_exact(text.len())?;
        copy.push_str(text);
        Ok(copy)
    }
    pub fn list(self) -> Result<impl Iterator<Item = Value<'a>>> {
        let value = self.of_kind(SLUICE_ARRAY)?;
        Ok(unsafe { line::lent(value.as_.items, value.count) }
            .iter()
            .map(Value))
    }

    #[track_caller]
    fn of_kind(self, kind: u32) -> Result<&'a sluice_value> {
        if self.0.kind != kind {
            fail!(
                SLUICE_INVALID,
                "an option is of kind {}; the plugin's code reads kind {}",
                self.0.kind,
                kind
            );
        }
        Ok(self.0)
    }
}

/// A table of options, lent until the call returns.
#[derive(Clone, Copy)]
pub struct Options<'a>(Option<&'a sluice_value>);

impl<'a> Options<'a> {
    pub(super) unsafe fn of(table: *const sluice_value) -> Options<'a> {
        Options(table.as_ref())
    }
    /// None: it was not given and has no default.
    pub fn find(self, name: &str) -> Option<Value<'a>> {
        let table = self.0.filter(|table| table.kind == SLUICE_TABLE)?;
        let pairs: &'a [sluice_pair] = unsafe { line::lent(table.as_.pairs, table.count) };
        let found = pairs
            .iter()
            .find(|pair| unsafe { pair.key.as_str() } == name)?;
        Some(Value(&found.value)).filter(|value| value.0.kind != SLUICE_NIL)
    }
    #[track_caller]
    pub fn get(self, name: &str) -> Result<Value<'a>> {
        match self.find(name) {
            Some(value) => Ok(value),
            None => fail!(
                SLUICE_INVALID,
                "option '{}' is needed and was not given",
                name
            ),
        }
    }
}
