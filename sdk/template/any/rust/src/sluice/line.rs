//! Every call between the host and this library goes through these functions.
use super::*;
use std::ffi::CStr;
use std::os::raw::{c_char, c_void};
use std::panic::{catch_unwind, AssertUnwindSafe};

// These are tables of constants, which are never written.
unsafe impl Sync for sluice_component {}
unsafe impl Sync for sluice_plugin {}

/// Runs `body` and turns an error or a panic into a status and a filled error.
pub(super) unsafe fn guard(
    error: *mut sluice_error,
    body: impl FnOnce() -> Result<()>,
) -> sluice_status {
    let failure = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return SLUICE_OK,
        Ok(Err(failure)) => failure,
        Err(panic) => Error::of_panic(&*panic),
    };
    failure.write(error)
}

/// The same for a body that cannot fail: returns `otherwise` if it panics.
pub(super) fn sheltered<T>(otherwise: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(otherwise)
}

/// Gives the object to the host, until `drop_object`.
pub(super) unsafe fn hand_out<T>(place: *mut *mut c_void, object: T) -> Result<()> {
    let layout = std::alloc::Layout::new::<T>();
    let memory = match layout.size() {
        0 => std::ptr::NonNull::<T>::dangling().as_ptr(),
        _ => std::alloc::alloc(layout) as *mut T, // Box::new would abort the process if memory is short
    };
    if memory.is_null() {
        fail!(
            SLUICE_NO_MEMORY,
            "no memory for an object of {} bytes",
            layout.size()
        );
    }
    memory.write(object);
    *place = memory as *mut c_void;
    Ok(())
}

/// Defines create() for kinds of components whose trait has new(host, options).
macro_rules! create_of {
    ($kind:ident) => {
        unsafe extern "C" fn create<T: $kind>(
            host: *const sluice_host,
            options: *const sluice_value,
            object: *mut *mut c_void,
            error: *mut sluice_error,
        ) -> sluice_status {
            line::guard(error, || {
                line::hand_out(object, T::new(Host::of(host), Options::of(options))?)
            })
        }
    };
}
pub(super) use create_of;

pub(super) unsafe extern "C" fn drop_object<T>(object: *mut c_void) {
    if !object.is_null() {
        sheltered((), || drop(Box::from_raw(object as *mut T)));
    }
}

pub(super) unsafe extern "C" fn drop_second<T>(_: *mut c_void, object: *mut c_void) {
    drop_object::<T>(object);
}

/// Returns `table` if the host asks for interface `name`.
pub(super) unsafe fn serve<Table>(
    id: *const c_char,
    name: &str,
    table: &'static Table,
) -> *const c_void {
    match CStr::from_ptr(id).to_bytes() == name.as_bytes() {
        true => table as *const Table as *const c_void,
        false => std::ptr::null(),
    }
}

/// Copies the part that both sides know of a struct that begins with its size. The caller's size stays unchanged.
pub(super) unsafe fn fill<Struct>(to: *mut Struct, from: &Struct) {
    let head = std::mem::size_of::<u64>();
    let known = std::cmp::min(*(to as *const u64) as usize, std::mem::size_of::<Struct>());
    let source = (from as *const Struct as *const u8).add(head);
    std::ptr::copy_nonoverlapping(
        source,
        (to as *mut u8).add(head),
        known.saturating_sub(head),
    );
}

/// Returns a copy of the part that both sides know of a struct that begins with its size; the rest is zero. Use the
/// copy: the host's struct may be shorter.
///
/// # Safety
/// All bytes of `Struct` may be zero.
pub(super) unsafe fn known_part<Struct>(from: *const Struct) -> Struct {
    let mut known = std::mem::MaybeUninit::<Struct>::zeroed();
    let size = std::cmp::min(
        *(from as *const u64) as usize,
        std::mem::size_of::<Struct>(),
    );
    std::ptr::copy_nonoverlapping(from as *const u8, known.as_mut_ptr() as *mut u8, size);
    known.assume_init()
}

/// Makes a slice of an array that the host lends; NULL is allowed if it is empty.
pub(super) unsafe fn lent<'a, T>(first: *const T, count: u64) -> &'a [T] {
    match count {
        0 => &[],
        _ => std::slice::from_raw_parts(first, count as usize),
    }
}

pub const fn bytes_of<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    let mut i = 0;
    while i < N {
        bytes[i] = text.as_bytes()[i];
        i += 1;
    }
    bytes
}

/// Reads the bytes, so that the linker keeps them in the library.
pub fn keep(bytes: &[u8]) {
    unsafe { std::ptr::read_volatile(bytes.as_ptr()) };
}

/// Makes panics of this library print nothing, because they are reported as errors of calls.
pub fn quiet_panics() {
    std::panic::set_hook(Box::new(|_| ()));
}
