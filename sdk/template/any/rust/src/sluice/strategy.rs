//! Strategies: `sluice/kind/strategy.h`.
use super::*;
use std::ops::Deref;
use std::os::raw::{c_char, c_void};

#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct sluice_topology {
    pub struct_size: u64,
    pub local_replicas: u32,
    pub first_replica: u32,
    pub world_replicas: u32,
    pub reserved: u32,
}
pub const SLUICE_COLLECTIVE_SUM: u32 = 0;
pub const SLUICE_COLLECTIVE_MEAN: u32 = 1;
pub const SLUICE_COLLECTIVE_MAX: u32 = 2;
pub const SLUICE_COLLECTIVE_REDUCE_SCATTER: u32 = 3;
pub const SLUICE_COLLECTIVE_ALL_GATHER: u32 = 4;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_collective {
    pub struct_size: u64,
    pub kind: u32,
    pub replica: u32,
    pub data: *mut c_void,
    pub count: u64,
    pub dtype: sluice_dtype,
    pub wire: sluice_dtype,
    pub name: sluice_text,
    pub threads: *const sluice_threads,
    pub stream: *mut c_void,
}
pub const SLUICE_STRATEGY_V1: &str = "sluice.strategy/1";
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_strategy {
    pub create: unsafe extern "C" fn(
        *const sluice_host,
        *const sluice_value,
        u32,
        *mut *mut c_void,
        *mut sluice_error,
    ) -> sluice_status,
    pub destroy: unsafe extern "C" fn(*mut c_void),
    pub topology:
        unsafe extern "C" fn(*mut c_void, *mut sluice_topology, *mut sluice_error) -> sluice_status,
    pub start: unsafe extern "C" fn(
        *mut c_void,
        *const sluice_collective,
        *mut sluice_error,
    ) -> sluice_status,
    pub finish: unsafe extern "C" fn(*mut c_void, u32, f64, *mut sluice_error) -> sluice_status,
    pub abort: unsafe extern "C" fn(*mut c_void, sluice_text),
}

/// The range of one replica; lent until its finish().
#[derive(Clone, Copy)]
pub struct Collective(sluice_collective);

// Replicas read and write each other's ranges between start() and finish(), as every collective does.
unsafe impl Send for Collective {}
unsafe impl Sync for Collective {}

impl Deref for Collective {
    type Target = sluice_collective;
    fn deref(&self) -> &sluice_collective {
        &self.0
    }
}

impl Collective {
    pub fn name(&self) -> &str {
        unsafe { self.0.name.as_str() }
    }
}

pub trait Strategy: Sized + Send + Sync + 'static {
    /// `device_count` is the number of replicas that this process can run well.
    fn new(host: Host, options: Options, device_count: u32) -> Result<Self>;
    /// The caller fills in struct_size.
    fn topology(&self) -> sluice_topology;
    /// Starts a collective with a replica's range, which is ready; never waits. Its kind and types are known ones.
    fn start(&self, own: Collective) -> Result<()>;
    /// Returns when all collectives that the replica has started are done.
    fn finish(&self, replica: u32, seconds: f64) -> Result<()>;
    /// Makes all waits return, now and later.
    fn abort(&self, reason: &str);
}

/// For `export!`.
pub unsafe extern "C" fn strategy<T: Strategy>(
    _: *const sluice_component,
    id: *const c_char,
) -> *const c_void {
    line::serve(id, SLUICE_STRATEGY_V1, Table::<T>::TABLE)
}

struct Table<T>(T);

impl<T: Strategy> Table<T> {
    const TABLE: &'static sluice_strategy = &sluice_strategy {
        create: create::<T>,
        destroy: line::drop_object::<T>,
        topology: topology::<T>,
        start: start::<T>,
        finish: finish::<T>,
        abort: abort::<T>,
    };
}

unsafe extern "C" fn create<T: Strategy>(
    host: *const sluice_host,
    options: *const sluice_value,
    device_count: u32,
    object: *mut *mut c_void,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        line::hand_out(
            object,
            T::new(Host::of(host), Options::of(options), device_count)?,
        )
    })
}

unsafe extern "C" fn topology<T: Strategy>(
    object: *mut c_void,
    topology: *mut sluice_topology,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        line::fill(topology, &(*(object as *const T)).topology());
        Ok(())
    })
}

fn expect_known(own: &sluice_collective) -> Result<()> {
    let is_known = own.dtype == FLOAT32 || own.dtype == FLOAT64;
    let travels = own.wire == own.dtype || (own.dtype == FLOAT32 && own.wire == BFLOAT16);
    if own.kind > SLUICE_COLLECTIVE_ALL_GATHER || !is_known || !travels {
        fail!(
            SLUICE_UNSUPPORTED,
            "a collective of kind {}, or its types, are of a later version",
            own.kind
        );
    }
    Ok(())
}

unsafe extern "C" fn start<T: Strategy>(
    object: *mut c_void,
    own: *const sluice_collective,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        let own = line::known_part(own);
        expect_known(&own)?;
        (*(object as *const T)).start(Collective(own))
    })
}

unsafe extern "C" fn finish<T: Strategy>(
    object: *mut c_void,
    replica: u32,
    seconds: f64,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || (*(object as *const T)).finish(replica, seconds))
}

unsafe extern "C" fn abort<T: Strategy>(object: *mut c_void, reason: sluice_text) {
    line::sheltered((), || (*(object as *const T)).abort(reason.as_str()));
}
