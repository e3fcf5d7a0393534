//! Precision policies: `sluice/kind/precision.h`.
use super::*;
use std::os::raw::{c_char, c_void};

pub const SLUICE_LOSS_SCALE_NONE: i32 = 0;
pub const SLUICE_LOSS_SCALE_STATIC: i32 = 1;
pub const SLUICE_LOSS_SCALE_DYNAMIC: i32 = 2;
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct sluice_precision_traits {
    pub struct_size: u64,
    pub candidates: sluice_text,
    pub loss_scale: i32,
    pub growth_interval: u32,
    pub scale: f64,
    pub growth: f64,
    pub backoff: f64,
    pub floor: f64,
    pub ceiling: f64,
    pub most_skips: u32,
    pub reserved: u32,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_precision_query {
    pub struct_size: u64,
    pub type_: sluice_text,
    pub path: sluice_text,
    pub colour: i32,
    pub reserved: i32,
}
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct sluice_precision_choice {
    pub struct_size: u64,
    pub storage: sluice_dtype,
    pub compute: sluice_dtype,
    pub accumulate: sluice_dtype,
    pub colour: i32,
}
pub const SLUICE_PRECISION_V1: &str = "sluice.precision/1";
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_precision {
    pub create: unsafe extern "C" fn(
        *const sluice_host,
        *const sluice_value,
        *mut *mut c_void,
        *mut sluice_error,
    ) -> sluice_status,
    pub destroy: unsafe extern "C" fn(*mut c_void),
    pub traits: unsafe extern "C" fn(
        *mut c_void,
        *mut sluice_precision_traits,
        *mut sluice_error,
    ) -> sluice_status,
    pub choose: unsafe extern "C" fn(
        *mut c_void,
        *const sluice_precision_query,
        *mut sluice_precision_choice,
        *mut sluice_error,
    ) -> sluice_status,
}

/// The layer that the host asks about.
pub struct Query<'a>(&'a sluice_precision_query);

impl<'a> Query<'a> {
    pub fn layer_type(&self) -> &'a str {
        unsafe { self.0.type_.as_str() }
    }
    pub fn path(&self) -> &'a str {
        unsafe { self.0.path.as_str() }
    }
    /// SLUICE_COLOUR_... that the type declares.
    pub fn colour(&self) -> i32 {
        self.0.colour
    }
}

pub trait Precision: Sized + Send + Sync + 'static {
    fn new(host: Host, options: Options) -> Result<Self>;
    /// The caller fills in struct_size, as for choose(). By default the loss is not scaled.
    fn traits(&self) -> sluice_precision_traits {
        sluice_precision_traits::default()
    }
    fn choose(&self, query: &Query) -> Result<sluice_precision_choice>;
}

/// For `export!`.
pub unsafe extern "C" fn precision<T: Precision>(
    _: *const sluice_component,
    id: *const c_char,
) -> *const c_void {
    line::serve(id, SLUICE_PRECISION_V1, Table::<T>::TABLE)
}

struct Table<T>(T);

impl<T: Precision> Table<T> {
    const TABLE: &'static sluice_precision = &sluice_precision {
        create: create::<T>,
        destroy: line::drop_object::<T>,
        traits: traits::<T>,
        choose: choose::<T>,
    };
}

line::create_of!(Precision);

unsafe extern "C" fn traits<T: Precision>(
    object: *mut c_void,
    traits: *mut sluice_precision_traits,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        line::fill(traits, &(*(object as *const T)).traits());
        Ok(())
    })
}

unsafe extern "C" fn choose<T: Precision>(
    object: *mut c_void,
    query: *const sluice_precision_query,
    choice: *mut sluice_precision_choice,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        line::fill(choice, &(*(object as *const T)).choose(&Query(&*query))?);
        Ok(())
    })
}
