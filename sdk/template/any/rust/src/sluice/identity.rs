//! How a source reports that its data have changed: `sluice/kind/identity.h`.
use super::*;
use std::os::raw::c_void;

pub const SLUICE_IDENTITY_V1: &str = "sluice.identity/1";
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_identity {
    pub identity: unsafe extern "C" fn(*mut c_void, *mut u64, *mut sluice_error) -> sluice_status,
}

pub(super) struct IdentityTable<T>(T);

impl<T: Source> IdentityTable<T> {
    pub(super) const TABLE: &'static sluice_identity = &sluice_identity {
        identity: identity::<T>,
    };
}

unsafe extern "C" fn identity<T: Source>(
    object: *mut c_void,
    identity: *mut u64,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        if let Some(identity_of) = T::IDENTITY {
            *(identity as *mut [u64; 2]) = identity_of(&*(object as *const T))?;
        }
        Ok(())
    })
}
