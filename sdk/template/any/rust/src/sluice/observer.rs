//! Observers: `sluice/kind/observer.h`.
use super::*;
use std::os::raw::{c_char, c_void};

pub const SLUICE_EVENT_RUN_BEGIN: u32 = 0;
pub const SLUICE_EVENT_STEP: u32 = 1;
pub const SLUICE_EVENT_EPOCH_END: u32 = 2;
pub const SLUICE_EVENT_EVALUATION: u32 = 3;
pub const SLUICE_EVENT_SAMPLES: u32 = 4;
pub const SLUICE_EVENT_CHECKPOINT: u32 = 5;
pub const SLUICE_EVENT_RUN_END: u32 = 6;
pub const SLUICE_EVENT_USAGE: u32 = 7;
pub const SLUICE_EVENT_WEIGHTS: u32 = 8;
pub const SLUICE_EVENT_PROFILE: u32 = 9;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_scalar {
    pub name: sluice_text,
    pub value: f64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_named_tensor {
    pub name: sluice_text,
    pub tensor: sluice_tensor,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_event {
    pub struct_size: u64,
    pub kind: u32,
    pub reserved: u32,
    pub epoch: i64,
    pub step: i64,
    pub seconds: f64,
    pub text: sluice_text,
    pub scalars: *const sluice_scalar,
    pub scalar_count: u64,
    pub tensors: *const sluice_named_tensor,
    pub tensor_count: u64,
    pub profile: *const sluice_profile,
}
pub const SLUICE_OBSERVER_V1: &str = "sluice.observer/1";
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_observer {
    pub create: unsafe extern "C" fn(
        *const sluice_host,
        *const sluice_value,
        *mut *mut c_void,
        *mut sluice_error,
    ) -> sluice_status,
    pub destroy: unsafe extern "C" fn(*mut c_void),
    pub wants: unsafe extern "C" fn(*mut c_void) -> u64,
    pub on_event:
        unsafe extern "C" fn(*mut c_void, *const sluice_event, *mut sluice_error) -> sluice_status,
}

/// An event of the run; lent until the call returns.
pub struct Event<'a>(&'a sluice_event);

impl<'a> Event<'a> {
    /// SLUICE_EVENT_...
    pub fn kind(&self) -> u32 {
        self.0.kind
    }
    pub fn epoch(&self) -> i64 {
        self.0.epoch
    }
    pub fn step(&self) -> i64 {
        self.0.step
    }
    pub fn seconds(&self) -> f64 {
        self.0.seconds
    }
    pub fn text(&self) -> &'a str {
        unsafe { self.0.text.as_str() }
    }
    pub fn scalars(&self) -> impl Iterator<Item = (&'a str, f64)> {
        let all = unsafe { line::lent(self.0.scalars, self.0.scalar_count) };
        all.iter()
            .map(|one| (unsafe { one.name.as_str() }, one.value))
    }
    pub fn scalar(&self, name: &str) -> Option<f64> {
        self.scalars().find(|one| one.0 == name).map(|one| one.1)
    }
    /// Name and tensor; images are uint8 [N, H, W, C].
    pub fn tensors(&self) -> impl Iterator<Item = (&'a str, Fields<'a>)> {
        let all = unsafe { line::lent(self.0.tensors, self.0.tensor_count) };
        all.iter()
            .map(|one| unsafe { (one.name.as_str(), Fields::of(&one.tensor, 1)) })
    }
    /// The recorded window of SLUICE_EVENT_PROFILE. None if the event has none, or the host is too old to have windows.
    pub fn profile(&self) -> Option<Profile<'a>> {
        match self.0.profile.is_null() {
            true => None,
            false => Some(unsafe { Profile::of(self.0.profile) }),
        }
    }
}

pub trait Observer: Sized + Send + 'static {
    fn new(host: Host, options: Options) -> Result<Self>;
    /// The bit 1 << SLUICE_EVENT_... for each kind of event that it wants.
    const WANTS: u64;
    /// Called on the observers' own thread, one event after the other. The log reports a failure; the run continues.
    fn on_event(&mut self, event: &Event) -> Result<()>;
}

/// For `export!`.
pub unsafe extern "C" fn observer<T: Observer>(
    _: *const sluice_component,
    id: *const c_char,
) -> *const c_void {
    line::serve(id, SLUICE_OBSERVER_V1, Table::<T>::TABLE)
}

struct Table<T>(T);

impl<T: Observer> Table<T> {
    const TABLE: &'static sluice_observer = &sluice_observer {
        create: create::<T>,
        destroy: line::drop_object::<T>,
        wants: wants::<T>,
        on_event: on_event::<T>,
    };
}

line::create_of!(Observer);

unsafe extern "C" fn wants<T: Observer>(_: *mut c_void) -> u64 {
    T::WANTS
}

unsafe extern "C" fn on_event<T: Observer>(
    object: *mut c_void,
    event: *const sluice_event,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        let own = line::known_part(event); // events of an older host are shorter
        (*(object as *mut T)).on_event(&Event(&own))
    })
}
