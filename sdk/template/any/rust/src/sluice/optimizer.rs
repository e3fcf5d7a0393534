//! Optimizers: `sluice/kind/optimizer.h`.
use super::*;
use std::os::raw::{c_char, c_void};

#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_optimizer_sink {
    pub struct_size: u64,
    pub impl_: *mut c_void,
    pub add_state: unsafe extern "C" fn(*const sluice_optimizer_sink, sluice_text),
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_optimizer_launch {
    pub struct_size: u64,
    pub parameters: *mut f32,
    pub gradients: *const f32,
    pub states: *const *mut f32,
    pub count: u64,
    pub scalars: *const sluice_step_scalars,
    pub threads: *const sluice_threads,
    pub stream: *mut c_void,
}
pub const SLUICE_OPTIMIZER_V1: &str = "sluice.optimizer/1";
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_optimizer {
    pub create: unsafe extern "C" fn(
        *const sluice_host,
        *const sluice_value,
        *mut *mut c_void,
        *mut sluice_error,
    ) -> sluice_status,
    pub destroy: unsafe extern "C" fn(*mut c_void),
    pub describe: unsafe extern "C" fn(
        *mut c_void,
        *const sluice_optimizer_sink,
        *mut sluice_error,
    ) -> sluice_status,
    pub update: unsafe extern "C" fn(
        *mut c_void,
        *const sluice_optimizer_launch,
        *mut sluice_error,
    ) -> sluice_status,
}

pub const MOST_STATES: usize = 4;

/// A range of the parameters, with their gradients and states; slices of states that do not exist are empty.
pub struct Range<'a> {
    pub parameters: &'a mut [f32],
    pub gradients: &'a [f32],
    pub states: [&'a mut [f32]; MOST_STATES],
}

pub trait Optimizer: Sized + Send + Sync + 'static {
    fn new(host: Host, options: Options) -> Result<Self>;
    /// Names of states, MOST_STATES at most. Each is one number per parameter, initially zero, which the host keeps.
    fn states(&self) -> &'static [&'static str];
    /// Updates a range; several threads call it at once, and no parameter depends on another. Multiply gradients by
    /// scalars.gradient_scale.
    fn update(&self, scalars: &sluice_step_scalars, range: Range);
}

/// For `export!`.
pub unsafe extern "C" fn optimizer<T: Optimizer>(
    _: *const sluice_component,
    id: *const c_char,
) -> *const c_void {
    line::serve(id, SLUICE_OPTIMIZER_V1, Table::<T>::TABLE)
}

struct Table<T>(T);

impl<T: Optimizer> Table<T> {
    const TABLE: &'static sluice_optimizer = &sluice_optimizer {
        create: create::<T>,
        destroy: line::drop_object::<T>,
        describe: describe::<T>,
        update: update::<T>,
    };
}

line::create_of!(Optimizer);

unsafe extern "C" fn describe<T: Optimizer>(
    object: *mut c_void,
    sink: *const sluice_optimizer_sink,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        let names = (*(object as *const T)).states();
        assert!(
            names.len() <= MOST_STATES,
            "an optimizer has {} states at most",
            MOST_STATES
        );
        names
            .iter()
            .for_each(|name| ((*sink).add_state)(sink, sluice_text::of(name)));
        Ok(())
    })
}

const GRAIN: usize = 16384; // elements that are worth a thread of their own

unsafe extern "C" fn update<T: Optimizer>(
    object: *mut c_void,
    launch: *const sluice_optimizer_launch,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        let (optimizer, launch) = (&*(object as *const T), &*launch);
        let scalars = *launch.scalars;
        if scalars.skip != 0 {
            return Ok(()); // a skipped step changes nothing
        }
        let parameters = host::Shared::of(launch.parameters);
        let gradients = host::Shared::of(launch.gradients as *mut f32);
        let mut states = [host::Shared::of(std::ptr::null_mut()); MOST_STATES];
        for (i, _) in optimizer.states().iter().enumerate() {
            states[i] = host::Shared::of(*launch.states.add(i));
        }
        Threads::of(launch.threads).for_ranges(launch.count as usize, GRAIN, |begin, end| {
            let part = |all: &host::Shared<f32>| match all.get().is_null() {
                true => &mut [] as &mut [f32],
                false => std::slice::from_raw_parts_mut(all.get().add(begin), end - begin),
            };
            let [a, b, c, d] = &states;
            let range = Range {
                parameters: part(&parameters),
                gradients: part(&gradients),
                states: [part(a), part(b), part(c), part(d)],
            };
            optimizer.update(&scalars, range);
        })
    })
}
