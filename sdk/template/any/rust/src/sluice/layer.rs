//! Layer types: `sluice/kind/layer.h`.
use super::*;
use std::os::raw::{c_char, c_void};

pub const SLUICE_ROLE_LAYER: i32 = 0;
pub const SLUICE_ROLE_LOSS: i32 = 1;
pub const SLUICE_ROLE_METRIC: i32 = 2;
pub const SLUICE_COLOUR_INFER: i32 = 0;
pub const SLUICE_COLOUR_ALLOW: i32 = 1;
pub const SLUICE_COLOUR_DENY: i32 = 2;
pub const SLUICE_COLOUR_CLEAR: i32 = 3;
pub const SLUICE_LAYER_RANDOM: u32 = 1;
pub const SLUICE_LAYER_IDENTITY_IN_EVAL: u32 = 2;
pub const SLUICE_LAYER_NO_GRADIENT: u32 = 4;
pub const SLUICE_LAYER_HIGHER_IS_BETTER: u32 = 8;
pub const SLUICE_LAYER_IGNORES_LABEL: u32 = 16;
pub const SLUICE_LAYER_JOINS_REPLICAS: u32 = 32;
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct sluice_layer_traits {
    pub struct_size: u64,
    pub role: i32,
    pub colour: i32,
    pub flags: u32,
    pub min_inputs: u32,
    pub max_inputs: u32,
    pub reserved: u32,
    pub label_inputs: u64,
    pub label_classes: i64,
    pub ignored_label: i64,
}
pub const SLUICE_INIT_ZEROS: i32 = 0;
pub const SLUICE_INIT_ONES: i32 = 1;
pub const SLUICE_INIT_CONSTANT: i32 = 2;
pub const SLUICE_INIT_NORMAL: i32 = 3;
pub const SLUICE_INIT_UNIFORM: i32 = 4;
pub const SLUICE_INIT_GLOROT_UNIFORM: i32 = 5;
pub const SLUICE_INIT_GLOROT_NORMAL: i32 = 6;
pub const SLUICE_INIT_HE_UNIFORM: i32 = 7;
pub const SLUICE_INIT_HE_NORMAL: i32 = 8;
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_parameter {
    pub name: sluice_text,
    pub spec: sluice_tensor_spec,
    pub initializer: i32,
    pub reserved: i32,
    pub argument: f64,
    pub fan_in: i64,
    pub fan_out: i64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_layer_state {
    pub name: sluice_text,
    pub spec: sluice_tensor_spec,
    pub initial: f64,
}
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_layer_sink {
    pub struct_size: u64,
    pub impl_: *mut c_void,
    pub add_output: unsafe extern "C" fn(*const sluice_layer_sink, *const sluice_tensor_spec),
    pub add_parameter: unsafe extern "C" fn(*const sluice_layer_sink, *const sluice_parameter),
    pub add_state: unsafe extern "C" fn(*const sluice_layer_sink, *const sluice_layer_state),
    pub set_flops: unsafe extern "C" fn(*const sluice_layer_sink, f64),
}
pub const SLUICE_LAYER_V1: &str = "sluice.layer/1";
#[repr(C)]
#[derive(Clone, Copy)]
pub struct sluice_layer {
    pub create: unsafe extern "C" fn(
        *const sluice_host,
        *const sluice_value,
        *mut *mut c_void,
        *mut sluice_error,
    ) -> sluice_status,
    pub destroy: unsafe extern "C" fn(*mut c_void),
    pub traits: unsafe extern "C" fn(
        *mut c_void,
        *mut sluice_layer_traits,
        *mut sluice_error,
    ) -> sluice_status,
    pub infer: unsafe extern "C" fn(
        *mut c_void,
        *const sluice_tensor_spec,
        u32,
        *const sluice_layer_sink,
        *mut sluice_error,
    ) -> sluice_status,
    pub finalize: Option<
        unsafe extern "C" fn(
            *mut c_void,
            *const f64,
            u32,
            *mut f64,
            *mut sluice_error,
        ) -> sluice_status,
    >,
}

/// infer() reports here.
pub struct LayerSink<'a>(&'a sluice_layer_sink);

impl LayerSink<'_> {
    pub fn output(&self, spec: sluice_tensor_spec) {
        unsafe { (self.0.add_output)(self.0, &spec) }
    }
    pub fn parameter(&self, name: &str, mut parameter: sluice_parameter) {
        parameter.name = sluice_text::lend(name);
        unsafe { (self.0.add_parameter)(self.0, &parameter) }
    }
    pub fn state(&self, name: &str, spec: sluice_tensor_spec, initial: f64) {
        let state = sluice_layer_state {
            name: sluice_text::lend(name),
            spec,
            initial,
        };
        unsafe { (self.0.add_state)(self.0, &state) }
    }
    pub fn flops(&self, forward: f64) {
        unsafe { (self.0.set_flops)(self.0, forward) }
    }
}

pub trait Layer: Sized + Send + Sync + 'static {
    fn new(host: Host, options: Options) -> Result<Self>;
    /// The caller fills in struct_size.
    fn traits(&self) -> sluice_layer_traits;
    fn infer(&self, inputs: &[sluice_tensor_spec], sink: &LayerSink) -> Result<()>;
    /// Metrics: turns the sums of all samples into one number.
    fn finalize(&self, _sums: &[f64]) -> Result<f64> {
        fail!(SLUICE_UNSUPPORTED, "only metrics are finalized")
    }
}

/// For `export!`.
pub unsafe extern "C" fn layer<T: Layer>(
    _: *const sluice_component,
    id: *const c_char,
) -> *const c_void {
    line::serve(id, SLUICE_LAYER_V1, Table::<T>::TABLE)
}

struct Table<T>(T);

impl<T: Layer> Table<T> {
    const TABLE: &'static sluice_layer = &sluice_layer {
        create: create::<T>,
        destroy: line::drop_object::<T>,
        traits: traits::<T>,
        infer: infer::<T>,
        finalize: Some(finalize::<T>),
    };
}

line::create_of!(Layer);

unsafe extern "C" fn traits<T: Layer>(
    object: *mut c_void,
    traits: *mut sluice_layer_traits,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        line::fill(traits, &(*(object as *const T)).traits());
        Ok(())
    })
}

unsafe extern "C" fn infer<T: Layer>(
    object: *mut c_void,
    inputs: *const sluice_tensor_spec,
    count: u32,
    sink: *const sluice_layer_sink,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        (*(object as *const T)).infer(line::lent(inputs, count.into()), &LayerSink(&*sink))
    })
}

unsafe extern "C" fn finalize<T: Layer>(
    object: *mut c_void,
    sums: *const f64,
    count: u32,
    value: *mut f64,
    error: *mut sluice_error,
) -> sluice_status {
    line::guard(error, || {
        *value = (*(object as *const T)).finalize(line::lent(sums, count.into()))?;
        Ok(())
    })
}
