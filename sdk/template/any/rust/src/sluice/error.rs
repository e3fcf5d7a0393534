//! Errors of calls.
use super::*;
use std::any::Any;
use std::fmt::{Arguments, Write};
use std::os::raw::c_char;
use std::panic::Location;

pub type Result<T> = std::result::Result<T, Error>;

/// A status, a message for users, and the place in the source, for the author. It allocates no memory.
pub struct Error {
    status: sluice_status,
    message: Text<384>,
    file: &'static str,
    line: u32,
}

impl Error {
    #[track_caller]
    pub fn new(status: sluice_status, message: Arguments) -> Error {
        let place = Location::caller();
        Error {
            status,
            message: Text::of(message),
            file: place.file(),
            line: place.line(),
        }
    }

    pub(super) fn of_panic(panic: &(dyn Any + Send)) -> Error {
        let text = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
            (Some(text), _) => text,
            (_, Some(text)) => text.as_str(),
            _ => "an unknown cause",
        };
        Error {
            status: SLUICE_FAILED,
            message: Text::of(format_args!("panicked: {}", text)),
            file: "",
            line: 0,
        }
    }

    pub(super) unsafe fn write(&self, error: *mut sluice_error) -> sluice_status {
        if let Some(error) = error.as_mut() {
            error.line = self.line;
            copy_cut(&mut error.message, self.message.bytes());
            copy_cut(&mut error.file, self.file.as_bytes());
        }
        self.status
    }
}

impl From<std::collections::TryReserveError> for Error {
    #[track_caller]
    fn from(_: std::collections::TryReserveError) -> Error {
        Error::new(SLUICE_NO_MEMORY, format_args!("out of memory"))
    }
}

/// At most N - 1 bytes of text; longer text is truncated.
pub(super) struct Text<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Text<N> {
    pub fn of(text: Arguments) -> Text<N> {
        let mut made = Text {
            bytes: [0; N],
            length: 0,
        };
        let _ = made.write_fmt(text);
        made
    }
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl<const N: usize> Write for Text<N> {
    fn write_str(&mut self, part: &str) -> std::fmt::Result {
        let mut length = part.len().min(N - 1 - self.length);
        while !part.is_char_boundary(length) {
            length -= 1;
        }
        self.bytes[self.length..self.length + length].copy_from_slice(&part.as_bytes()[..length]);
        self.length += length;
        Ok(())
    }
}

fn copy_cut(to: &mut [c_char], from: &[u8]) {
    let length = from.len().min(to.len() - 1);
    for (to, from) in to.iter_mut().zip(&from[..length]) {
        *to = *from as c_char;
    }
    to[length] = 0;
}
