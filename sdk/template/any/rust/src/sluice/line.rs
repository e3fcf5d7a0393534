//! What every call between the host and this library goes through.
use super::*;
use std::ffi::CStr;
use std::os::raw::{c_char, c_void};
use std::panic::{catch_unwind, AssertUnwindSafe};

// Tables of constants: nobody writes them.
unsafe impl Sync for sluice_component {}
unsafe impl Sync for sluice_plugin {}

/// Runs `body`; what goes wrong becomes a status and a filled error.
pub(super) unsafe fn guard(
    error: *mut sluice_error,
    body: impl FnOnce() -> Result<()>,
) -> sluice_status {
    let failure = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return SLUICE_OK,
        Ok(Err(failure)) => failure,
        Err(panic) => Error::of_panic(&*panic),
    };
    failure.tell(error)
}

/// The same of what cannot fail: `otherwise` where it panics.
pub(super) fn sheltered<T>(otherwise: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(otherwise)
}

/// Gives the object to the host, until `drop_object`.
pub(super) unsafe fn hand_out<T>(place: *mut *mut c_void, object: T) -> Result<()> {
    let layout = std::alloc::Layout::new::<T>();
    let memory = match layout.size() {
        0 => std::ptr::NonNull::<T>::dangling().as_ptr(),
        _ => std::alloc::alloc(layout) as *mut T, // Box::new would end the process where memory is short
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

/// create() of the kinds of component that are made of a host and options alone, by new() of their trait.
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

/// `table` where the host asks for interface `name`.
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

/// Copies what both sides know of a struct that begins with its size; the size stays the caller's.
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

/// What both sides know of a struct that begins with its size; the rest is zero. To be kept: the host's may be shorter.
///
/// # Safety
/// All of it may be zero.
pub(super) unsafe fn known_part<Struct>(from: *const Struct) -> Struct {
    let mut known = std::mem::MaybeUninit::<Struct>::zeroed();
    let size = std::cmp::min(
        *(from as *const u64) as usize,
        std::mem::size_of::<Struct>(),
    );
    std::ptr::copy_nonoverlapping(from as *const u8, known.as_mut_ptr() as *mut u8, size);
    known.assume_init()
}

/// A slice of what the host lends; NULL is allowed where it is empty.
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

/// What is read here stays in the library, whatever the linker leaves out.
pub fn keep(bytes: &[u8]) {
    unsafe { std::ptr::read_volatile(bytes.as_ptr()) };
}

/// A panic of this library is told as the error of a call; nothing is printed beside that.
pub fn quiet_panics() {
    std::panic::set_hook(Box::new(|_| ()));
}
