//! Classes and weights of a source's samples: `sluice/kind/sampling.h`.
use super::*;
use std::os::raw::c_void;

pub const SLUICE_SAMPLING_V1: &str = "sluice.sampling/1";
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_sampling {
    pub classes:
        unsafe extern "C" fn(*mut c_void, *mut i64, u64, *mut sluice_error) -> sluice_status,
    pub weights:
        unsafe extern "C" fn(*mut c_void, *mut f64, u64, *mut sluice_error) -> sluice_status,
}

pub(super) struct SamplingTable<T>(T);

impl<T: Source> SamplingTable<T> {
    pub(super) const TABLE: &'static sluice_sampling = &sluice_sampling {
        classes: classes::<T>,
        weights: weights::<T>,
    };
}

/// Fills the host's memory with a number for each sample.
unsafe fn fill<T: Source, Number>(
    object: *mut c_void,
    numbers: *mut Number,
    count: u64,
    fill_all: Option<fn(&T, &mut [Number]) -> Result<()>>,
    what: &str,
) -> Result<()> {
    match fill_all {
        Some(fill_all) if count > 0 => fill_all(
            &*(object as *const T),
            std::slice::from_raw_parts_mut(numbers, count as usize),
        ),
        Some(_) => Ok(()),
        None => fail!(SLUICE_INVALID, "samples of this source have no {}", what),
    }
}

unsafe extern "C" fn classes<T: Source>(
    object: *mut c_void,
    classes: *mut i64,
    count: u64,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        fill(object, classes, count, T::CLASSES, "classes")
    })
}

unsafe extern "C" fn weights<T: Source>(
    object: *mut c_void,
    weights: *mut f64,
    count: u64,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        fill(object, weights, count, T::WEIGHTS, "weights")
    })
}
